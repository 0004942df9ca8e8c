import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startAuthority } from '../test/authority.ts';
import {
  after,
  alta,
  byNif,
  detail,
  type Fields,
  faultOf,
  linesOf,
  recipients,
  submission,
  tag,
  ticket,
  valuesOf,
} from '../test/authority-messages.ts';
import { type MagicValue, magicValues, memoryStore, unknown_taxpayer_nif } from './index.ts';
import { isNif } from './nif.ts';
import { NotXml, withDocument } from './xml-tree.ts';

const store = memoryStore();
const { simulator, client } = await startAuthority({ store });

const euros = (hundredths: bigint) => `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')}`;
const exempt = (total: string) => ({
  Desglose: detail({
    CalificacionOperacion: undefined,
    OperacionExenta: 'E1',
    TipoImpositivo: undefined,
    CuotaRepercutida: undefined,
    BaseImponibleOimporteNoSujeto: total,
  }),
  CuotaTotal: '0.00',
  ImporteTotal: total,
});
const ways: [name: string, record: (value: MagicValue, fields?: Fields) => string][] = [
  [
    'recipient',
    (value, fields) => alta('A1', { Destinatarios: recipients(byNif(value.recipient_nif)), ...fields }),
  ],
  ['total', (value, fields) => ticket('A1', { ...exempt(euros(value.total)), ...fields })],
];

/** The answers to the record, to the same bytes again, and to a subsanación. */
type Seen = { first: string; again: string; subsanada: string };
const expected: Record<string, Seen> = {
  accepted: { first: 'Correcto', again: 'Incorrecto 3000 Correcta', subsanada: 'Correcto' },
  accepted_with_errors: {
    first: 'AceptadoConErrores 2001',
    again: 'Incorrecto 3000 AceptadaConErrores',
    subsanada: 'Correcto',
  },
  rejected: { first: 'Incorrecto 1100', again: 'Incorrecto 1100', subsanada: 'Correcto' },
  rejected_always: { first: 'Incorrecto 1100', again: 'Incorrecto 1100', subsanada: 'Incorrecto 1100' },
  duplicate: { first: 'Incorrecto 3000 Correcta', again: 'Incorrecto 3000 Correcta', subsanada: 'Correcto' },
  duplicate_with_errors: {
    first: 'Incorrecto 3000 AceptadaConErrores',
    again: 'Incorrecto 3000 AceptadaConErrores',
    subsanada: 'Correcto',
  },
  soap_fault_client: { first: '500 Client 4102', again: 'Correcto', subsanada: 'Correcto' },
  soap_fault_server: { first: '500 Server 4128', again: 'Correcto', subsanada: 'Correcto' },
  unavailable: { first: '503', again: 'Correcto', subsanada: 'Correcto' },
  timeout_before_storing: { first: 'no answer', again: 'Correcto', subsanada: 'Correcto' },
  timeout_after_storing: { first: 'no answer', again: 'Incorrecto 3000 Correcta', subsanada: 'Correcto' },
  half_answer: { first: 'no answer', again: 'Incorrecto 3000 Correcta', subsanada: 'Correcto' },
  malformed_answer: { first: 'no XML', again: 'Incorrecto 3000 Correcta', subsanada: 'Correcto' },
  long_wait: { first: 'Correcto, wait 600', again: 'Incorrecto 3000 Correcta', subsanada: 'Correcto' },
};

/** So long that no busy machine needs it. */
const patient_ms = 60_000;

async function see(body: string, sandbox: string, timeout = patient_ms): Promise<string> {
  const answer = await client.post(body, { sandbox, timeout }).catch(() => undefined);
  if (!answer) return 'no answer';
  if (answer.status !== 200) return [answer.status, faultOf(answer.text)].filter(Boolean).join(' ');
  try {
    withDocument(answer.text, () => undefined);
  } catch (error) {
    if (error instanceof NotXml) return 'no XML';
    throw error;
  }
  const wait = valuesOf(answer.text, 'TiempoEsperaEnvio')[0];
  const told = valuesOf(answer.text, 'EstadoRegistroDuplicado')[0];
  const line = [linesOf(answer.text)[0], told].filter(Boolean).join(' ');
  return wait === '60' ? line : `${line}, wait ${wait}`;
}

