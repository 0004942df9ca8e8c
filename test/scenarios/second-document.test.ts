/** A second kind of document gets from the platform what all kinds get. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { App } from '../harness.ts';
import { breakTable } from '../support/broken-tables.ts';
import { checkFamily } from '../support/family-checks.ts';
import { holdLock } from '../support/held-lock.ts';
import { mailSettings, startMailServer } from '../support/mail-server.ts';
import { offerOperations, offers, startWithOffers } from '../support/offer-family.ts';
import { assertRefused } from '../support/resource-checks.ts';

checkFamily({
  family: offers,
  operations: offerOperations,
  start: startWithOffers,
  numbering_move: 'open',
  edit_when_numbered: 200,
});

const lines = [{ description: 'Reforma', quantity: 2, unit_price: 10, tax_rate: 21 }];

async function given(app: App) {
  const company = await app.given.company();
  const key = company.live_key;
  const post = (path: string, body?: unknown) =>
    app.post(path, { key, ...(body === undefined ? {} : { body }) });
  const client = (
    await post('/v1/clients', { name: 'Librería Norte', tax_id: 'A58818501', email: 'n@example.com' })
  ).body.data;
  const body = { client_id: client.id, lines };
  const create = async (more: object = {}) => {
    const answer = await post('/v1/offers', { ...body, ...more });
    assert.equal(answer.status, 201, answer.text);
    return answer.body.data;
  };
  return { company, key, post, client, body, create };
}

test('given a second kind, when a schema or a scope is tried, then both hold for it', async (t) => {
  const app = await startWithOffers(t);
  const { company, key, body } = await given(app);
  const raw = JSON.stringify(body).replace('"unit_price":10', '"unit_price":1e400');
  assertRefused(await app.post('/v1/offers', { key, raw }), 422, 'parameter_invalid', 'lines.0.unit_price');
  const reader = await app.given.apiKey(company, { scopes: ['quotes:read'] });
  assertRefused(await app.post('/v1/offers', { key: reader, body }), 403, 'insufficient_scope');
  assert.equal((await app.get('/v1/offers', { key })).body.data.length, 0);
});

test('given moves, when they are made, then each has its event and its line in the audit log', async (t) => {
  const app = await startWithOffers(t);
  const { company, key, post, create } = await given(app);
  const { id } = await create();
  assertRefused(await post(`/v1/offers/${id}/accept`), 409, 'invalid_status_transition');
  for (const move of ['open', 'accept']) assert.equal((await post(`/v1/offers/${id}/${move}`)).status, 200);
  const types = await app.eventTypes(company, id);
  assert.deepEqual(types, ['offer.created', 'offer.number_assigned', 'offer.accepted']);
  const log = await app.get('/v1/audit-log', { key, query: { action: 'offer.accept' } });
  assert.deepEqual(log.body.data[0].details, { from: 'open', to: 'accepted', channel: 'api' });
});

test('given a fault in any of its writes, then nothing of it is kept', async (t) => {
  const mail = await startMailServer(t);
  const app = await startWithOffers(t, { env: mailSettings(mail) });
  const { company, key, create } = await given(app);
  const { id } = await create();
  const tables = [
    'offers',
    'offer_lines',
    'series_counters',
    'events',
    'emails',
    'jobs',
    'due_work',
    'audit_log',
  ];
  for (const broken of tables) {
    const mend = await breakTable(app, broken, company.company_id);
    const answer = await app.post(`/v1/offers/${id}/send`, { key, body: {}, expects_fault: true });
    await mend();
    assert.equal(answer.status, 500, broken);
    const read = await app.get(`/v1/offers/${id}`, { key });
    assert.deepEqual([read.body.data.status, read.body.data.number], ['draft', null], broken);
    assert.deepEqual(await app.eventTypes(company, id), ['offer.created'], broken);
  }
  const sent = await app.post(`/v1/offers/${id}/send`, { key, body: {} });
  assert.match(sent.body.data.number, /000001$/);
});

test('given a second kind, then the reference and the OpenAPI document know it', async (t) => {
  const app = await startWithOffers(t);
  const answer = await app.get('/openapi.json');
  assert.deepEqual(Object.keys(answer.body.paths['/v1/offers']).sort(), ['get', 'post']);
  assert.equal(answer.body.paths['/v1/offers/{offer}/convert'].post.operationId, 'convert_offer');
});

test('given many that take numbers at once, and a new year, then each has its own and none is left out', async (t) => {
  const app = await startWithOffers(t);
  const { post, create, company } = await given(app);
  app.clock.set('2026-12-31T12:00:00Z');
  const made = await Promise.all(Array.from({ length: 20 }, () => create()));
  const opened = await Promise.all(made.map(({ id }) => post(`/v1/offers/${id}/open`)));
  const numbers = opened.map(({ body }) => body.data.number).sort();
  assert.deepEqual(
    numbers,
    made.map((_, i) => `P2026-${String(i + 1).padStart(6, '0')}`),
  );
  app.clock.set('2027-01-02T12:00:00Z');
  const later = (await post(`/v1/offers/${(await create()).id}/open`)).body.data;
  assert.equal(later.number, 'P2027-000001');
  const types = await app.eventTypes(company, later.series.id);
  assert.deepEqual(types.slice(-2), ['series.year_reset', 'series.number_consumed']);
});

test('given a number that is taken already, when it would be given again, then it is refused and nothing changes', async (t) => {
  const app = await startWithOffers(t);
  const { key, post, create } = await given(app);
  const [taken, id] = [(await create()).id, (await create()).id];
  const opened = (await post(`/v1/offers/${taken}/open`)).body.data;
  await app.sql`update series_counters set next_number = 1 where series_id = ${opened.series.id}`;
  assertRefused(await post(`/v1/offers/${id}/open`), 422, 'business_rule_violation', 'series_id');
  assert.equal((await app.get(`/v1/offers/${id}`, { key })).body.data.status, 'draft');
});

test('given a held issuing head, when an offer takes its number, then it waits for nobody and counts as no issue', async (t) => {
  const app = await startWithOffers(t);
  const { company, key, post, create } = await given(app);
  const { id } = await create();
  const head = await holdLock(
    t,
    app,
    (sql) => sql`select 1 from issuing_heads where company_id = ${company.company_id} for update`,
  );
  const opened = await post(`/v1/offers/${id}/open`);
  assert.match(opened.body.data.number, /000001$/);
  await head.release();
  const [row] =
    await app.sql`select issued_count, last_issued_at from issuing_heads where company_id = ${company.company_id}`;
  assert.deepEqual([Number(row?.issued_count), row?.last_issued_at], [0, null]);
  // A company that numbered an offer has issued nothing: its tax id is in no legal record.
  const changed = await app.put('/v1/account/company', { key, body: { tax_id: 'B99286320' } });
  assert.deepEqual([changed.status, changed.body.data?.tax_id], [200, 'B99286320'], changed.text);
});

test('given an offer, when it is converted, then a draft invoice has what was agreed, and both changed or none did', async (t) => {
  const app = await startWithOffers(t);
  const { company, key, post, create } = await given(app);
  const { id } = await create({ notes: 'Gracias', tags: ['obra'] });
  assertRefused(await post(`/v1/offers/${id}/convert`), 409, 'invalid_status_transition');
  const offer = (await post(`/v1/offers/${id}/open`)).body.data;
  const answers = await Promise.all([1, 2, 3, 4].map(() => post(`/v1/offers/${id}/convert`)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409]);
  const invoice = answers.find(({ status }) => status === 201)?.body.data;
  const said = [invoice.object, invoice.status, invoice.number, invoice.total, invoice.notes, invoice.tags];
  assert.deepEqual(said, ['invoice', 'draft', null, offer.total, 'Gracias', ['obra']]);
  assert.deepEqual(invoice.tax_breakdown, offer.tax_breakdown);
  const read = (await app.get(`/v1/offers/${id}`, { key })).body.data;
  assert.deepEqual([read.status, read.converted_to_id], ['converted', invoice.id]);
  assert.deepEqual((await app.eventTypes(company, id)).slice(-1), ['offer.converted']);
  const issued = await post(`/v1/invoices/${invoice.id}/issue`);
  assert.match(issued.body.data?.number ?? issued.text, /^F\d{4}-000001$/);
});

test('given a fault in a row of either, when an offer is converted, then neither has changed', async (t) => {
  const app = await startWithOffers(t);
  const { company, key, post, create } = await given(app);
  const { id } = await create();
  await post(`/v1/offers/${id}/open`);
  for (const broken of ['invoices', 'invoice_lines', 'offers', 'events']) {
    const mend = await breakTable(app, broken, company.company_id);
    const answer = await app.post(`/v1/offers/${id}/convert`, { key, expects_fault: true });
    await mend();
    assert.equal(answer.status, 500, broken);
    assert.equal((await app.get(`/v1/offers/${id}`, { key })).body.data.status, 'open', broken);
    assert.deepEqual((await app.get('/v1/invoices', { key })).body.data, [], broken);
  }
  assert.equal((await post(`/v1/offers/${id}/convert`)).status, 201);
});

test('given a numbered offer, when it is edited, then its number keeps series and period, and its copies change with its content alone', async (t) => {
  const app = await startWithOffers(t);
  app.clock.set('2026-11-22T12:00:00Z');
  const { company, key, post, client, create } = await given(app);
  const { id } = await create();
  const opened = (await post(`/v1/offers/${id}/open`)).body.data;
  const other = (await post('/v1/series', { code: 'PX', document_type: 'quote' })).body.data;
  const put = (body: unknown) => app.put(`/v1/offers/${id}`, { key, body });
  const refusals: [body: object, code: string, param: string][] = [
    [{ series_id: other.id }, 'business_rule_violation', 'series_id'],
    [{ client_id: null }, 'missing_required_param', 'client_id'],
    [{ issued_on: null }, 'business_rule_violation', 'issued_on'],
    [{ issued_on: '2031-01-01' }, 'business_rule_violation', 'issued_on'],
    [{ issued_on: '2025-12-31' }, 'business_rule_violation', 'issued_on'],
  ];
  for (const [body, code, param] of refusals) assertRefused(await put(body), 422, code, param);
  await app.put(`/v1/clients/${client.id}`, { key, body: { name: 'Librería Sur' } });
  await app.put('/v1/account/company', { key, body: { name: 'Acme Dos SL' } });
  const events = await app.eventTypes(company, id);
  assert.deepEqual((await put({})).body.data, opened);
  assert.equal((await put({ tags: ['x'] })).body.data.client.name, client.name);
  assert.deepEqual(await app.eventTypes(company, id), [...events, 'offer.updated']);
  const edited = (await put({ issued_on: '2026-11-20', notes: 'Otra' })).body.data;
  assert.deepEqual(
    [edited.client.name, edited.number, edited.issued_on],
    ['Librería Sur', opened.number, '2026-11-20'],
  );
  const [row] = await app.sql`select issuer_snapshot ->> 'name' as name from offers where id = ${id}`;
  assert.equal(row?.name, 'Acme Dos SL');
});

test('given a client that was renamed, when an offer is converted, then the draft has the client as it is now', async (t) => {
  const app = await startWithOffers(t);
  const { key, post, client, create } = await given(app);
  const { id } = await create();
  await post(`/v1/offers/${id}/open`);
  await app.put(`/v1/clients/${client.id}`, { key, body: { name: 'Papelera Nueva' } });
  const made = (await post(`/v1/offers/${id}/convert`)).body.data;
  assert.equal(made.client.name, 'Papelera Nueva');
  const found = await app.get('/v1/invoices', { key, query: { q: 'Papelera' } });
  assert.deepEqual(
    found.body.data.map((one: { id: string }) => one.id),
    [made.id],
  );
  const log = await app.get('/v1/audit-log', { key, query: { action: 'offer.convert' } });
  assert.deepEqual(log.body.data[0].details, {
    from: 'open',
    to: 'converted',
    channel: 'api',
    invoice: made.id,
  });
});

test('given an offer of a year before, when it takes its number, then no year begins anew', async (t) => {
  const app = await startWithOffers(t);
  app.clock.set('2026-11-22T12:00:00Z');
  const { company, post, create } = await given(app);
  const now = (await post(`/v1/offers/${(await create()).id}/open`)).body.data;
  const before = (await post(`/v1/offers/${(await create({ issued_on: '2025-06-01' })).id}/open`)).body.data;
  assert.equal(before.number, 'P2025-000001');
  assert.ok(!(await app.eventTypes(company, now.series.id)).includes('series.year_reset'));
});
