/**
 * Many callers with one `external_id` get one invoice. A caller waits at most 20 seconds, then gets `resource_locked`.
 * A waiter holds no connection. A transaction of the test plays the process that holds the id.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Answer, type App, startApp, type TestCompany } from '../harness.ts';
import { type HeldLock, holdLock, waitersOf } from '../support/held-lock.ts';
import { assertRefused, create } from '../support/resource-checks.ts';
import { until } from '../support/worker-place.ts';

const lines = [{ description: 'Café', unit_price: 10, tax_rate: 10 }];
const callers = 50;

const ask = (app: App, company: TestCompany, body: object, path = '/v1/invoices') =>
  app.post(path, { key: company.live_key, body });

/** An uncommitted transaction gives the external id to a stored draft. */
async function holdExternalId(
  t: TestContext,
  app: App,
  company: TestCompany,
  external_id: string,
): Promise<HeldLock> {
  const { id } = await create(app, '/v1/invoices', company.live_key, {
    type: 'F2',
    external_id: `was ${external_id}`,
    lines,
  });
  return holdLock(t, app, (sql) => sql`update invoices set external_id = ${external_id} where id = ${id}`);
}

function assertOne(answers: readonly Answer[], statuses: Record<string, number>): void {
  const found = Object.entries(Object.groupBy(answers, (a) => String(a.status)));
  assert.deepEqual(Object.fromEntries(found.map(([status, of]) => [status, of?.length])), statuses);
  assert.equal(new Set(answers.map((a) => a.body.data.id)).size, 1);
  for (const { status, headers } of answers)
    assert.equal(headers['idempotent-replayed'], status === 200 ? 'true' : undefined);
}

const wholes = [
  ['a draft', {}],
  ['an issue', { options: { issue: true } }],
  ['an issue with its payment', { payment: { method: 'card' }, options: { issue: true } }],
] as const;
for (const [what, more] of wholes) {
  test(`given ${what} asked for by fifty callers of one external_id at once, then it is made once, and each is answered with it`, async (t) => {
    const app = await startApp(t);
    const acme = await app.given.company();
    const body = { type: 'F2', external_id: 'PED-1', lines, ...more };
    const answers = await Promise.all(Array.from({ length: callers }, () => ask(app, acme, body)));
    assertOne(answers, { 200: callers - 1, 201: 1 });
    const { data } = answers[0]!.body;
    for (const answer of answers) assert.deepEqual(answer.body.data, data);
    const [row] = await app.sql`
      select (select count(*)::integer from invoices where company_id = ${acme.company_id}) as invoices,
             (select count(*)::integer from payments where company_id = ${acme.company_id}) as payments`;
    assert.deepEqual({ ...row }, { invoices: 1, payments: 'payment' in more ? 1 : 0 });
    const types = await app.eventTypes(acme, data.id);
    assert.equal(new Set(types).size, types.length, types.join());
    assert.ok(types.includes('invoice.created'));
  });
}

test('given an external_id in work here for longer than a caller waits, then resource_locked, and the first is not disturbed', async (t) => {
  const app = await startApp(t, { key_wait_ms: 200 });
  const acme = await app.given.company();
  const head = await holdLock(
    t,
    app,
    (sql) => sql`select 1 from issuing_heads where company_id = ${acme.company_id} for update`,
  );
  const body = { type: 'F2', external_id: 'PED-1', lines, options: { issue: true } };
  const first = ask(app, acme, body);
  await until(async () => (await waitersOf(app)) === 1);
  const others = Array.from({ length: 5 }, () => ask(app, acme, body));
  for (const answer of await Promise.all(others))
    assertRefused(answer, 409, 'resource_locked', 'external_id');
  assert.equal(await waitersOf(app), 1, 'the others waited without a connection');
  await head.release();
  assert.equal((await first).status, 201);
  assertOne([await first, await ask(app, acme, body)], { 200: 1, 201: 1 });
});

test('given an external_id in work elsewhere for too long, then a caller gets resource_locked, and it is free afterwards', async (t) => {
  const app = await startApp(t, { key_wait_ms: 200 });
  const acme = await app.given.company();
  const held = await holdExternalId(t, app, acme, 'PED-1');
  const body = { type: 'F2', external_id: 'PED-1', lines };
  const issued = { ...body, options: { issue: true } };
  const bulk = { invoices: [{ type: 'F2', lines, external_id: 'PED-2' }, body] };
  const answers = await Promise.all([
    ...Array.from({ length: callers }, () => ask(app, acme, issued)),
    ask(app, acme, body),
    ask(app, acme, bulk, '/v1/invoices/bulk-create'),
  ]);
  for (const answer of answers) assertRefused(answer, 409, 'resource_locked', 'external_id');
  await held.release('rollback');
  assert.equal((await ask(app, acme, issued)).status, 201);
  const done = await ask(app, acme, bulk, '/v1/invoices/bulk-create');
  assert.deepEqual([done.body.data.successful, done.body.data.failed], [2, 0]);
});

for (const how of ['commit', 'rollback'] as const) {
  test(`given callers of an external_id in work elsewhere, when it ends with ${how}, then all are answered, and so are others`, async (t) => {
    const app = await startApp(t, { env: { FOLIO_POOL_SIZE: '5' } });
    const acme = await app.given.company();
    const key = acme.live_key;
    const held = await holdExternalId(t, app, acme, 'PED-1');
    let answered = 0;
    const waiting = Array.from({ length: callers }, () =>
      ask(app, acme, { type: 'F2', external_id: 'PED-1', lines, options: { issue: true } }).finally(() => {
        answered += 1;
      }),
    );
    await until(async () => (await waitersOf(app)) === 1);
    for (let i = 0; i < 5; i++) {
      assert.equal((await app.get('/v1/products', { key })).status, 200);
      assert.ok((await waitersOf(app)) <= 1, 'at most one of them is with the database');
    }
    // The waiter does not delay its neighbours in the company's group.
    const neighbours = Array.from({ length: 8 }, () =>
      ask(app, acme, { type: 'F2', lines, options: { issue: true } }),
    );
    for (const answer of await Promise.all(neighbours)) assert.equal(answer.status, 201, answer.text);
    assert.equal(answered, 0, 'nobody was answered before the other had ended');
    await held.release(how);
    assertOne(await Promise.all(waiting), how === 'commit' ? { 200: callers } : { 200: callers - 1, 201: 1 });
  });
}
