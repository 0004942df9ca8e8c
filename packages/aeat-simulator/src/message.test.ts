import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startAuthority } from '../test/authority.ts';
import {
  alta,
  annulment,
  authorityClient,
  byNif,
  detail,
  faultOf,
  linesOf,
  recipients,
  submission,
  TAXPAYER,
  tag,
  tags,
  valuesOf,
} from '../test/authority-messages.ts';
import { officialSchemasFolder, skipWithoutSchemas } from '../test/official-schemas.ts';
import { simulatorCodes } from './codes.ts';
import { authorityCountries } from './countries.ts';
import { memoryStore, startSimulator } from './index.ts';
import { loadOfficialSchemas } from './official-schemas.ts';
import { withDocument } from './xml-tree.ts';

const store = memoryStore();
const { simulator, client } = await startAuthority({ store });
/** Without the authority's schemas. */
const own = await startAuthority({ schemas: null });

const good = submission([alta('A1')]);
const many = (count: number) => Array.from({ length: count }, (_, index) => alta(`A${index}`));
const voluntary = (fields: Record<string, string>) => ({ header: tag('RemisionVoluntaria', tags(fields)) });

const faults: [expected: string, what: string, body: string | Uint8Array][] = [
  ['Client 4138', 'nothing', ''],
  ['Client 4103', 'no XML', 'hello'],
  ['Client 4103', 'half an XML', good.slice(0, 900)],
  ['Client 4103', 'a DTD', good.replace('?>', '?><!DOCTYPE a [<!ENTITY x "y">]>')],
  ['Client 4119', 'not UTF-8', Buffer.from(good.replace('Servicios', 'Años'), 'latin1')],
  ['Client 4119', 'another encoding declared', good.replace('UTF-8', 'ISO-8859-1')],
  ['Client 4102', 'no envelope', '<a/>'],
  ['Client 4138', 'an empty body', good.replace(/<lr:.*<\/lr:RegFactuSistemaFacturacion>/, '')],
  ['Client 4118', 'another operation', good.replaceAll('RegFactuSistemaFacturacion', 'SuministroLRFacturas')],
  [
    'Client 4102',
    'another namespace',
    good
      .replaceAll('/tike/', '/tikeV1.0/')
      .replace('tikeV1.0/cont/ws/SuministroLR', 'tike/cont/ws/SuministroLR'),
  ],
  ['Client 4102', 'no records', submission([])],
  ['Client 4114', '1,001 records', submission(many(1001))],
  ['Client 4102', 'a record of neither kind', submission([tag('RegistroOtro', '')])],
  [
    'Client 4102',
    'fields in another order',
    good.replace(/(<sf:CuotaTotal>.*?<\/sf:CuotaTotal>)(<sf:ImporteTotal>.*?<\/sf:ImporteTotal>)/, '$2$1'),
  ],
  ['Client 4102', 'no description', submission([alta('A1', { DescripcionOperacion: undefined })])],
  ['Client 4102', 'three decimals', submission([alta('A1', { CuotaTotal: '21.000' })])],
  ['Client 4102', 'thirteen digits', submission([alta('A1', { ImporteTotal: '1234567890123' })])],
  ['Client 4102', 'a type of invoice that is none', submission([alta('A1', { TipoFactura: 'F4' })])],
  [
    'Client 4102',
    'a regime key that is none',
    submission([alta('A1', { Desglose: detail({ ClaveRegimen: '12' }) })]),
  ],
  ['Client 4102', 'tax 04', submission([alta('A1', { Desglose: detail({ Impuesto: '04' }) })])],
  ['Client 4102', 'thirteen lines', submission([alta('A1', { Desglose: detail().repeat(13) })])],
  [
    'Client 4102',
    'qualification and exemption',
    submission([alta('A1', { Desglose: detail({ OperacionExenta: 'E1' }) })]),
  ],
  [
    'Client 4102',
    'a NIF of eight',
    submission([alta('A1', { Destinatarios: recipients(byNif('8989000E')) })]),
  ],
  [
    'Client 4102',
    'a country that is none',
    submission([
      alta('A1', {
        Destinatarios: recipients(
          tags({ NombreRazon: 'A', IDOtro: tags({ CodigoPais: 'XK', IDType: '04', ID: '1' }) }),
        ),
      }),
    ]),
  ],
  ['Client 4102', 'a number of 61', submission([alta('A'.repeat(61))])],
  ['Client 4102', 'an empty number', submission([alta('')])],
  ['Client 4102', 'a date the other way round', submission([alta('A1', { FechaOperacion: '2026-03-01' })])],
  [
    'Client 4102',
    'a stamp of no day',
    submission([alta('A1', { FechaHoraHusoGenRegistro: '2026-02-30T10:00:00+01:00' })]),
  ],
  ['Client 4102', 'X on an anulación', submission([annulment('A1', { RechazoPrevio: 'X' })])],
  ['Client 4102', 'text between fields', good.replace('<sf:RegistroAlta>', '<sf:RegistroAlta>hello')],
  ['Client 4102', 'Incidencia true', submission([alta('A1')], voluntary({ Incidencia: 'true' }))],

  ['Client 4116', 'no NIF as taxpayer', submission([alta('A1')], { nif: '123456789' })],
  ['Client 4104', 'a taxpayer with a wrong letter', submission([alta('A1')], { nif: '89890001A' })],
  ['Client 4107', 'a taxpayer outside the census', submission([alta('A1')], { nif: 'B00000166' })],
  ['Client 4112', "another's certificate", submission([alta('A1')], { nif: '89890001K' })],
  [
    'Client 4117',
    'no NIF as representative',
    submission([alta('A1')], { header: tag('Representante', byNif('123456789')) }),
  ],
  [
    'Client 4105',
    'a representative with a wrong letter',
    submission([alta('A1')], { header: tag('Representante', byNif('89890001A')) }),
  ],
  [
    'Client 4126',
    'a requirement',
    submission([alta('A1')], { header: tag('RemisionRequerimiento', tag('RefRequerimiento', 'R1')) }),
  ],
  [
    'Client 4106',
    'an end on no day',
    submission([alta('A1')], voluntary({ FechaFinVeriFactu: '31-02-2026' })),
  ],
  [
    'Client 4120',
    'an end in summer',
    submission([alta('A1')], voluntary({ FechaFinVeriFactu: '30-06-2026' })),
  ],
  [
    'Client 4120',
    'an end next year',
    submission([alta('A1')], voluntary({ FechaFinVeriFactu: '31-12-2027' })),
  ],
];

