/** A company that uses its share of the connections is told when to come back (ADR 34). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../harness.ts';
import { waitersOf } from '../support/held-lock.ts';
import { givenPerson } from '../support/person-browser.ts';
import { until } from '../support/worker-place.ts';

test('given a company with its share lent and as many calls waiting as may, when it calls once more, then that is 429 with Retry-After, and others are served', async (t) => {
  const app = await startApp(t, { fresh: true, env: { FOLIO_POOL_SIZE: '2' } });
  const [hostile, quiet] = [await app.given.company(), await app.given.company()];
  const gate = Promise.withResolvers<void>();
  const held = app.db.transaction(hostile.company_id, () => gate.promise);
  const headers = { authorization: `Bearer ${hostile.live_key}` };
  const calls = Array.from({ length: 104 }, (_, n) =>
    fetch(new URL(n % 2 ? '/v1/clients' : '/v1/series', app.url), { headers }),
  );
  const refused = await Promise.any(
    calls.map(async (call) => {
      const answer = await call;
      assert.equal(answer.status, 429);
      return answer;
    }),
  );
  const { error } = (await refused.json()) as { error: { code: string; type: string; param: null } };
  assert.deepEqual([error.code, error.param], ['company_share_exceeded', null]);
  assert.equal(refused.headers.get('retry-after'), '2');
  assert.equal((await app.get('/v1/clients', { key: quiet.live_key })).status, 200);
  assert.equal((await app.get('/readyz')).status, 200);
  gate.resolve();
  await held;
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  assert.ok(statuses.every((status) => status === 200 || status === 429));
  assert.ok(statuses.filter((status) => status === 200).length >= 1);
  // What was refused is not kept, and the next call is served.
  assert.equal((await app.get('/v1/clients', { key: hostile.live_key })).status, 200);
});

test('given a company with its share lent, when somebody without a role asks for it in the dashboard, then they wait for none of its connections', async (t) => {
  const app = await startApp(t, { fresh: true, share_wait_ms: 10_000, env: { FOLIO_POOL_SIZE: '2' } });
  const [quiet, own] = [await app.given.company(), await app.given.company()];
  const { browser } = await givenPerson(app, own, 'owner');
  const gate = Promise.withResolvers<void>();
  const held = app.db.transaction(quiet.company_id, () => gate.promise);
  for (const id of [quiet.company_id, quiet.sandbox_company_id])
    assert.equal((await browser.get(`/dashboard/api/${id}/v1/invoices`)).status, 404);
  gate.resolve();
  await held;
});

test('given a person who makes many companies at once, then they wait for one another within a share of theirs, and others are served', async (t) => {
  const app = await startApp(t, { fresh: true, share_wait_ms: 10_000, env: { FOLIO_POOL_SIZE: '2' } });
  const [quiet, own] = [await app.given.company(), await app.given.company()];
  const { browser, user_id } = await givenPerson(app, own, 'owner');
  const headers = await browser.headersToAsk();
  const made = await app.sql.begin(async (sql) => {
    await sql`select 1 from users where id = ${user_id} for update`;
    const all = Array.from({ length: 4 }, () =>
      app.post('/dashboard/api/companies', { headers, body: { name: 'Sur SL', tax_id: 'B12345674' } }),
    );
    await until(async () => (await waitersOf(app)) > 0);
    for (let call = 0; call < 3; call += 1)
      assert.equal((await app.get('/v1/clients', { key: quiet.live_key })).status, 200);
    return { all };
  });
  await Promise.all(made.all);
});

test('given all connections of requests lent, when /readyz is asked, then it waits for one of them', async (t) => {
  const app = await startApp(t, { fresh: true, env: { FOLIO_POOL_SIZE: '2' } });
  const [one, other] = [await app.given.company(), await app.given.company()];
  const gate = Promise.withResolvers<void>();
  const lent = Promise.withResolvers<void>();
  let held = 0;
  const hold = () => {
    held += 1;
    if (held === 2) lent.resolve();
    return gate.promise;
  };
  const holding = [one, other].map(({ company_id }) => app.db.transaction(company_id, hold));
  await lent.promise;
  const order: string[] = [];
  const ready = app.get('/readyz').then(({ status }) => void order.push(`ready ${status}`));
  // These need no connection; an early answer would be here.
  for (let i = 0; i < 20; i++) await app.get('/healthz');
  order.push('let go');
  gate.resolve();
  await Promise.all([...holding, ready]);
  assert.deepEqual(order, ['let go', 'ready 200']);
});
