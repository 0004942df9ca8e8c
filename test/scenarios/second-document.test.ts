/**
 * A throw-away second kind of document, made of a schema, a state table and a store alone: the mechanisms that the
 * invoices use (transactions, keys, events, pages, isolation, errors) come to it by themselves.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { commonErrors as c } from '../../src/kernel/common.errors.ts';
import { defineOperation, type Tx } from '../../src/kernel/operation.ts';
import {
  pageAnswer,
  pageParameters,
  type PageRequest,
  readPage,
  sortParameter,
} from '../../src/kernel/page.ts';
import { fail } from '../../src/kernel/problem.ts';
import {
  Decimal,
  Enum,
  Money,
  One,
  Page,
  Shape,
  Text,
  Timestamp,
  Type,
  Uuid,
} from '../../src/kernel/schema.ts';
import { defineStates } from '../../src/kernel/states.ts';
import { newId } from '../../src/kernel/uuid7.ts';
import { eventWatchers } from '../../src/platform/events.ts';
import { readPageRows } from '../../src/platform/page-rows.ts';
import { type Columns, insertRows } from '../../src/platform/rows.ts';
import { type App, startApp } from '../harness.ts';
import { breakTable } from '../support/broken-tables.ts';
import {
  assertHidesForeignIds,
  assertPages,
  assertRefused,
  assertRefusesUnknownKey,
  create,
} from '../support/resource-checks.ts';

// The run compares what it saw emitted with the catalogue of events; these are none of it.
eventWatchers.clear();

// The schema.
const statuses = ['open', 'accepted', 'refused'] as const;
const Offer = Type.Object({
  id: Uuid,
  object: Type.Literal('offer'),
  title: Type.String(),
  amount: Money,
  status: Enum(statuses),
  created_at: Timestamp,
});
type OfferRow = {
  id: string;
  title: string;
  amount: string;
  status: (typeof statuses)[number];
  created_at: Date;
};
const present = (row: OfferRow) => ({
  id: row.id,
  object: 'offer',
  title: row.title,
  amount: Number(row.amount),
  status: row.status,
  created_at: new Date(row.created_at).toISOString(),
});

// The state table.
const offerStates = defineStates<OfferRow['status'], 'accept' | 'refuse'>({
  open: { accept: 'accepted', refuse: 'refused' },
  accepted: { accept: c.invalid_status_transition, refuse: c.invalid_status_transition },
  refused: { accept: c.business_rule_violation, refuse: 'refused' },
});

// The store.
const table = `
  create table offers (
    company_id uuid not null references companies,
    id uuid not null,
    title text not null,
    amount numeric(16, 2) not null,
    status text not null,
    created_at timestamptz not null,
    primary key (company_id, id)
  );
  select distribute('offers', 'tenant');
  create index offers_by_amount on offers (company_id, amount, id);`;
const columns: Columns = {
  id: 'uuid',
  title: 'text',
  amount: 'numeric',
  status: 'text',
  created_at: 'timestamptz',
};

async function lockOffer(tx: Tx, company_id: string, id: string): Promise<OfferRow | undefined> {
  const [row] = await tx<
    OfferRow[]
  >`select * from offers where company_id = ${company_id} and id = ${id} for update`;
  return row;
}

const setStatus = (tx: Tx, company_id: string, id: string, status: string) =>
  tx`update offers set status = ${status} where company_id = ${company_id} and id = ${id}`;

const listRows = (tx: Tx, company_id: string, page: PageRequest) =>
  readPageRows<OfferRow>(tx, company_id, page, {
    table: 'offers',
    where: tx``,
    sorts: { amount: 't.amount' },
  });

// The operations.
const shared = { scope: 'quotes:write', tag: 'offers', mcp: true } as const;
const sorts = ['created', 'amount'] as const;
const operations = [
  defineOperation({
    ...shared,
    name: 'create_offer',
    method: 'POST',
    path: '/v1/offers',
    summary: 'Crea una oferta.',
    transaction: 'own',
    body: Shape({ title: Text(40, { minLength: 1 }), amount: Decimal({ decimals: 2 }) }),
    output: One(Offer),
    errors: [],
    async handle({ tx, caller, now, emit, enqueue, audit }, { body }) {
      const row: OfferRow = {
        id: newId(),
        title: body.title,
        amount: String(body.amount),
        status: 'open',
        created_at: now,
      };
      await insertRows(tx, caller.company_id, 'offers', columns, [row]);
      emit('offer.created', row.id);
      enqueue('offer.remind', { offer: row.id }, { run_at: new Date(now.getTime() + 86_400_000) });
      audit({ action: 'offer.created', object: 'offer', object_id: row.id });
      return { data: present(row) };
    },
  }),
  defineOperation({
    ...shared,
    name: 'accept_offer',
    method: 'POST',
    path: '/v1/offers/:offer/accept',
    summary: 'Acepta una oferta.',
    transaction: 'own',
    status: 200,
    params: Shape({ offer: Uuid }),
    output: One(Offer),
    errors: [c.resource_not_found, c.invalid_status_transition, c.business_rule_violation],
    async handle({ tx, caller, emit }, { params }) {
      const row = await lockOffer(tx, caller.company_id, params.offer);
      if (!row) throw fail(c.resource_not_found, { param: 'offer' });
      const status = offerStates.next(row.status, 'accept');
      await setStatus(tx, caller.company_id, row.id, status);
      emit('offer.accepted', row.id);
      return { data: present({ ...row, status }) };
    },
  }),
  defineOperation({
    ...shared,
    name: 'list_offers',
    method: 'GET',
    path: '/v1/offers',
    scope: 'quotes:read',
    summary: 'Lista las ofertas.',
    transaction: 'read',
    query: Shape({ ...pageParameters, ...sortParameter(sorts) }),
    output: Page(Offer),
    errors: [c.parameter_invalid_cursor],
    async handle({ tx, caller }, { query }) {
      const page = readPage(query, sorts);
      return pageAnswer(await listRows(tx, caller.company_id, page), page, present);
    },
  }),
];

async function startWithOffers(t: TestContext): Promise<App> {
  const app = await startApp(t, { more_operations: operations });
  const [row] = await app.sql`select to_regclass('offers') as known`;
  if (row?.known === null) await app.sql.unsafe(table);
  return app;
}

test('given a new kind of document, then it is created, moved and listed with events, job, audit and pages', async (t) => {
  const app = await startWithOffers(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const made = [];
  for (const amount of [30, 10, 20, 10, 30])
    made.push(await create(app, '/v1/offers', key, { title: 'Reforma', amount }));
  const [first] = made;
  assert.ok(first);
  const accepted = await app.post(`/v1/offers/${first.id}/accept`, { key });
  assert.equal(accepted.body.data.status, 'accepted');
  assert.deepEqual(await app.eventTypes(acme, first.id), ['offer.created', 'offer.accepted']);
  assertRefused(await app.post(`/v1/offers/${first.id}/accept`, { key }), 409, 'invalid_status_transition');
  const [jobs] = await app.sql`
    select count(*)::integer as count from jobs where company_id = ${acme.company_id} and kind = 'offer.remind'`;
  assert.equal(jobs?.count, 5);
  const log = await app.get('/v1/audit-log', { key, query: { action: 'offer.created' } });
  assert.equal(log.body.data.length, 5);
  const ids = made.map((offer) => offer.id);
  const by_amount = [1, 3, 2, 0, 4].map((i) => ids[i]!);
  await assertPages(app, '/v1/offers', key, {}, { created: ids, amount: by_amount });
});

test('given a new kind of document, then keys, schema, scopes and isolation hold for it', async (t) => {
  const app = await startWithOffers(t);
  const [acme, other] = [await app.given.company(), await app.given.company()];
  const key = acme.live_key;
  const body = { title: 'Reforma', amount: 10.5 };
  const headers = { 'idempotency-key': 'k1' };
  const first = await app.post('/v1/offers', { key, headers, body });
  const again = await app.post('/v1/offers', { key, headers, body });
  assert.deepEqual([again.headers['idempotent-replayed'], again.text], ['true', first.text]);
  assertRefused(
    await app.post('/v1/offers', { key, headers, body: { ...body, amount: 1 } }),
    409,
    'idempotency_key_reused',
  );
  await assertRefusesUnknownKey(app, 'POST', '/v1/offers', key, body);
  assertRefused(
    await app.post('/v1/offers', { key, body: { ...body, amount: 1.234 } }),
    422,
    'parameter_invalid',
    'amount',
  );
  assertRefused(
    await app.post('/v1/offers', { key, raw: '{"title":"x","amount":1e400}' }),
    422,
    'parameter_invalid',
    'amount',
  );
  const reader = await app.given.apiKey(acme, { scopes: ['quotes:read'] });
  assertRefused(await app.post('/v1/offers', { key: reader, body }), 403, 'insufficient_scope');
  const foreign = await create(app, '/v1/offers', other.live_key, body);
  await assertHidesForeignIds(app, 'POST', (id) => `/v1/offers/${id}/accept`, foreign.id, { key });
  assert.equal((await app.get('/v1/offers', { key })).body.data.length, 1);
  assert.equal((await app.get('/v1/offers', { key: acme.test_key })).body.data.length, 0);
});

test('given a fault in any of its writes, then nothing of it is kept', async (t) => {
  const app = await startWithOffers(t);
  const acme = await app.given.company();
  for (const broken of ['offers', 'events', 'jobs', 'due_work', 'audit_log']) {
    const mend = await breakTable(app, broken, acme.company_id);
    const call = { key: acme.live_key, body: { title: 'Reforma', amount: 1 }, expects_fault: true };
    const answer = await app.post('/v1/offers', call);
    await mend();
    assert.equal(answer.status, 500, broken);
  }
  for (const name of ['offers', 'events']) {
    const rows = await app.sql`select 1 from ${app.sql(name)} where company_id = ${acme.company_id}`;
    assert.equal(rows.length, 0, name);
  }
});

test('given a new kind of document, then the reference and the OpenAPI document know it', async (t) => {
  const app = await startWithOffers(t);
  const answer = await app.get('/openapi.json');
  assert.deepEqual(Object.keys(answer.body.paths['/v1/offers']).sort(), ['get', 'post']);
  assert.equal(answer.body.paths['/v1/offers/{offer}/accept'].post.operationId, 'accept_offer');
});