for (const [expected, what, body] of faults) {
  for (const [by, place] of [
    ['all rules', { simulator, client }],
    ['our rules', own],
  ] as const) {
    test(`${what} is refused by ${by}: ${expected}`, async () => {
      const answer = await place.client.post(body, { sandbox: 'faults' });
      assert.equal(answer.status, 500);
      assert.equal(faultOf(answer.text), expected, answer.text);
      assert.equal(place.simulator.log.at(-1)?.outcome, expected.replace('Client', 'fault'));
    });
  }
}

test('nothing of a refused message is kept', async () => {
  assert.deepEqual(await store.list('faults', { period: '2026-03', after: null, limit: 10 }), []);
});

test('GET is refused, and another address is not there', async () => {
  assert.equal(faultOf((await client.post('', { method: 'GET' })).text), 'Client 4135');
  assert.equal((await client.post(good, { path: '/other' })).status, 404);
});

test('no certificate, no connection', async (t) => {
  const stranger = authorityClient(simulator);
  t.after(() => stranger.close());
  await assert.rejects(stranger.post(good));
});

test('a certificate of another authority, no connection', async (t) => {
  const foreign = await own.simulator.clientIdentity(TAXPAYER, 'Empresa', 'seal');
  const stranger = authorityClient(simulator, foreign);
  t.after(() => stranger.close());
  await assert.rejects(stranger.post(good));
});

