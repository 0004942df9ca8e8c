import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startAuthority } from '../test/authority.ts';
import {
  alta,
  annulment,
  byNif,
  faultOf,
  invoiceId,
  query,
  recipients,
  submission,
  TAXPAYER,
  tag,
  tags,
  valuesOf,
} from '../test/authority-messages.ts';
import { officialSchemasFolder, skipWithoutSchemas } from '../test/official-schemas.ts';
import { memoryStore } from './index.ts';
import { loadOfficialSchemas } from './official-schemas.ts';
import { answerQuery } from './query.ts';
import { keyOf } from './records.ts';
import { childOf, toTree, withDocument } from './xml-tree.ts';

const store = memoryStore();
const { client } = await startAuthority({ store });
const sandbox = 'queries';
await client.post(
  submission([
    alta('A1', { RefExterna: 'ref-1' }),
    alta('A2', { Huella: 'A'.repeat(64) }),
    alta('A3', { Destinatarios: recipients(byNif('B12345674')) }),
    annulment('A3'),
    alta('A4', { IDFactura: invoiceId('A4', '05-03-2026') }),
    alta('F1', { IDFactura: invoiceId('F1', '05-02-2026') }),
    alta('M1', { FechaOperacion: '20-02-2026' }),
  ]),
  { sandbox },
);
const ask = async (options: Parameters<typeof query>[0] = {}) =>
  (await client.post(query(options), { sandbox })).text;
const numbers = (text: string) => valuesOf(text, 'NumSerieFactura');
const con = (name: string, inside: string) => `<con:${name}>${inside}</con:${name}>`;

test('a period: state, error and data of each invoice, and no CSV', async () => {
  const text = await ask();
  assert.deepEqual(numbers(text), ['A1', 'A2', 'A3', 'A4']);
  const states = [...text.matchAll(/<q:EstadoRegistro>([A-Z]\w+)</g)].map((match) => match[1]);
  assert.deepEqual(states, ['Correcto', 'AceptadoConErrores', 'Anulado', 'Correcto']);
  assert.deepEqual(valuesOf(text, 'CodigoErrorRegistro'), ['2000']);
  assert.deepEqual(valuesOf(text, 'RefExterna'), ['ref-1']);
  assert.deepEqual(valuesOf(text, 'ResultadoConsulta'), ['ConDatos']);
  assert.deepEqual(valuesOf(text, 'IndicadorPaginacion'), ['N']);
  assert.deepEqual(valuesOf(text, 'CSV'), []);
});

test('the period is that of the operation', async () => {
  assert.deepEqual(numbers(await ask({ month: '02' })), ['F1', 'M1']);
  assert.deepEqual(valuesOf(await ask({ month: '01' }), 'ResultadoConsulta'), ['SinDatos']);
});

const filters: [what: string, filter: string, expected: string[]][] = [
  ['number', con('NumSerieFactura', 'A2'), ['A2']],
  ['reference', con('RefExterna', 'ref-1'), ['A1']],
  ['recipient', con('Contraparte', byNif('89890002E')), ['A1', 'A2', 'A4']],
  ['day', con('FechaExpedicionFactura', tag('FechaExpedicionFactura', '05-03-2026')), ['A4']],
  [
    'range',
    con(
      'FechaExpedicionFactura',
      tag('RangoFechaExpedicion', tags({ Desde: '06-03-2026', Hasta: '10-03-2026' })),
    ),
    ['A1', 'A2', 'A3'],
  ],
  [
    'open range',
    con('FechaExpedicionFactura', tag('RangoFechaExpedicion', tags({ Hasta: '06-03-2026' }))),
    ['A4'],
  ],
  ['page', con('ClavePaginacion', invoiceId('A2', '10-03-2026')), ['A3', 'A4']],
];
for (const [what, filter, expected] of filters) {
  test(`by ${what}`, async () => assert.deepEqual(numbers(await ask({ filter })), expected));
}

const refused: [expected: string, what: string, options: Parameters<typeof query>[0]][] = [
  ['Client 4102', 'a month that is none', { month: '13' }],
  ['Client 4112', "another's records", { nif: '89890001K' }],
  ['Client 4104', 'a wrong letter', { nif: '89890001A' }],
  ['Client 4116', 'no NIF', { nif: '123456789' }],
  ['Client 4132', 'as a recipient that one is not', { nif: '89890001K', as: 'Destinatario' }],
  [
    'Client 4106',
    'a day that is none',
    { filter: con('FechaExpedicionFactura', tag('FechaExpedicionFactura', '31-02-2026')) },
  ],
  [
    'Client 1250',
    'a range that ends before it begins',
    {
      filter: con(
        'FechaExpedicionFactura',
        tag('RangoFechaExpedicion', tags({ Desde: '10-03-2026', Hasta: '06-03-2026' })),
      ),
    },
  ],
];
for (const [expected, what, options] of refused) {
  test(`${what} is refused: ${expected}`, async () => assert.equal(faultOf(await ask(options)), expected));
}

test('a header without anyone is refused', async () => {
  const text = query().replace(/<sf:ObligadoEmision>.*<\/sf:ObligadoEmision>/, '');
  assert.equal(faultOf((await client.post(text, { sandbox })).text), 'Client 4102');
  assert.equal(faultOf((await client.post(text)).text), 'Client 4102', 'nor without a sandbox');
});

test('a recipient may ask, and finds nothing here', async () => {
  assert.deepEqual(valuesOf(await ask({ as: 'Destinatario' }), 'ResultadoConsulta'), ['SinDatos']);
});

test('pages go on from the key that ends them, and none is lost or told twice', async () => {
  const many = memoryStore();
  const [row] = await store.find(sandbox, [
    keyOf({ issuer: TAXPAYER, number: 'A1', issued_on: '10-03-2026' }),
  ]);
  assert.ok(row);
  const rows = Array.from({ length: 2500 }, (_, index) => {
    const number = String(index).padStart(5, '0');
    return { ...row, number, key: keyOf({ issuer: TAXPAYER, number, issued_on: '10-03-2026' }) };
  });
  await many.save('c', rows);
  const seen: string[] = [];
  let filter = '';
  let pages = 0;
  for (let is_last = false; !is_last; pages++) {
    const content = withDocument(query({ filter }), (root) => toTree(root).children.at(-1)?.children[0]);
    assert.ok(content && childOf(content, 'FiltroConsulta'));
    const text = await answerQuery(many, { company_id: 'c', nif: TAXPAYER, as: 'issuer', content }, 1200);
    const [told, key] = text.split('<q:ClavePaginacion>');
    seen.push(...numbers(told ?? ''));
    is_last = valuesOf(text, 'IndicadorPaginacion')[0] === 'N';
    filter = con('ClavePaginacion', (key ?? '').split('</q:ClavePaginacion>')[0] ?? '');
  }
  assert.equal(pages, 3);
  assert.deepEqual(
    seen,
    rows.map(({ number }) => number),
  );
});

test("answers are valid by the authority's schemas", { skip: skipWithoutSchemas }, async (t) => {
  const schemas = loadOfficialSchemas(officialSchemasFolder ?? '');
  t.after(() => schemas.dispose());
  for (const month of ['01', '02', '03']) {
    const inside = (await ask({ month })).replace(/^.*<env:Body>|<\/env:Body>.*$/g, '');
    const fault = withDocument(inside, (root) => schemas.faultIn(root, 'RespuestaConsultaLR.xsd'));
    assert.equal(fault, null, inside);
  }
});
