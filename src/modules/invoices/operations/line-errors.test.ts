/**
 * An error from one line carries its `line_index`; `param` names the field of the line, or of the document when the fault is
 * there (docs/conventions.md).
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, startApp } from '../../../../test/harness.ts';
import {
  assertOfLine,
  faultyLine,
  givenReferred,
  goodLine as good,
  lineFaults,
  malformedLines,
} from '../../../../test/support/line-faults.ts';
import { create } from '../../../../test/support/resource-checks.ts';

type Json = Record<string, unknown>;
const nobody = '019a0000-0000-7000-8000-000000000000';

/** With clients, for what is asked at the issue. */
async function referred(app: App, key: string) {
  const made = async (body: Json) => (await create(app, '/v1/clients', key, body)).id;
  return {
    company: await made({ name: 'Norte SL', tax_id: 'A58818501' }),
    council: await made({ name: 'Ayuntamiento', tax_id: 'P2807900B' }),
    foreign: await made({ name: 'Nord GmbH', vat_id: 'DE136695976' }),
  };
}
type Ids = Awaited<ReturnType<typeof referred>>;
type Row = [what: string, line: Json, code: string, param: string, document?: Json];

const rule = 'business_rule_violation';
const invalid = 'parameter_invalid';

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

test('given an error from a line, when it is tried dry or in bulk, then line_index and param name its place', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const ids = await givenReferred(app, key);
  const client_id = (await referred(app, key)).company;
  for (const [what, line, code, param, document = {}] of lineFaults) {
    const body = { ...document, lines: [good, faultyLine(line, ids)] };
    await t.test(what, async () => {
      const options = { dry_run: true };
      const dry = await app.post('/v1/invoices', { key, body: { client_id, ...body, options } });
      const expected = `lines.1.${param}`;
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
  for (const [line, member] of [
    [{ ...good, unit_price: 'one' }, 'unit_price'],
    [7, '/lines.1'],
  ] as const) {
    const body = { client_id, lines: [good, line] };
    const alone = await app.post('/v1/invoices', { key, body });
    assertOfLine(alone, invalid, member, 1);
    const many = await app.post('/v1/invoices/bulk-create', { key, body: { invoices: [body] } });
    const { param, line_index, errors } = alone.body.error;
    const [failure] = many.body.data.failures;
    assert.deepEqual([failure.param, failure.line_index, failure.errors], [param, line_index, errors]);
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
    [[first, { ...second, colour: 1 }], invalid, 'colour'],
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
    [{ colour: 1 }, invalid, 'colour'],
  ] as const) {
    const lines = [{ quantity: -1 }, { quantity: -1, ...line }];
    const body = { correction: { type: 'differences' }, lines };
    const wanted = param === '/client_id' ? { ...body, lines } : body;
    const answer = await app.post(`/v1/invoices/${invoice.id}/corrective`, { key, body: wanted });
    assertOfLine(answer, code, param, 1);
  }
  for (const [what, line, code, param] of malformedLines) {
    const body = { type: 'F2', lines: [good, faultyLine(line, {} as never), { ...good, colour: 1 }] };
    assertOfLine(await app.post('/v1/invoices', { key, body }), code, param, 1, what);
  }
  const of_document = await app.post('/v1/invoices', { key, body: { colour: 1, lines: [{ colour: 1 }] } });
  assert.deepEqual([of_document.body.error.param, of_document.body.error.line_index], ['colour', undefined]);
  const problem = await app.post('/v1/invoices', {
    key,
    headers: { Accept: 'application/problem+json' },
    body: { lines: [good, { ...good, tax_rate: 18 }] },
  });
  assert.deepEqual([problem.body.param, problem.body.line_index], ['lines.1.tax_rate', 1], problem.text);
});
