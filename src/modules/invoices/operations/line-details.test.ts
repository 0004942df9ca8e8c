/** What few lines have: an edit keeps what it does not replace, and a copy keeps what is not a link. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, startApp } from '../../../../test/harness.ts';
import { create } from '../../../../test/support/resource-checks.ts';

const id = (end: number) => `019a0000-0000-7000-8000-00000000000${end}`;
const catalogue = {
  variant: { id: id(1), name: 'Roja' },
  presentation: { id: id(2), name: 'Caja', factor: 12 },
  options: [{ group: { id: id(3), name: 'Grabado' }, value: { id: id(4), name: 'Láser' }, price_delta: 2.5 }],
};
const pack = { original_pack_data: { name: 'Lote', price: 10 } };
const links = {
  linked_expenses: [{ id: id(5), number: 'R-7' }],
  source: { object: 'delivery_note', id: id(6), number: 'A-1', operation_on: '2026-11-02', line_id: id(7) },
};
const details = { ...catalogue, ...pack, ...links };
const none = {
  variant: null,
  presentation: null,
  options: [],
  linked_expenses: [],
  original_pack_data: null,
  source: null,
};

type Line = Record<string, unknown>;

function detailsOf(line: Line): Line {
  return Object.fromEntries(Object.keys(none).map((name) => [name, line[name]]));
}

/** Stores the details itself, so the product has none: lines keep what it has lost. */
async function givenDraft(app: App) {
  const company = await app.given.company();
  const key = company.live_key;
  const product = await create(app, '/v1/products', key, { name: 'Taza', unit_price: 5 });
  const made = await create(app, '/v1/invoices', key, {
    lines: [
      { product_id: product.id, tax_rate: 21 },
      { description: 'Porte', unit_price: 3, tax_rate: 21 },
    ],
  });
  const [first] = made.lines as unknown as [Line & { id: string }];
  assert.deepEqual(detailsOf(first), none);
  await app.sql`
    update invoice_lines set details = ${app.sql.json(details as never)}
     where company_id = ${company.company_id} and id = ${first.id}`;
  const path = `/v1/invoices/${made.id}`;
  const stored = (await app.get(path, { key })).body.data;
  return { key, path, stored };
}

async function put(app: App, { key, path, stored }: Awaited<ReturnType<typeof givenDraft>>, change: Line) {
  const [first, second] = stored.lines;
  return app.put(path, { key, body: { lines: [{ id: first.id, ...change }, second] } });
}

test('given a line with details, when what was read is put back, then nothing changes', async (t) => {
  const app = await startApp(t);
  const draft = await givenDraft(app);
  assert.deepEqual(detailsOf(draft.stored.lines[0]), details);
  const res = await app.put(draft.path, { key: draft.key, body: draft.stored });
  assert.equal(res.status, 200, res.text);
  assert.deepEqual(res.body.data, draft.stored);
});

const edits: [what: string, change: Line, left: Line][] = [
  ['another quantity', { quantity: 3 }, details],
  ['its own variant', { variant_id: id(1) }, details],
  ['no variant', { variant_id: null }, { ...details, variant: null }],
  ['no presentation', { presentation_id: null }, { ...details, presentation: null }],
  ['its own option', { options: [{ group_id: id(3), value_id: id(4) }] }, details],
  ['its own option without the group', { options: [{ value_id: id(4) }] }, details],
  ['no option', { options: [] }, { ...details, options: [] }],
  ['its own expense', { linked_expense_ids: [id(5)] }, details],
  ['no expense', { linked_expense_ids: [] }, { ...details, linked_expenses: [] }],
  [
    'no product',
    { product_id: null, description: 'Taza', unit_price: 5, tax_rate: 21 },
    { ...none, ...pack, ...links },
  ],
];

for (const [what, change, left] of edits) {
  test(`given a line with details, when ${what} is put, then the rest is kept`, async (t) => {
    const app = await startApp(t);
    const res = await put(app, await givenDraft(app), change);
    assert.equal(res.status, 200, res.text);
    assert.deepEqual(detailsOf(res.body.data.lines[0]), left);
  });
}

const refused: [change: Line, param: string][] = [
  [{ variant_id: id(9) }, 'lines.0.variant_id'],
  [{ presentation_id: id(9) }, 'lines.0.presentation_id'],
  [{ options: [{ group_id: id(3), value_id: id(9) }] }, 'lines.0.options.0.value_id'],
  [{ options: [{ group_id: id(9), value_id: id(4) }] }, 'lines.0.options.0.value_id'],
  [{ options: [{ group_id: id(3) }] }, 'lines.0.options.0.group_id'],
  [{ linked_expense_ids: [id(5), id(9)] }, 'lines.0.linked_expense_ids.1'],
  [{ source: null }, 'lines.0.source'],
  [{ original_pack_data: { name: 'Otro' } }, 'lines.0.original_pack_data'],
  [{ variant: { ...catalogue.variant, name: 'Azul' } }, 'lines.0.variant'],
];

for (const [change, param] of refused) {
  test(`given a line with details, when ${JSON.stringify(change)} is put, then ${param} is refused`, async (t) => {
    const app = await startApp(t);
    const draft = await givenDraft(app);
    const res = await put(app, draft, change);
    assert.equal(res.status, 422, res.text);
    const { code, param: named, line_index } = res.body.error;
    assert.deepEqual([code, named, line_index], ['parameter_invalid', param, 0]);
    assert.deepEqual((await app.get(draft.path, { key: draft.key })).body.data, draft.stored);
  });
}

test('given a line with details, when its invoice is copied, then its links are not', async (t) => {
  const app = await startApp(t);
  const { key, path } = await givenDraft(app);
  const copy = await app.post(`${path}/duplicate`, { key });
  assert.equal(copy.status, 201, copy.text);
  assert.deepEqual(detailsOf(copy.body.data.lines[0]), { ...none, ...catalogue, ...pack });
});
