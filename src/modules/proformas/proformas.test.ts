/** What pro-forma invoices do besides what every family does (test/scenarios/sales-families.test.ts). */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import fc from 'fast-check';
import { startApp } from '../../../test/harness.ts';
import { checkOffers } from '../../../test/support/offer-checks.ts';
import { assertRefused } from '../../../test/support/resource-checks.ts';
import { proformas, proformasOperations } from './index.ts';

checkOffers({
  operations: proformasOperations,
  scopes: {
    list_proformas: ['proformas:read'],
    create_proforma: ['proformas:write'],
    get_proforma: ['proformas:read'],
    get_proforma_pdf: ['pdfs:read', 'proformas:read'],
    get_proforma_pdf_link: ['pdfs:read', 'proformas:read'],
    revoke_proforma_public_link: ['proformas:write'],
    update_proforma: ['proformas:write'],
    delete_proforma: ['proformas:delete'],
    duplicate_proforma: ['proformas:write'],
    send_proforma: ['proformas:send'],
    mark_proforma_pending: ['proformas:transition'],
    accept_proforma: ['proformas:transition'],
    reject_proforma: ['proformas:transition'],
    cancel_proforma: ['proformas:transition'],
    convert_proforma: ['proformas:transition'],
  },
  family: proformas,
  said: { accept: 'accepted' },
  enters: [],
});

const lines = [
  { description: 'Mesa', quantity: 3, unit_price: 33.33, tax_rate: 21 },
  { description: 'Libro', quantity: 1, unit_price: 9.99, tax_rate: 4 },
  { description: 'Curso', quantity: 1, unit_price: 50, exemption_reason: 'E1' },
];

async function given(t: TestContext) {
  const app = await startApp(t);
  app.clock.set('2026-11-22T12:00:00Z');
  const company = await app.given.company();
  // In the sandbox the simulator answers for the authority.
  const key = company.test_key;
  const send = (path: string, body: unknown = {}) => app.post(path, { key, body });
  const post = async (path: string, body: unknown = {}) => {
    const answer = await send(path, body);
    assert.ok(answer.status < 300, `${path}: ${answer.text}`);
    return answer.body.data;
  };
  const client = await post('/v1/clients', { name: 'Librería Norte', tax_id: 'B00000018' });
  const create = (more: object = {}) => post('/v1/proformas', { client_id: client.id, lines, ...more });
  const pending = (more: object = {}) => create({ options: { mark_pending: true }, ...more });
  const put = (path: string, body: unknown) => app.put(path, { key, body });
  const read = async (path: string) => (await app.get(path, { key })).body.data;
  return { app, company, key, client, send, post, create, pending, put, read };
}

test('given carriage, when a pro-forma is made, edited and copied, then its total includes the cost and its taxes do not', async (t) => {
  const { send, create, post, put, read } = await given(t);
  const bare = await create();
  const made = await create({ shipping_cost: 12.1, external_id: 'w-1' });
  assert.deepEqual(
    [made.shipping_cost, made.shipping_tax_rate, made.total, made.amount_due, made.tax_breakdown],
    [
      12.1,
      null,
      Number((bare.total + 12.1).toFixed(2)),
      Number((bare.total + 12.1).toFixed(2)),
      bare.tax_breakdown,
    ],
  );
  const path = `/v1/proformas/${made.id}`;
  assert.equal((await post(`${path}/duplicate`)).total, made.total);
  const edited = await put(path, { shipping_cost: 20, shipping_tax_rate: 21 });
  assert.deepEqual([edited.body.data.total, edited.body.data.version], [bare.total + 20, 2]);
  assert.deepEqual((await put(path, await read(path))).body.data, edited.body.data);
  assert.equal((await put(path, { shipping_cost: null })).body.data.total, bare.total);
  const body = { client_id: bare.client.id, lines, external_id: 'w-1' };
  assert.equal((await send('/v1/proformas', { ...body, shipping_cost: 12.1 })).status, 200);
  assert.equal((await send('/v1/proformas', { ...body, shipping_cost: '12.10' })).status, 422);
  assertRefused(
    await send('/v1/proformas', { ...body, shipping_cost: 12.11 }),
    409,
    'idempotency_key_reused',
    'external_id',
  );
  for (const shipping_cost of [-0.01, 1.001, 'x'])
    assertRefused(
      await send('/v1/proformas', { lines, shipping_cost }),
      422,
      'parameter_invalid',
      'shipping_cost',
    );
});

