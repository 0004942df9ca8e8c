/** Every combination of what the authority holds and what a record says. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOON, startAuthority } from '../test/authority.ts';
import {
  after,
  alta,
  annulment,
  authorityClient,
  type Fields,
  linesOf,
  submission,
  system,
  TAXPAYER,
  tags,
  valuesOf,
} from '../test/authority-messages.ts';
import { memoryStore } from './index.ts';

const store = memoryStore();
const { simulator, client } = await startAuthority({ store });

const wrong = { Huella: 'A'.repeat(64) };
/** Sent first, so that the authority holds it. */
const before: Record<string, string[]> = {
  nothing: [],
  alta: [alta('A1')],
  'alta with errors': [alta('A1', wrong)],
  anulación: [alta('A1'), annulment('A1')],
};
const flags = (Subsanacion?: string, RechazoPrevio?: string): Fields => ({ Subsanacion, RechazoPrevio });
const without = (SinRegistroPrevio?: string, RechazoPrevio?: string): Fields => ({
  SinRegistroPrevio,
  RechazoPrevio,
});
const records: Record<string, string> = {
  'alta - -': alta('A1'),
  'alta N N': alta('A1', flags('N', 'N')),
  'alta S -': alta('A1', flags('S')),
  'alta S N': alta('A1', flags('S', 'N')),
  'alta S S': alta('A1', flags('S', 'S')),
  'alta S X': alta('A1', flags('S', 'X')),
  'anulación - -': annulment('A1'),
  'anulación S rejected': annulment('A1', without(undefined, 'S')),
  'anulación S without': annulment('A1', without('S')),
  'anulación S S': annulment('A1', without('S', 'S')),
};
const of = (change: Fields): Fields => ({ SistemaInformatico: tags({ ...system, ...change }) });
const yes = 'Correcto';
const duplicate = 'Incorrecto 3000';
const absent = 'Incorrecto 3002';
const cells: [record: string, nothing: string, alta: string, with_errors: string, annulled: string][] = [
  ['alta - -', yes, duplicate, duplicate, duplicate],
  ['alta N N', yes, duplicate, duplicate, duplicate],
  ['alta S -', absent, yes, yes, yes],
  ['alta S N', absent, yes, yes, yes],
  ['alta S S', absent, yes, yes, yes],
  ['alta S X', yes, duplicate, duplicate, duplicate],
  ['anulación - -', absent, yes, yes, 'Incorrecto 3001'],
  ['anulación S rejected', absent, yes, yes, yes],
  ['anulación S without', yes, duplicate, duplicate, duplicate],
  ['anulación S S', yes, duplicate, duplicate, duplicate],
];
const held = Object.keys(before);

for (const [name, ...expected] of cells) {
  for (const [index, state] of held.entries()) {
    test(`${name} on ${state}: ${expected[index]}`, async () => {
      const sandbox = `${name} on ${state}`;
      for (const record of before[state] ?? []) await client.post(submission([record]), { sandbox });
      const { text } = await client.post(submission([records[name] ?? '']), { sandbox });
      assert.deepEqual(linesOf(text), [expected[index]]);
      const told = {
        nothing: [],
        alta: ['Correcta'],
        'alta with errors': ['AceptadaConErrores'],
        anulación: ['Anulada'],
      };
      const wanted = expected[index] === duplicate ? told[state as keyof typeof told] : [];
      assert.deepEqual(valuesOf(text, 'EstadoRegistroDuplicado'), wanted);
      const [row] = await store.find(sandbox, [`${TAXPAYER}\tA1\t10-03-2026`]);
      const kept = name.startsWith('anulación') ? 'Anulada' : 'Correcta';
      if (expected[index] === yes) assert.equal(row?.state, kept);
    });
  }
}