for (const [kind, nif, taxpayer, expected] of [
  ['person', '89890001K', '89890001K', 'Incorrecto 1108'],
  ['person', '89890002E', TAXPAYER, 'Client 4112'],
  ['representative', TAXPAYER, TAXPAYER, 'Correcto'],
  ['representative', 'B12345674', TAXPAYER, 'Client 4112'],
  ['seal', TAXPAYER, TAXPAYER, 'Correcto'],
  ['collaborator', 'B12345674', TAXPAYER, 'Correcto'],
] as const) {
  test(`a ${kind} certificate of ${nif} for ${taxpayer}: ${expected}`, async (t) => {
    const sender = authorityClient(simulator, await simulator.clientIdentity(nif, 'Peña y Núñez SL', kind));
    t.after(() => sender.close());
    const sandbox = `${kind} ${nif}`;
    const { text } = await sender.post(submission([alta('A1')], { nif: taxpayer }), { sandbox });
    assert.deepEqual([faultOf(text) ?? linesOf(text)[0]], [expected]);
    if (expected === 'Correcto') assert.deepEqual(valuesOf(text, 'NIFPresentador'), [nif]);
  });
}

test('the answer echoes header, reference and flags, and tells the wait', async () => {
  const record = alta('A &amp; 1', { RefExterna: 'ref &lt;1&gt;', Subsanacion: 'S', RechazoPrevio: 'X' });
  const header = tag('RemisionVoluntaria', tags({ FechaFinVeriFactu: '31-12-2026', Incidencia: 'S' }));
  const { status, text } = await client.post(submission([record], { header }), { sandbox: 'echo' });
  assert.equal(status, 200);
  assert.deepEqual(linesOf(text), ['Correcto']);
  const values = Object.fromEntries(
    'NIF FechaFinVeriFactu Incidencia NumSerieFactura TipoOperacion Subsanacion RechazoPrevio RefExterna TiempoEsperaEnvio EstadoEnvio NIFPresentador TimestampPresentacion'
      .split(' ')
      .map((name) => [name, valuesOf(text, name)[0]]),
  );
  assert.deepEqual(values, {
    NIF: TAXPAYER,
    FechaFinVeriFactu: '31-12-2026',
    Incidencia: 'S',
    NumSerieFactura: 'A &#38; 1',
    TipoOperacion: 'Alta',
    Subsanacion: 'S',
    RechazoPrevio: 'X',
    RefExterna: 'ref &#60;1&#62;',
    TiempoEsperaEnvio: '60',
    EstadoEnvio: 'Correcto',
    NIFPresentador: TAXPAYER,
    TimestampPresentacion: '2026-03-10T12:00:00+01:00',
  });
  assert.match(valuesOf(text, 'CSV')[0] ?? '', /^A-[0-9A-Z]{14}$/);
});

test('a CSV comes only when something entered', async () => {
  const refused = alta('A1', { RechazoPrevio: 'X' });
  const csvOf = async (records: string[], sandbox: string) => {
    const { text } = await client.post(submission(records), { sandbox });
    return [
      valuesOf(text, 'EstadoEnvio')[0],
      valuesOf(text, 'CSV').length,
      valuesOf(text, 'NIFPresentador').length,
    ];
  };
  assert.deepEqual(await csvOf([refused], 'csv 1'), ['Incorrecto', 0, 0]);
  assert.deepEqual(await csvOf([refused, alta('A2')], 'csv 2'), ['ParcialmenteCorrecto', 1, 1]);
  assert.deepEqual(await csvOf([alta('A2', { Huella: 'A'.repeat(64) })], 'csv 3'), [
    'ParcialmenteCorrecto',
    1,
    1,
  ]);
});

test('a thousand records are taken in one message', async () => {
  const { text } = await client.post(submission(many(1000)), { sandbox: 'thousand' });
  assert.deepEqual([...new Set(linesOf(text))], ['Correcto']);
  assert.equal(linesOf(text).length, 1000);
});

test('without a sandbox in the address the taxpayer has a memory of its own', async () => {
  await client.post(good);
  assert.equal((await store.list(TAXPAYER, { period: '2026-03', after: null, limit: 10 })).length, 1);
  assert.equal(simulator.log.at(-1)?.company_id, TAXPAYER);
});

test('the log tells what came and what was answered, and is bounded', async () => {
  await own.client.post(good, { sandbox: 'log' });
  const again = await own.client.post(good, { sandbox: 'log' });
  const [first, second] = own.simulator.log.slice(-2);
  assert.equal(first?.body_sha256, second?.body_sha256);
  assert.equal(first?.body, good);
  assert.equal(linesOf(again.text)[0], 'Incorrecto 3000');
  const lines = [{ key: `${TAXPAYER}\tA1\t10-03-2026`, operation: 'Alta', state: 'Incorrecto', code: 3000 }];
  assert.deepEqual(second?.lines, lines);
  for (let sent = 0; sent < 100; sent++) await own.client.post('x');
  assert.equal(own.simulator.log.length, 100);
});