test('given carriage, when a pro-forma is converted, then the invoice has its total, and so has its record', async (t) => {
  const { app, company, key, post, pending, put, read } = await given(t);
  await app.put('/v1/verifactu/settings', { key, body: { enabled: true } });
  const proforma = await pending({ shipping_cost: 12.11 });
  const page = await app.get(new URL(proforma.public_url).pathname, {});
  for (const part of ['Envío con impuestos', '12,11', 'Este documento no es una factura.'])
    assert.ok(page.text.includes(part), part);
  const invoice = await post(`/v1/proformas/${proforma.id}/convert`);
  assert.deepEqual([invoice.total, invoice.lines.length], [proforma.total, 6]);
  const added = invoice.lines.slice(3);
  assert.deepEqual(
    added.map((line: { description: string; price_includes_tax: boolean }) => [
      line.description,
      line.price_includes_tax,
    ]),
    added.map(() => ['Gastos de envío', true]),
  );
  const sum = added.reduce((all: number, line: { unit_price: number }) => all + line.unit_price, 0);
  assert.equal(sum.toFixed(2), '12.11');
  const path = `/v1/invoices/${invoice.id}`;
  assert.deepEqual((await put(path, await read(path))).body.data, invoice);
  const edited = (await put(path, { notes: 'Otra' })).body.data;
  assert.deepEqual([edited.total, edited.tax_breakdown], [invoice.total, invoice.tax_breakdown]);
  const issued = await post(`${path}/issue`);
  assert.equal(issued.total, proforma.total);
  await app.service.worker.runDue(company.sandbox_company_id);
  const record = await read(`${path}/verifactu`);
  assert.equal(record.status, 'accepted', JSON.stringify(record));
  const paper = await app.get(new URL(issued.public_url).pathname, {});
  assert.ok(paper.text.includes('Gastos de envío'));
  assert.equal((await app.get(`${path}/pdf`, { key })).status, 200);
  const copy = await post(`${path}/duplicate`);
  assert.equal(copy.total, proforma.total);
});

test('given pro-formas in each language, when they are converted, then the carriage on the invoice is named in it', async (t) => {
  const { post, pending, put } = await given(t);
  const named: string[] = [];
  for (const language of ['es', 'ca', 'eu', 'gl', 'en']) {
    await put('/v1/account/company', { language });
    const { id } = await pending({ shipping_cost: 12.1, shipping_tax_rate: 21 });
    const invoice = await post(`/v1/proformas/${id}/convert`);
    named.push(invoice.lines.at(-1).description);
  }
  assert.deepEqual(named, [
    'Gastos de envío',
    'Despeses d’enviament',
    'Bidalketa-gastuak',
    'Gastos de envío',
    'Shipping',
  ]);
});

test('given only returns, when a pro-forma has carriage, then its rate must be said or be the default', async (t) => {
  const { app, key, send, post, create, pending, put, read } = await given(t);
  const setDefault = async (proforma: number | null) => {
    const answer = await app.put('/v1/account/company', { key, body: { default_vat: { proforma } } });
    assert.equal(answer.status, 200, answer.text);
  };
  const returned = [{ description: 'Devolución', quantity: -1, unit_price: 10, tax_rate: 21 }];
  const bare = await create({ lines: returned });
  for (const answer of [
    await send('/v1/proformas', { lines: returned, shipping_cost: 5 }),
    await put(`/v1/proformas/${bare.id}`, { shipping_cost: 5 }),
  ])
    assertRefused(answer, 422, 'missing_required_param', 'shipping_tax_rate');
  await setDefault(21);
  const proforma = await pending({ lines: returned, shipping_cost: 5 });
  // What was taken stays when the default goes, and may be sent back.
  await setDefault(null);
  const path = `/v1/proformas/${proforma.id}`;
  assert.deepEqual((await put(path, await read(path))).body.data, proforma);
  assertRefused(await send(`${path}/convert`), 422, 'missing_required_param', 'shipping_tax_rate');
  const run = await send(`${path}/convert`, { dry_run: true });
  assert.deepEqual(
    run.body.data.reasons.map(({ param }: { param: string }) => param),
    ['shipping_tax_rate'],
  );
  assert.equal((await read(path)).status, 'pending');
  await setDefault(10);
  const invoice = await post(`${path}/convert`);
  assert.deepEqual([invoice.total, invoice.lines[1].tax_rate], [proforma.total, 10]);
});