test('a duplicate tells the message that brought the first one, and its error', async () => {
  const sandbox = 'told';
  await client.post(submission([alta('A1', wrong)]), { sandbox });
  const { text } = await client.post(submission([alta('A1', wrong)]), { sandbox });
  const [row] = await store.find(sandbox, [`${TAXPAYER}\tA1\t10-03-2026`]);
  assert.deepEqual(valuesOf(text, 'IdPeticionRegistroDuplicado'), [row?.request_id]);
  assert.deepEqual(valuesOf(text, 'CodigoErrorRegistro'), ['3000', '2000']);
  assert.deepEqual(valuesOf(text, 'CSV'), [], 'nothing entered');
});

test('the records of one message see each other in their order', async () => {
  const batch = [alta('A1'), alta('A1'), annulment('A1'), annulment('A1'), alta('A1', flags('S'))];
  const { text } = await client.post(submission(batch), { sandbox: 'order' });
  assert.deepEqual(linesOf(text), [yes, duplicate, yes, 'Incorrecto 3001', yes]);
  assert.deepEqual(valuesOf(text, 'EstadoEnvio'), ['ParcialmenteCorrecto']);
  assert.deepEqual(valuesOf(text, 'TipoOperacion'), ['Alta', 'Alta', 'Anulacion', 'Anulacion', 'Alta']);
});

test('a rejected record leaves nothing, and does not stop the others', async () => {
  const sandbox = 'rejected';
  const { text } = await client.post(submission([alta('A1', { RechazoPrevio: 'X' }), alta('A2')]), {
    sandbox,
  });
  assert.deepEqual(linesOf(text), ['Incorrecto 1153', yes]);
  assert.deepEqual(await store.find(sandbox, [`${TAXPAYER}\tA1\t10-03-2026`]), []);
});

test('the same number on another day is another invoice', async () => {
  const other = alta('A1', {
    IDFactura: alta('A1')
      .match(/<sf:IDFactura>(.*)<\/sf:IDFactura>/)?.[1]
      ?.replace('10-03', '09-03'),
  });
  const { text } = await client.post(submission([alta('A1'), other]), { sandbox: 'another day' });
  assert.deepEqual(linesOf(text), [yes, yes]);
});

test('an invoice that entered by form is not changed by records: 3004', async () => {
  const sandbox = 'form';
  await client.post(submission([alta('A1')]), { sandbox });
  const [row] = await store.find(sandbox, [`${TAXPAYER}\tA1\t10-03-2026`]);
  assert.ok(row);
  await store.save(sandbox, [{ ...row, origin: 'form' }]);
  const { text } = await client.post(submission([annulment('A1')]), { sandbox });
  assert.deepEqual(linesOf(text), ['Incorrecto 3004']);
});

test("one collaborator does not change another's record: 3003; the taxpayer does", async (t) => {
  const sandbox = 'collaborators';
  const as = async (nif: string) => {
    const sender = authorityClient(
      simulator,
      await simulator.clientIdentity(nif, 'Gestoría', 'collaborator'),
    );
    t.after(() => sender.close());
    return sender;
  };
  const [first, second] = await Promise.all([as('B12345674'), as('B00000174')]);
  const send = async (sender: typeof client, record: string) =>
    linesOf((await sender.post(submission([record]), { sandbox })).text);
  assert.deepEqual(await send(first, alta('A1')), [yes]);
  assert.deepEqual(await send(second, alta('A1', flags('S'))), ['Incorrecto 3003']);
  assert.deepEqual(await send(first, alta('A1', flags('S'))), [yes]);
  assert.deepEqual(await send(client, alta('A1', flags('S'))), [yes]);
  assert.deepEqual(await send(second, alta('A1', flags('S'))), [yes]);
});