for (const value of magicValues.filter(({ outcome }) => outcome !== 'slow_answer')) {
  for (const [way, record] of ways) {
    test(`${value.outcome} by ${way}`, async () => {
      const sandbox = `${value.outcome} by ${way}`;
      const body = submission([record(value)]);
      const timeout = value.outcome.startsWith('timeout') ? 1000 : patient_ms;
      const first = await see(body, sandbox, timeout);
      const again = await see(body, sandbox);
      // A rejected record is not stored: its correction says so.
      const before = first.startsWith('Incorrecto 1') ? 'X' : undefined;
      const correction = record(value, {
        Subsanacion: 'S',
        RechazoPrevio: before,
        DescripcionOperacion: 'Corregida',
        Encadenamiento: after('A1', '10-03-2026', 'A'.repeat(64)),
      });
      // A correction is another record: it triggers the fault once more.
      if ('message' in value) await see(submission([correction]), sandbox, timeout);
      const subsanada = await see(submission([correction]), sandbox);
      assert.deepEqual({ first, again, subsanada }, expected[value.outcome]);
    });
  }
}

test('slow_answer answers after its wait, and keeps what came', async () => {
  const value = magicValues.find(({ outcome }) => outcome === 'slow_answer');
  assert.ok(value);
  assert.deepEqual('message' in value && value.message, { kind: 'slow_answer', milliseconds: 5000 });
  for (const [way, record] of ways) {
    assert.equal(
      await see(submission([record(value)]), `slow ${way}`, 1000),
      'no answer',
      'the sender waits one second',
    );
    assert.equal(await see(submission([record(value)]), `slow ${way}`), 'Incorrecto 3000 Correcta');
  }
});

test('a value asks for its message fault once for each record, wherever it stands in the batch', async () => {
  const value = magicValues.find(({ outcome }) => outcome === 'unavailable');
  assert.ok(value);
  const to = { Destinatarios: recipients(byNif(value.recipient_nif)) };
  const first = submission([alta('A1'), alta('A2', to)]);
  const both = submission([alta('A1'), alta('A2', to), alta('A3', to)]);
  const status = async (body: string) => (await client.post(body, { sandbox: 'once' })).status;
  assert.deepEqual([await status(first), await status(both), await status(both)], [503, 503, 200]);
});

test('a total counts only where no recipient is named, and a fault on demand comes first', async () => {
  const value = magicValues.find(({ outcome }) => outcome === 'unavailable');
  assert.ok(value);
  const named = alta('A1', exempt(euros(value.total)));
  assert.deepEqual(linesOf((await client.post(submission([named]), { sandbox: 'named' })).text), [
    'Correcto',
  ]);
  const asking = submission([ticket('A2', exempt(euros(value.total)))]);
  simulator.faults.next('named', { kind: 'soap_fault_server', code: 4110 });
  assert.equal(faultOf((await client.post(asking, { sandbox: 'named' })).text), 'Server 4110');
  assert.equal((await client.post(asking, { sandbox: 'named' })).status, 503);
});

test('a record that breaks a rule gets the code of the rule, whatever its value asks for', async () => {
  const value = magicValues.find(({ outcome }) => outcome === 'duplicate');
  assert.ok(value);
  const record = alta('A1', { Destinatarios: recipients(byNif(value.recipient_nif)), RechazoPrevio: 'X' });
  assert.deepEqual(linesOf((await client.post(submission([record]), { sandbox: 'rule' })).text), [
    'Incorrecto 1153',
  ]);
});

test('the taxpayer outside the census is refused with 4107, whoever sends', async () => {
  const body = submission([alta('A1')], { nif: unknown_taxpayer_nif, header: tag('RemisionVoluntaria', '') });
  assert.equal(faultOf((await client.post(body, { sandbox: 'census' })).text), 'Client 4107');
});

test('the values are well formed, all different, and reachable by one line at 21, 10 and 4 per cent', () => {
  const nifs = [...magicValues.map(({ recipient_nif }) => recipient_nif), unknown_taxpayer_nif];
  assert.equal(new Set(nifs).size, nifs.length);
  assert.equal(new Set(magicValues.map(({ total }) => total)).size, magicValues.length);
  for (const nif of nifs) assert.ok(isNif(nif), nif);
  for (const { total } of magicValues) {
    for (const rate of [21n, 10n, 4n]) {
      const near = (total * 100n) / (100n + rate);
      const bases = [-2n, -1n, 0n, 1n, 2n].map((step) => near + step);
      const hit = bases.some((base) => base + (base * rate + 50n) / 100n === total);
      assert.ok(hit, `${total} at ${rate}`);
    }
  }
});