test('given a tax of the company for carriage, when it is stated, then its line has it, and what is no such tax is refused', async (t) => {
  const { app, company, send, post, create, pending, put, read } = await given(t);
  const igic = await post('/v1/taxes', { name: 'IGIC 7 %', kind: 'igic', rate: 7 });
  const exempt = await post('/v1/taxes', { name: 'Exento', kind: 'vat', exemption_reason: 'E1' });
  const retention = await post('/v1/taxes', { name: 'IRPF', kind: 'retention', rate: 15 });
  const foreign = await app.post('/v1/taxes', {
    key: company.live_key,
    body: { name: 'IVA', kind: 'vat', rate: 21 },
  });
  const proforma = await pending({ shipping_cost: 10.7, shipping_taxes_id: igic.id });
  assert.deepEqual([proforma.shipping_taxes_id, proforma.shipping_tax_rate], [igic.id, 7]);
  const path = `/v1/proformas/${proforma.id}`;
  assert.deepEqual((await put(path, await read(path))).body.data, proforma);
  const invoice = await post(`${path}/convert`);
  const carriage = invoice.lines[3];
  assert.deepEqual(
    [
      invoice.total,
      invoice.lines.length,
      carriage.tax_kind,
      carriage.taxes_id,
      carriage.subtotal,
      carriage.taxes,
    ],
    [proforma.total, 4, 'igic', igic.id, 10, 0.7],
  );
  const other = await create({ shipping_cost: 10, shipping_taxes_id: exempt.id });
  assert.deepEqual([other.shipping_taxes_id, other.shipping_tax_rate], [exempt.id, null]);
  const changed = await put(`/v1/proformas/${other.id}`, { shipping_tax_rate: 21 });
  assert.deepEqual([changed.body.data.shipping_taxes_id, changed.body.data.shipping_tax_rate], [null, 21]);
  const none = await put(`/v1/proformas/${other.id}`, { shipping_taxes_id: null, shipping_tax_rate: null });
  assert.deepEqual([none.body.data.shipping_taxes_id, none.body.data.shipping_tax_rate], [null, null]);
  for (const shipping_taxes_id of [retention.id, foreign.body.data.id, proforma.id])
    assertRefused(
      await send('/v1/proformas', { lines, shipping_taxes_id }),
      422,
      'parameter_invalid',
      'shipping_taxes_id',
    );
  assertRefused(
    await send('/v1/proformas', { lines, shipping_taxes_id: igic.id, shipping_tax_rate: 21 }),
    422,
    'business_rule_violation',
    'shipping_tax_rate',
  );
});

test('given carriage of an exemption of goods, when it is billed, then it goes with the goods', async (t) => {
  const { post } = await given(t);
  const tax = await post('/v1/taxes', { name: 'Intra', kind: 'vat', rate: 0, exemption_reason: 'E5' });
  const buyer = await post('/v1/clients', { name: 'Société Exemple', vat_id: 'FR40303265045' });
  const sold = [{ description: 'Libro', unit_price: 100, taxes_id: tax.id }];
  const body = { client_id: buyer.id, lines: sold, shipping_cost: 50, shipping_taxes_id: tax.id };
  const proforma = await post('/v1/proformas', { ...body, options: { mark_pending: true } });
  const invoice = await post(`/v1/proformas/${proforma.id}/convert`);
  assert.equal(invoice.lines[1].kind, 'good');
  assert.equal((await post(`/v1/invoices/${invoice.id}/issue`)).total, 150);
});

