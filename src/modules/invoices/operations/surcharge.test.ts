/** The equivalence surcharge is charged on goods alone (LIVA, art. 156), on invoices of their own (RD 1619/2012, art. 16.4). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, startApp } from '../../../../test/harness.ts';
import { recordingCompany } from '../../../../test/support/recording-company.ts';
import { assertRefused, create } from '../../../../test/support/resource-checks.ts';

type Json = Record<string, unknown>;
type Draft = { id: string; client: Json; lines: (Json & { id: string })[] };

const line = { description: 'Género', unit_price: 100, tax_rate: 21 };
const service = { ...line, description: 'Transporte', kind: 'service' };
const shop = { name: 'Mercería Sol', tax_id: '12345678Z' };

async function given(app: App) {
  const { live_key: key } = await app.given.company();
  const client = (fields: Json = {}) => create(app, '/v1/clients', key, { ...shop, ...fields });
  const product = (kind: string) => create(app, '/v1/products', key, { name: kind, kind, unit_price: 100 });
  const invoice = (body: Json) => create<Draft>(app, '/v1/invoices', key, body);
  const put = (path: string, body: Json) => app.put(path, { key, body });
  const issue = (id: string) => app.post(`/v1/invoices/${id}/issue`, { key });
  const canIssue = (id: string) => app.post(`/v1/invoices/${id}/can-issue`, { key });
  return { key, client, product, invoice, put, issue, canIssue };
}

const told = ({ lines }: Draft) => lines.map(({ kind, surcharge_rate }) => [kind, surcharge_rate]);

test('given a client with surcharge, when lines are goods and services, then only goods take it', async (t) => {
  const app = await startApp(t);
  const { client, product, invoice } = await given(app);
  const { id: client_id } = await client({ is_surcharge_subject: true });
  const [good, work] = [await product('good'), await product('service')];
  const draft = await invoice({
    client_id,
    lines: [
      line,
      { ...line, kind: 'good' },
      { ...line, kind: null },
      service,
      { product_id: good.id, tax_rate: 21 },
      { product_id: work.id, tax_rate: 21 },
      { product_id: work.id, tax_rate: 21, kind: 'good' },
    ],
  });
  assert.deepEqual(told(draft), [
    ['good', 5.2],
    ['good', 5.2],
    ['good', 5.2],
    ['service', null],
    ['good', 5.2],
    ['service', null],
    ['good', 5.2],
  ]);
});

test('given the regime surcharge, when a client is invoiced, then the surcharge is charged as with the mark', async (t) => {
  const app = await startApp(t);
  const { client, invoice } = await given(app);
  const { id: client_id } = await client({ preferred_operation_regime: 'surcharge' });
  assert.deepEqual(told(await invoice({ client_id, lines: [line] })), [['good', 5.2]]);
});

test('given a service, when a surcharge is said for it, then the line is refused', async (t) => {
  const app = await startApp(t);
  const { key } = await given(app);
  const body = { lines: [line, { ...service, surcharge_rate: 5.2 }] };
  const answer = await app.post('/v1/invoices', { key, body });
  assertRefused(answer, 422, 'business_rule_violation', 'lines.1.surcharge_rate');
  assert.equal(answer.body.error.line_index, 1);
});

for (const [what, others, is_refused] of [
  ['a service', [service], true],
  ['a good that it says is without', [{ ...line, surcharge_rate: 0 }], true],
  ['an exempt line', [{ ...line, tax_rate: null, exemption_reason: 'E1' }], true],
  ['goods at another rate', [{ ...line, tax_rate: 10 }], false],
  ['goods at the rate 0, which has no surcharge', [{ ...line, tax_rate: 0 }], false],
  ['a line without amount', [{ ...service, unit_price: 0 }], false],
] as const) {
  test(`given goods with surcharge beside ${what}, when it is issued, then ${is_refused ? '422 names lines' : 'it is issued'}`, async (t) => {
    const app = await startApp(t);
    const { key, client, invoice, issue, canIssue } = await given(app);
    const { id: client_id } = await client({ is_surcharge_subject: true });
    const asked = { client_id, lines: [line, ...others] };
    const draft = await invoice(asked);
    const dry = await canIssue(draft.id);
    const answers = [
      await issue(draft.id),
      await app.post('/v1/invoices', { key, body: { ...asked, options: { issue: true } } }),
    ];
    assert.equal(dry.body.data.can_issue, !is_refused, dry.text);
    for (const answer of answers)
      if (is_refused) assertRefused(answer, 422, 'business_rule_violation', 'lines');
      else assert.ok(answer.status < 300, answer.text);
  });
}

test('given a surcharge, when the client has no NIF, then it is not issued: whoever is subject is a Spanish retailer', async (t) => {
  const app = await startApp(t);
  const { client, invoice, issue, put } = await given(app);
  const { id: client_id } = await client({ tax_id: null, is_surcharge_subject: true });
  for (const type of ['F1', 'F2']) {
    const draft = await invoice({ type, client_id, lines: [line] });
    assertRefused(await issue(draft.id), 422, 'business_rule_violation', 'client_id');
  }
  const services = await invoice({ client_id, lines: [service] });
  assert.equal((await issue(services.id)).status, 200, 'services carry none');
  const draft = await invoice({ client_id, lines: [line] });
  await put(`/v1/clients/${client_id}`, { tax_id: shop.tax_id });
  assert.equal((await issue(draft.id)).status, 200);
});

test('given a surcharge and VeriFactu, when the client has no identification, then the record refuses it, as without surcharge', async (t) => {
  const app = await startApp(t);
  const { key } = await recordingCompany(app);
  const passport = { type: 'passport', value: 'X1', country_code: 'FR' };
  for (const [fields, code] of [
    [{}, 'verifactu_not_eligible'],
    [{ alternative_id: passport }, 'business_rule_violation'],
  ] as const) {
    const client = await create(app, '/v1/clients', key, {
      name: 'Sol',
      is_surcharge_subject: true,
      ...fields,
    });
    const body = { client_id: client.id, lines: [line], options: { issue: true } };
    assertRefused(await app.post('/v1/invoices', { key, body }), 422, code, 'client_id');
  }
});

for (const [from, to] of [
  [false, true],
  [true, false],
] as const) {
  test(`given a draft, when its client ${to ? 'becomes' : 'is no longer'} subject to the surcharge, then it is issued only after a look at it`, async (t) => {
    const app = await startApp(t);
    const { client, invoice, issue, put, canIssue } = await given(app);
    const { id: client_id } = await client({ is_surcharge_subject: from });
    const draft = await invoice({ client_id, lines: [line] });
    await put(`/v1/clients/${client_id}`, { is_surcharge_subject: to });
    assertRefused(await issue(draft.id), 422, 'business_rule_violation', 'lines.0.surcharge_rate');
    assert.equal((await canIssue(draft.id)).body.data.can_issue, false);
    const kept = await put(`/v1/invoices/${draft.id}`, {});
    assert.deepEqual(told(kept.body.data), [['good', to ? 5.2 : null]]);
    assert.equal((await issue(draft.id)).status, 200);
  });
}

test('given a draft whose line says its surcharge, when the client becomes subject, then it is issued as it says', async (t) => {
  const app = await startApp(t);
  const { client, invoice, issue, put } = await given(app);
  const { id: client_id } = await client();
  const draft = await invoice({ client_id, lines: [{ ...line, surcharge_rate: 0 }] });
  await put(`/v1/clients/${client_id}`, { is_surcharge_subject: true });
  assert.equal((await issue(draft.id)).status, 200);
});

test('given a product on a draft, when it turns out to be a service, then the draft is not issued with its surcharge', async (t) => {
  const app = await startApp(t);
  const { client, product, invoice, issue, put } = await given(app);
  const { id: client_id } = await client({ is_surcharge_subject: true });
  const { id: product_id } = await product('good');
  const said = { product_id, tax_rate: 21, kind: 'good' };
  const drafts = [
    await invoice({ client_id, lines: [{ product_id, tax_rate: 21 }] }),
    await invoice({ client_id, lines: [said] }),
  ] as const;
  await put(`/v1/products/${product_id}`, { kind: 'service' });
  const [derived, stated] = drafts;
  assertRefused(await issue(derived.id), 422, 'business_rule_violation', 'lines.0.surcharge_rate');
  const resent = await put(`/v1/invoices/${derived.id}`, { lines: derived.lines });
  assert.deepEqual(told(resent.body.data), [['service', null]]);
  assert.equal((await issue(derived.id)).status, 200);
  assert.equal((await issue(stated.id)).status, 200, 'what a line says counts');
});

test('given a product on documents, when its kind changes, then drafts and copies are not issued before a look at them, and correctives keep what was sold', async (t) => {
  const app = await startApp(t);
  const { key, client, product, invoice, issue, put, canIssue } = await given(app);
  const { id: client_id } = await client({ is_surcharge_subject: true });
  for (const [was, is] of [
    ['service', 'good'],
    ['good', 'service'],
  ] as const) {
    const { id: product_id } = await product(was);
    const rate = (kind: string) => (kind === 'good' ? 5.2 : null);
    const body = { client_id, lines: [{ product_id, tax_rate: 21 }] };
    const draft = await invoice(body);
    const issued = await invoice({ ...body, options: { issue: true } });
    assert.deepEqual([told(draft), told(issued)], [[[was, rate(was)]], [[was, rate(was)]]]);
    assert.equal((await put(`/v1/products/${product_id}`, { kind: is })).status, 200);

    assertRefused(await issue(draft.id), 422, 'business_rule_violation', 'lines.0.surcharge_rate');
    for (const action of ['send', 'mark-sent'])
      assertRefused(
        await app.post(`/v1/invoices/${draft.id}/${action}`, {
          key,
          ...(action === 'send' ? { body: { to: ['ana@example.com'] } } : {}),
        }),
        422,
        'business_rule_violation',
        'lines.0.surcharge_rate',
      );
    assert.equal((await canIssue(draft.id)).body.data.can_issue, false);
    const looked = await put(`/v1/invoices/${draft.id}`, {});
    assert.deepEqual(told(looked.body.data), [[is, rate(is)]]);
    assert.equal((await issue(draft.id)).status, 200);

    const copy = await app.post(`/v1/invoices/${issued.id}/duplicate`, { key });
    assert.deepEqual(told(copy.body.data), [[was, rate(was)]], 'a copy is looked at before it is issued');
    assertRefused(await issue(copy.body.data.id), 422, 'business_rule_violation', 'lines.0.surcharge_rate');
    const again = await put(`/v1/invoices/${copy.body.data.id}`, {});
    assert.deepEqual(told(again.body.data), [[is, rate(is)]]);
    assert.equal((await issue(copy.body.data.id)).status, 200);
    const undone = await app.post(`/v1/invoices/${issued.id}/corrective`, {
      key,
      body: { correction: { type: 'differences' } },
    });
    assert.deepEqual(told(undone.body.data), [[was, rate(was)]], 'what was sold stays');
  }
});

test('given a line that is changed, when it says another kind or product, then its surcharge follows', async (t) => {
  const app = await startApp(t);
  const { client, product, invoice, put } = await given(app);
  const { id: client_id } = await client({ is_surcharge_subject: true });
  const draft = await invoice({ client_id, lines: [{ ...line, surcharge_rate: 5.2, kind: 'good' }] });
  const { id } = draft.lines[0]!;
  const { id: product_id } = await product('service');
  for (const [change, expected] of [
    [{ kind: 'service' }, ['service', null]],
    [{ unit_price: 90 }, ['service', null]],
    [{ kind: 'good' }, ['good', 5.2]],
    [{ product_id, tax_rate: 21 }, ['service', null]],
    [{ kind: 'good' }, ['good', 5.2]],
    [{ kind: null }, ['service', null]],
  ] as const) {
    const answer = await put(`/v1/invoices/${draft.id}`, { lines: [{ id, ...change }] });
    assert.deepEqual(answer.body.data && told(answer.body.data), [expected], JSON.stringify(change));
  }
});

test('given an invoice with surcharge, when it is corrected, then its lines stay goods, and a corrective may say otherwise', async (t) => {
  const app = await startApp(t);
  const { key, client, product, invoice } = await given(app);
  const { id: client_id } = await client({ is_surcharge_subject: true });
  const { id: product_id } = await product('good');
  const issued = { client_id, lines: [{ product_id, tax_rate: 21 }], options: { issue: true } };
  const correct = async (body: Json) => {
    const { id } = await invoice(issued);
    return app.post(`/v1/invoices/${id}/corrective`, { key, body });
  };
  const undone = await correct({ correction: { type: 'differences' } });
  assert.deepEqual(told(undone.body.data), [['good', 5.2]]);
  const mended = await correct({ correction: { type: 'substitution' }, lines: [{ kind: 'service' }] });
  assert.deepEqual(told(mended.body.data), [['service', null]]);
  const mixed = await correct({ correction: { type: 'substitution' }, lines: [{}, service] });
  assertRefused(mixed, 422, 'business_rule_violation', 'lines');
});

test('given an older invoice with goods and services, when it is corrected, then all is undone', async (t) => {
  const app = await startApp(t);
  const company = await app.given.company();
  const { live_key: key } = company;
  const client = await create(app, '/v1/clients', key, { name: 'Tienda', tax_id: shop.tax_id });
  const made = await create<Draft>(app, '/v1/invoices', key, {
    client_id: client.id,
    lines: [line, service],
    options: { issue: true },
  });
  await app.sql`update invoice_lines set kind = null, surcharge_rate = case when position = 0 then 5.2 end,
                       total = case when position = 0 then 126.20 else total end
                 where company_id = ${company.company_id} and invoice_id = ${made.id}`;
  await app.sql`update invoices set surcharge_total = 5.20, total = 247.20, amount_due = 247.20
                 where company_id = ${company.company_id} and id = ${made.id}`;
  const read = await app.get(`/v1/invoices/${made.id}`, { key });
  assert.deepEqual(told(read.body.data), [
    [null, 5.2],
    [null, null],
  ]);
  const undone = await app.post(`/v1/invoices/${made.id}/corrective`, {
    key,
    body: { correction: { type: 'differences' } },
  });
  assert.equal(undone.body.data?.total, -247.2, undone.text);
});