test('the wait that is told can be set', async () => {
  const wait = async () =>
    valuesOf((await own.client.post(good, { sandbox: 'wait' })).text, 'TiempoEsperaEnvio');
  own.simulator.setWaitSeconds(5);
  assert.deepEqual(await wait(), ['5']);
  own.simulator.setWaitSeconds(60);
  assert.deepEqual(await wait(), ['60']);
});

test('a store that fails cuts the connection and is reported', async (t) => {
  const reported: unknown[] = [];
  const broken = new Error('no disk');
  const other = await startSimulator({
    store: { ...memoryStore(), save: () => Promise.reject(broken) },
    report: (error) => void reported.push(error),
  });
  const sender = authorityClient(other, await other.clientIdentity(TAXPAYER, 'Empresa', 'seal'));
  t.after(async () => {
    await sender.close();
    await other.stop();
  });
  await assert.rejects(sender.post(good));
  assert.deepEqual(reported, [broken]);
});

test('a folder without the schemas is refused at the start', async () => {
  await assert.rejects(startSimulator({ schemas: '/nowhere' }), /lacks SuministroLR\.xsd/);
});

test("answers are valid by the authority's schemas", { skip: skipWithoutSchemas }, async (t) => {
  const schemas = loadOfficialSchemas(officialSchemasFolder ?? '');
  t.after(() => schemas.dispose());
  const batch = [
    alta('A1', { RefExterna: 'r' }),
    alta('A1'),
    alta('A2', { Huella: 'A'.repeat(64) }),
    annulment('A9', { RechazoPrevio: 'S' }),
  ];
  const header = tag('RemisionVoluntaria', tag('Incidencia', 'N'));
  for (const records of [batch, [alta('A2')], [alta('A2', { RechazoPrevio: 'X' })]]) {
    const { text } = await client.post(submission(records, { header }), { sandbox: 'valid' });
    const inside = text.replace(/^.*<env:Body>|<\/env:Body>.*$/g, '');
    assert.equal(
      withDocument(inside, (root) => schemas.faultIn(root, 'RespuestaSuministro.xsd')),
      null,
      inside,
    );
  }
});

test("the authority's sample is taken, but for its date", { skip: skipWithoutSchemas }, async (t) => {
  const sample = readFileSync(join(officialSchemasFolder ?? '', 'samples/regfactu-alta.xml'), 'utf8');
  const payload = sample.replace(/<\?xml.*\?>/, '');
  const body = `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>${payload}</e:Body></e:Envelope>`;
  const sender = authorityClient(
    simulator,
    await simulator.clientIdentity('89890001K', 'Certificado Uno', 'person'),
  );
  t.after(() => sender.close());
  assert.deepEqual(linesOf((await sender.post(body)).text), ['Incorrecto 1152']);
});

test("every code is the authority's with its effect, and its text is ours", {
  skip: skipWithoutSchemas,
}, () => {
  const list = JSON.parse(readFileSync(join(officialSchemasFolder ?? '', 'errores.json'), 'utf8')) as {
    codes: Record<string, { effect: string; message: string }>;
  };
  const effects = {
    message: 'rejects_whole_submission',
    record: 'rejects_record',
    accepted: 'accepted_with_errors',
  };
  for (const [code, { effect, text }] of simulatorCodes) {
    const official = list.codes[code];
    // A query has no records: its errors are faults.
    assert.equal(official?.effect, code === 1250 ? effects.record : effects[effect], String(code));
    assert.notEqual(official?.message, text, String(code));
  }
});

test("the countries are the authority's", { skip: skipWithoutSchemas }, () => {
  const text = readFileSync(join(officialSchemasFolder ?? '', 'SuministroInformacion.xsd'), 'utf8');
  const type = text.slice(text.indexOf('name="CountryType2"'));
  const codes = type.slice(0, type.indexOf('</simpleType>')).matchAll(/value="([A-Z]{2})"/g);
  assert.deepEqual([...authorityCountries].sort(), [...codes].map((match) => match[1]).sort());
});
