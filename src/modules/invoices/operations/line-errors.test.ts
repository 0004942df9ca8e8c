/**
 * An error from one line carries its `line_index`; `param` names the field of the line, or of the document when the fault is
 * there (docs/conventions.md).
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, type App, startApp } from '../../../../test/harness.ts';
import { create } from '../../../../test/support/resource-checks.ts';

type Json = Record<string, unknown>;
const good = { description: 'Consultoría', unit_price: 100, tax_rate: 21 };
const nobody = '019a0000-0000-7000-8000-000000000000';

async function referred(app: App, key: string) {
  const made = (path: string, body: Json) => create(app, path, key, body);
  const archived = await made('/v1/products', { name: 'Mesa', unit_price: 1 });
  await app.put(`/v1/products/${archived.id}`, { key, body: { is_active: false } });
  const ids = {
    archived: archived.id,
    retention: (await made('/v1/taxes', { name: 'IRPF', kind: 'retention', rate: 15 })).id,
    igic: (await made('/v1/taxes', { name: 'IGIC', kind: 'igic', rate: 7 })).id,
    ended: (await made('/v1/taxes', { name: 'Antiguo', kind: 'vat', rate: 10, valid_to: '2020-01-01' })).id,
    company: (await made('/v1/clients', { name: 'Norte SL', tax_id: 'A58818501' })).id,
    council: (await made('/v1/clients', { name: 'Ayuntamiento', tax_id: 'P2807900B' })).id,
    foreign: (await made('/v1/clients', { name: 'Nord GmbH', vat_id: 'DE136695976' })).id,
  };
  return ids;
}
type Ids = Awaited<ReturnType<typeof referred>>;
type Row = [what: string, line: Json | ((ids: Ids) => Json), code: string, param: string, document?: Json];

const rule = 'business_rule_violation';
const missing = 'missing_required_param';
const invalid = 'parameter_invalid';
const shifted = 'amount_reconciliation_failed';
const gross = { prices_include_tax: true };

/** Any document refuses these. `param` is in the second line unless it begins with a slash. */
const ofLines: Row[] = [
  ['no description', { description: undefined }, missing, 'description'],
  ['no price', { unit_price: undefined }, missing, 'unit_price'],
  ['no rate and no default one', { tax_rate: undefined, tax_kind: 'igic' }, missing, 'tax_rate'],
  ['a product that is none', { product_id: nobody }, invalid, 'product_id'],
  ['a product archived', ({ archived }) => ({ product_id: archived }), invalid, 'product_id'],
  ['a tax that is none', { taxes_id: nobody }, invalid, 'taxes_id'],
  ['a retention for a tax', ({ retention }) => ({ taxes_id: retention }), invalid, 'taxes_id'],
  ['a tax no longer in force', ({ ended }) => ({ taxes_id: ended }), rule, 'taxes_id'],
  ['a tax of another kind', ({ igic }) => ({ taxes_id: igic, tax_kind: 'vat' }), rule, 'tax_kind'],
  ['an id on a new document', { id: nobody }, invalid, 'id'],
  ['a variant that is none', { variant_id: nobody }, invalid, 'variant_id'],
  ['a presentation that is none', { presentation_id: nobody }, invalid, 'presentation_id'],
  [
    'an option that is none',
    { options: [{ group_id: nobody, value_id: nobody }] },
    invalid,
    'options.0.value_id',
  ],
  ['an expense that is none', { linked_expense_ids: [nobody] }, invalid, 'linked_expense_ids.0'],
  ['a cause of another tax', { tax_rate: null, exemption_reason: 'E7' }, rule, 'exemption_reason'],
  ['a key of another tax', { regime_key: '21' }, rule, 'regime_key'],
  ['a key on another kind', { tax_kind: 'other', regime_key: '01' }, rule, 'regime_key'],
  ['both cause and qualification', { exemption_reason: 'E1', qualification: 'S1' }, rule, 'qualification'],
  ['exempt with a rate', { exemption_reason: 'E1' }, rule, 'tax_rate'],
  ['reverse charge with a rate', { qualification: 'S2' }, rule, 'tax_rate'],
  ['a rate that is none', { tax_rate: 18 }, rule, 'tax_rate'],
  ['premises at another rate', { tax_rate: 10, regime_key: '11' }, rule, 'tax_rate'],
  ['a surcharge of another rate', { surcharge_rate: 1.4 }, rule, 'surcharge_rate'],
  ['a regime that does not admit it', { regime_key: '02' }, rule, 'regime_key'],
  ['an amount too large', { quantity: 999_999_999, unit_price: 999_999 }, invalid, 'total'],
  ['a retention in a price with tax', { retention_rate: 15 }, shifted, 'retention_rate', gross],
  ['a surcharge in a price with tax', { surcharge_rate: 5.2 }, shifted, 'surcharge_rate', gross],
];