test('what is kept says all that a later answer needs', async () => {
  const sandbox = 'kept';
  const record = alta('A1', { RefExterna: 'ref-1', ...of({}) });
  const { text } = await client.post(submission([record]), { sandbox });
  const [row] = await store.find(sandbox, [`${TAXPAYER}\tA1\t10-03-2026`]);
  assert.ok(row);
  const { request_id, ...rest } = row;
  assert.match(request_id, /^[0-9A-F]{20}$/);
  assert.deepEqual(rest, {
    key: `${TAXPAYER}\tA1\t10-03-2026`,
    issuer_nif: TAXPAYER,
    number: 'A1',
    issued_on: '10-03-2026',
    period: '2026-03',
    state: 'Correcta',
    error_code: null,
    csv: valuesOf(text, 'CSV')[0],
    origin: 'record',
    presenter_nif: TAXPAYER,
    systems: [`${TAXPAYER}\tB12345674\tSE\t1`],
    presented_at: NOON.toISOString(),
    record: {
      operation: 'Alta',
      external_ref: 'ref-1',
      flags: {},
      type: 'F1',
      description: 'Servicios de prueba',
      tax_total: '21.00',
      total: '121.00',
      recipients: ['89890002E'],
      stamp: '2026-03-10T11:59:00+01:00',
      huella: valuesOf(record, 'Huella')[0],
    },
  });
});

const first = 'AceptadoConErrores 2007';
const next = (number: string, fields: Fields = {}): string =>
  alta(number, { Encadenamiento: after('A0', '10-03-2026', 'A'.repeat(64)), ...fields });
const rejected: Fields = { ...of({}), RechazoPrevio: 'X' };
const other_producer = of({ NIF: undefined, IDOtro: tags({ CodigoPais: 'FR', IDType: '04', ID: '1' }) });

/** Messages of one sandbox, each with its records, and what becomes of these. */
const firsts: [what: string, messages: [records: string[], expected: string[]][]][] = [
  [
    'a second first record of an installation',
    [
      [[alta('A1', of({}))], [yes]],
      [[alta('A2', of({}))], [first]],
    ],
  ],
  [
    'two in one message',
    [
      [
        [alta('A1', of({})), alta('A2', of({})), next('A3', of({}))],
        [yes, first, yes],
      ],
    ],
  ],
  [
    'a first record after one with a predecessor',
    [
      [[next('A1', of({}))], [yes]],
      [[alta('A2', of({}))], [first]],
    ],
  ],
  [
    'a first record that annuls',
    [
      [
        [alta('A1', of({})), annulment('A1', of({}))],
        [yes, first],
      ],
    ],
  ],
  [
    'a first record after an annulled invoice',
    [
      [
        [alta('A1', of({})), annulment('A1', of({})), alta('A2', of({}))],
        [yes, first, first],
      ],
    ],
  ],
  [
    'another installation',
    [
      [
        [alta('A1', of({})), alta('A2', of({ NumeroInstalacion: '2' }))],
        [yes, yes],
      ],
    ],
  ],
  [
    'another system',
    [
      [
        [alta('A1', of({})), alta('A2', of({ IdSistemaInformatico: 'S2' }))],
        [yes, yes],
      ],
    ],
  ],
  [
    'the system of another producer',
    [
      [
        [alta('A1', of({})), alta('A2', other_producer)],
        [yes, yes],
      ],
    ],
  ],
  [
    'another version of it',
    [
      [
        [alta('A1', of({})), alta('A2', of({ Version: '2' }))],
        [yes, first],
      ],
    ],
  ],
  [
    'the first one was rejected',
    [
      [[alta('A1', rejected)], ['Incorrecto 1153']],
      [[alta('A1', of({}))], [yes]],
    ],
  ],
  [
    'the same message again, as after a lost answer',
    [
      [
        [alta('A1', of({})), next('A2', of({}))],
        [yes, yes],
      ],
      [
        [alta('A1', of({})), next('A2', of({}))],
        [duplicate, duplicate],
      ],
    ],
  ],
  [
    'an invoice that another installation has corrected',
    [
      [[alta('A1', of({}))], [yes]],
      [[alta('A1', { ...of({ NumeroInstalacion: '2' }), ...flags('S') })], [yes]],
      [[alta('A2', of({}))], [first]],
    ],
  ],
];

for (const [what, messages] of firsts) {
  test(`PrimerRegistro S: ${what}`, async () => {
    for (const [records, expected] of messages) {
      const { text } = await client.post(submission(records), { sandbox: what });
      assert.deepEqual(linesOf(text), expected);
    }
  });
}