test('given carriage that could never be billed, when a pro-forma has it, then it is refused at once', async (t) => {
  const { app, key, send, post, put, pending } = await given(t);
  await app.put('/v1/account/company', { key, body: { default_vat: { proforma: 21 } } });
  const rule = 'business_rule_violation';
  const over = await post('/v1/taxes', { name: 'Antiguo', kind: 'vat', rate: 21, valid_to: '2020-12-31' });
  const sold = [{ description: 'Libro', unit_price: 100, tax_rate: 21 }];
  const charged = [{ ...sold[0], surcharge_rate: 5.2 }];
  const back = { ...charged[0], quantity: -1 };
  const huge = [{ description: 'Casa', unit_price: 826446280991.73, tax_rate: 21 }];
  const taken = { ...huge[0], quantity: -1, tax_rate: 10 };
  const many = Array.from({ length: 500 }, () => sold[0]);
  for (const [body, code, param] of [
    [{ lines: sold, shipping_cost: 10, shipping_taxes_id: over.id }, rule, 'shipping_taxes_id'],
    [{ lines: charged, shipping_cost: 10, shipping_tax_rate: 21 }, rule, 'shipping_tax_rate'],
    [{ lines: huge, shipping_cost: 999999999999.99 }, 'parameter_invalid', 'shipping_cost'],
    // The total would fit, and a row would not.
    [{ lines: [...huge, taken], shipping_cost: 999999999999.99 }, 'parameter_invalid', 'shipping_cost'],
    [{ lines: many, shipping_cost: 10 }, rule, 'lines'],
    [
      { lines: [...many.slice(1), { ...sold[0], tax_rate: 10 }], shipping_cost: 10, shipping_tax_rate: 21 },
      rule,
      'lines',
    ],
    // Their surcharges cancel each other.
    [{ lines: [...charged, back], shipping_cost: 10, shipping_tax_rate: 21 }, rule, 'shipping_tax_rate'],
    [{ lines: [...charged, back], shipping_cost: 10 }, rule, 'shipping_cost'],
    [{ lines: [back], shipping_cost: 10 }, rule, 'shipping_cost'],
    [{ lines: sold, shipping_cost: 10, shipping_tax_rate: 17 }, rule, 'shipping_tax_rate'],
  ] as const) {
    assertRefused(await send('/v1/proformas', body), 422, code, param);
    const { lines: wanted, ...carriage } = body;
    const made = await post('/v1/proformas', { lines: wanted });
    assertRefused(await put(`/v1/proformas/${made.id}`, carriage), 422, code, param);
    const run = await send('/v1/proformas', { ...body, options: { dry_run: true } });
    assert.deepEqual(
      run.body.data.reasons.map((reason: { param: string }) => reason.param),
      [param],
    );
  }
  // One line less, and an edit that brings it back.
  const most = await pending({ lines: many.slice(1), shipping_cost: 10 });
  assertRefused(await put(`/v1/proformas/${most.id}`, { lines: many }), 422, rule, 'lines');
  assert.equal((await post(`/v1/proformas/${most.id}/convert`)).lines.length, 500);
  const shared = await send('/v1/proformas', { lines: charged, shipping_cost: 10 });
  assert.equal(shared.status, 201, shared.text);
});

test('given a pro-forma with carriage that was edited, when its first request comes again, then it is replayed', async (t) => {
  const { send, put, post } = await given(t);
  const sold = [{ description: 'Libro', unit_price: 100, tax_rate: 21 }];
  const body = { lines: sold, shipping_cost: 10, external_id: 'w-2' };
  const made = await post('/v1/proformas', body);
  const other = [{ description: 'Libro', unit_price: 200, tax_rate: 21 }];
  assert.equal((await put(`/v1/proformas/${made.id}`, { lines: other })).status, 200);
  // Spelled otherwise: the total tells.
  const spelled = { ...body, lines: [{ description: 'Libro', quantity: 2, unit_price: 50, tax_rate: 21 }] };
  const again = await send('/v1/proformas', spelled);
  assert.deepEqual([again.status, again.body.data?.id], [200, made.id], again.text);
});

const soldLine = fc.record({
  description: fc.constant('Libro'),
  quantity: fc.constantFrom(-2, -1, 1, 3),
  unit_price: fc.integer({ min: 0, max: 99_999 }).map((cents) => cents / 100),
  tax: fc.constantFrom<object[]>(
    { tax_rate: 21 },
    { tax_rate: 4 },
    { tax_rate: 21, surcharge_rate: 5.2 },
    { tax_rate: 10, surcharge_rate: 1.4 },
    { tax_rate: 0, qualification: 'S2' },
    { exemption_reason: 'E1' },
  ),
});
const carriages = fc.record({
  shipping_cost: fc.integer({ min: 1, max: 9_999 }).map((cents) => cents / 100),
  tax: fc.constantFrom<object[]>({}, {}, { shipping_tax_rate: 21 }, { shipping_tax_rate: 4 }),
});

test('given any pro-forma with carriage, when it is taken, then it is converted to the cent', async (t) => {
  const { app, key, send, post, client } = await given(t);
  const seen = { taken: 0, refused: 0 };
  for (const proforma of [null, 21]) {
    await app.put('/v1/account/company', { key, body: { default_vat: { proforma } } });
    await fc.assert(
      fc.asyncProperty(
        fc.array(soldLine, { minLength: 1, maxLength: 4 }),
        carriages,
        async (sold, { shipping_cost, tax: shipping_tax }) => {
          const body = {
            client_id: client.id,
            lines: sold.map(({ tax, ...line }) => ({ ...line, ...tax })),
            shipping_cost,
            ...shipping_tax,
            options: { mark_pending: true },
          };
          const answer = await send('/v1/proformas', body);
          if (answer.status !== 201) {
            assert.match(answer.body.error.param, /^shipping_/, answer.text);
            seen.refused += 1;
            return;
          }
          const { id, total } = answer.body.data;
          const invoice = await post(`/v1/proformas/${id}/convert`);
          assert.equal(invoice.total, total);
          seen.taken += 1;
        },
      ),
      { numRuns: 30 },
    );
  }
  assert.ok(seen.taken > 10 && seen.refused > 5, JSON.stringify(seen));
});