const ofIssue: [...Row, client?: keyof Ids | null][] = [
  [
    'reverse charge to nobody',
    { tax_rate: 0, qualification: 'S2' },
    rule,
    'qualification',
    { type: 'F2' },
    null,
  ],
  ['a group of entities to nobody', { regime_key: '06' }, rule, 'regime_key', { type: 'F2' }, null],
  ['collections in a ticket', collects(), rule, 'regime_key', { type: 'F2' }, null],
  ['collections from abroad', collects(), rule, '/client_id', {}, 'foreign'],
  ['works done already', { regime_key: '14' }, rule, '/operation_on', {}, 'council'],
  [
    'works for a company',
    { regime_key: '14' },
    rule,
    '/client_id',
    { operation_on: '2199-01-01' },
    'company',
  ],
  [
    'works in a ticket',
    { regime_key: '14' },
    rule,
    'regime_key',
    { type: 'F2', operation_on: '2199-01-01' },
    null,
  ],
  ['an intra-community delivery at home', { tax_rate: null, exemption_reason: 'E5' }, rule, '/client_id'],
];

function collects(): Json {
  return { tax_rate: null, qualification: 'N1', regime_key: '10' };
}

function assertOfLine({ status, body, text }: Answer, code: string, param: string, at: number) {
  const expected = param.startsWith('/') ? param.slice(1) : `lines.${at}.${param}`;
  const { error } = body;
  assert.deepEqual([status, error?.code, error?.param, error?.line_index], [422, code, expected, at], text);
}

test('given an error from a line, when drafts are created, put or bulk-created, then line_index and param name its place', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const ids = await referred(app, key);
  const draft = await create(app, '/v1/invoices', key, { lines: [good] });
  for (const [what, line, code, param, document = {}] of ofLines) {
    const faulty = { ...good, ...(typeof line === 'function' ? line(ids) : line) };
    const body = { ...document, lines: [good, faulty] };
    await t.test(what, async () => {
      assertOfLine(await app.post('/v1/invoices', { key, body }), code, param, 1);
      assertOfLine(await app.put(`/v1/invoices/${draft.id}`, { key, body }), code, param, 1);
      const dry = await app.post('/v1/invoices', {
        key,
        body: { client_id: ids.company, ...body, options: { dry_run: true } },
      });
      const { param: expected } = (await app.post('/v1/invoices', { key, body })).body.error;
      assert.ok(
        dry.body.data.reasons.some(
          (one: Json) => one.code === code && one.param === expected && one.line_index === 1,
        ),
        dry.text,
      );
      const many = await app.post('/v1/invoices/bulk-create', {
        key,
        body: { invoices: [{ type: 'F2', ...body }] },
      });
      const [failure] = many.body.data.failures;
      assert.deepEqual(
        [failure?.error_code, failure?.param, failure?.line_index],
        [code, expected, 1],
        many.text,
      );
    });
  }
});

test('given an error from a line and its client, day or type, when it is issued, then line_index and param name its place', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const ids = await referred(app, key);
  for (const [what, line, code, param, document = {}, client = 'company'] of ofIssue) {
    const body = {
      ...(client && { client_id: ids[client] }),
      ...document,
      lines: [good, { ...good, ...line }],
    };
    await t.test(what, async () => {
      const draft = await create(app, '/v1/invoices', key, body);
      assertOfLine(await app.post(`/v1/invoices/${draft.id}/issue`, { key }), code, param, 1);
      const at_once = { ...body, options: { issue: true } };
      assertOfLine(await app.post('/v1/invoices', { key, body: at_once }), code, param, 1);
    });
  }
});

test('given lines that an edit or a corrective may not have, when sent, then the error carries line_index', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const client_id = (await create(app, '/v1/clients', key, { name: 'Norte SL' })).id;
  const draft = await create<{ id: string; lines: Json[] }>(app, '/v1/invoices', key, {
    client_id,
    lines: [good, good],
  });
  const [first, second] = draft.lines;
  for (const [lines, code, param] of [
    [[first, { ...second, id: nobody }], invalid, 'id'],
    [[first, first], invalid, 'id'],
    [[first, { ...second, total: 1 }], invalid, 'total'],
    [[first, { ...good, total: 1 }], invalid, 'total'],
    [[first, { id: second?.id, exemption_reason: 'E7' }], rule, 'exemption_reason'],
  ] as const) {
    assertOfLine(await app.put(`/v1/invoices/${draft.id}`, { key, body: { lines } }), code, param, 1);
  }
  const invoice = await create(app, '/v1/invoices', key, {
    client_id,
    lines: [good, good],
    options: { issue: true },
  });
  for (const [line, code, param] of [
    [{ id: nobody }, invalid, 'id'],
    [{ tax_rate: 18 }, rule, 'tax_rate'],
    [{ regime_key: '02' }, rule, 'regime_key'],
    [{ exemption_reason: 'E5' }, rule, '/client_id'],
  ] as const) {
    const lines = [{ quantity: -1 }, { quantity: -1, ...line }];
    const body = { correction: { type: 'differences' }, lines };
    const wanted = param === '/client_id' ? { ...body, lines } : body;
    const answer = await app.post(`/v1/invoices/${invoice.id}/corrective`, { key, body: wanted });
    assertOfLine(answer, code, param, 1);
  }
  const problem = await app.post('/v1/invoices', {
    key,
    headers: { Accept: 'application/problem+json' },
    body: { lines: [good, { ...good, tax_rate: 18 }] },
  });
  assert.deepEqual([problem.body.param, problem.body.line_index], ['lines.1.tax_rate', 1], problem.text);
});
