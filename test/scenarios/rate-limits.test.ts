import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, type App, startApp } from '../harness.ts';
import { newKey } from '../support/api-keys.ts';
import { assertRefused } from '../support/resource-checks.ts';

const small = { env: { FOLIO_RATE_LIMITS: '{"scale":[5,3],"free":[2,1]}' } };
const start = '2026-05-04T10:00:00.000Z';

const read = (app: App, key: string) => app.get('/v1/account', { key });
const write = (app: App, key: string) => app.post('/v1/clients', { key, body: { name: 'Uno' } });

function standing({ headers }: Answer) {
  return [headers['ratelimit-policy'], headers.ratelimit, headers['retry-after']];
}

test('given five reads and three writes a minute, when they are spent, then just so many pass and headers count them', async (t) => {
  const app = await startApp(t, small);
  const { live_key: key } = await app.given.company();
  app.clock.set(start);
  for (const [name, call, limit, ok] of [
    ['read', read, 5, 200],
    ['write', write, 3, 201],
  ] as const) {
    for (let left = limit - 1; left >= 0; left--) {
      const answer = await call(app, key);
      assert.equal(answer.status, ok);
      assert.deepEqual(standing(answer), [
        `"${name}";q=${limit};w=60`,
        `"${name}";r=${left};t=60`,
        undefined,
      ]);
    }
    for (let again = 0; again < 3; again++) {
      const refused = await call(app, key);
      assertRefused(refused, 429, 'rate_limit_exceeded');
      assert.deepEqual(standing(refused), [`"${name}";q=${limit};w=60`, `"${name}";r=0;t=60`, '60']);
      const { type, message, param } = refused.body.error;
      assert.deepEqual([type, param], ['rate_limit_error', null]);
      assert.equal(
        message,
        `Se superó el límite de ${limit} peticiones por minuto. Vuelva a intentarlo en 60 segundos.`,
      );
    }
  }
});

test('given a spent window, when time passes, then the delay shrinks and the next window is whole again', async (t) => {
  const app = await startApp(t, small);
  const { live_key: key } = await app.given.company({ plan: 'free' });
  app.clock.set('2026-05-04T10:00:12.500Z');
  assert.equal((await read(app, key)).status, 200);
  assert.equal((await read(app, key)).status, 200);
  for (const [now, seconds] of [
    ['10:00:12.500', 48],
    ['10:00:30.000', 30],
    ['10:00:59.000', 1],
    ['10:00:59.999', 1],
  ] as const) {
    app.clock.set(`2026-05-04T${now}Z`);
    const refused = await read(app, key);
    assertRefused(refused, 429, 'rate_limit_exceeded');
    assert.equal(refused.headers['retry-after'], String(seconds));
    assert.match(refused.body.error.message, new RegExp(` 2 .* ${seconds} segundos`));
  }
  // The caller waited as long as it was told.
  app.clock.set('2026-05-04T10:01:00.000Z');
  const passed = await read(app, key);
  assert.deepEqual([passed.status, passed.headers.ratelimit], [200, '"read";r=1;t=60']);
});

test('given refused calls, when they are counted, then those of a valid key count, whatever they are refused for', async (t) => {
  const app = await startApp(t, small);
  const acme = await app.given.company();
  const { secret } = await newKey(app, acme.live_key, { scopes: ['contacts:write'] });
  app.clock.set(start);
  const answers = [
    await app.get('/v1/clients', { key: secret }),
    await app.get('/v1/nowhere', { key: secret }),
    await app.get('/v1/clients?limit=x', { key: secret, headers: { 'Service-Version': 'x' } }),
    await app.post('/v1/clients', { key: secret, raw: '{' }),
    await app.put('/v1/nowhere', { key: secret, body: {} }),
  ];
  const counted = answers.map((a) => [a.status, a.headers.ratelimit]);
  assert.deepEqual(counted, [
    [403, '"read";r=4;t=60'],
    [404, '"read";r=3;t=60'],
    [400, '"read";r=2;t=60'],
    [400, '"write";r=2;t=60'],
    [404, '"write";r=1;t=60'],
  ]);
  const unknown = await app.get('/v1/account', { key: 'nonsense' });
  assert.deepEqual([unknown.status, unknown.headers.ratelimit], [401, undefined]);
});

test('given keys of one company, when one is spent, then the others are not', async (t) => {
  const app = await startApp(t, small);
  const acme = await app.given.company({ plan: 'free' });
  const other = await app.given.apiKey(acme, { scopes: ['account:read'] });
  app.clock.set(start);
  for (let i = 0; i < 2; i++) await read(app, acme.live_key);
  assert.equal((await read(app, other)).status, 200);
  assert.deepEqual(
    [(await read(app, acme.live_key)).status, (await read(app, acme.test_key)).status],
    [429, 200],
  );
});

test('given two processes, when one key calls both, one by one or all at once, then they hold one limit together', async (t) => {
  const env = { FOLIO_RATE_LIMITS: '{"scale":[40,40]}' };
  const one = await startApp(t, { env });
  const two = await startApp(t, { env });
  for (const app of [one, two]) app.clock.set(start);
  const { live_key: key, test_key: other } = await one.given.company();
  const at_once = await Promise.all(Array.from({ length: 90 }, (_, i) => read(i % 2 ? one : two, key)));
  const counts = (answers: Answer[]) =>
    [200, 429].map((status) => answers.filter((a) => a.status === status).length);
  assert.deepEqual(counts(at_once), [40, 50]);
  const in_turn: Answer[] = [];
  for (let i = 0; i < 30; i++) in_turn.push(await read(i % 2 ? one : two, other));
  assert.deepEqual(counts(in_turn), [30, 0]);
  // A process cannot give what another has leased: never above the limit, and only a little below.
  for (let i = 0; i < 20; i++) in_turn.push(await read(one, other));
  const [passed = 0, refused = 0] = counts(in_turn);
  assert.ok(passed <= 40 && passed >= 37, `${passed} passed`);
  assert.equal(passed + refused, 50);
  const left = in_turn
    .filter((a) => a.status === 200)
    .map((a) => Number(/r=(\d+)/.exec(String(a.headers.ratelimit))?.[1]));
  assert.ok(left.every((n) => n >= 0 && n < 40));
});

test('given limits that are off or standard, when calls are made, then headers say so', async (t) => {
  const off = await startApp(t, { fresh: true });
  const { live_key: key } = await off.given.company();
  assert.deepEqual(standing(await read(off, key)), [undefined, undefined, undefined]);
  const standard = await startApp(t, { env: { FOLIO_RATE_LIMITS: 'default' } });
  for (const [plan, reads, writes] of [
    ['free', 60, 60],
    ['starter', 300, 120],
    ['growth', 1200, 600],
    ['scale', 6000, 3000],
  ] as const) {
    const { live_key } = await standard.given.company({ plan });
    const policies = [await read(standard, live_key), await write(standard, live_key)].map(
      (a) => a.headers['ratelimit-policy'],
    );
    assert.deepEqual(policies, [`"read";q=${reads};w=60`, `"write";q=${writes};w=60`]);
  }
});

test('given a dry run of an invoice, when it is called, then it is a read, and what cannot be read is a write', async (t) => {
  const app = await startApp(t, small);
  const { live_key: key } = await app.given.company();
  app.clock.set(start);
  const path = '/v1/invoices';
  const lines = [{ description: 'Café', unit_price: 10, tax_rate: 10 }];
  const policy = (answer: Answer) => [answer.headers['ratelimit-policy'], answer.headers.ratelimit];
  for (let left = 4; left >= 3; left--) {
    const dry = await app.post(path, { key, body: { type: 'F2', lines, options: { dry_run: true } } });
    assert.deepEqual([dry.status, ...policy(dry)], [200, '"read";q=5;w=60', `"read";r=${left};t=60`]);
  }
  const real = await app.post(path, { key, body: { type: 'F2', lines, options: { dry_run: false } } });
  assert.deepEqual([real.status, ...policy(real)], [201, '"write";q=3;w=60', '"write";r=2;t=60']);
  const broken = await app.post(path, { key, raw: '{', headers: { 'content-type': 'application/json' } });
  assert.deepEqual([broken.status, ...policy(broken)], [400, '"write";q=3;w=60', '"write";r=1;t=60']);
  const foreign = await app.post(path, { key, raw: 'x', headers: { 'content-type': 'text/plain' } });
  assert.deepEqual([foreign.status, ...policy(foreign)], [415, '"write";q=3;w=60', '"write";r=0;t=60']);
  const refused = await app.post(path, { key, raw: '{', headers: { 'content-type': 'application/json' } });
  assertRefused(refused, 429, 'rate_limit_exceeded');
  const strange = await app.post(path, { key, body: { options: [{ dry_run: true }] } });
  assertRefused(strange, 429, 'rate_limit_exceeded');
  const unread = await app.post(path, { key, body: { lines, options: { dry_run: true } } });
  assert.deepEqual([unread.status, ...policy(unread)], [200, '"read";q=5;w=60', '"read";r=2;t=60']);
});

test('given many keys of one company, when each keeps its own limit, then together they get what four keys have', async (t) => {
  const app = await startApp(t, small);
  const [acme, other] = [await app.given.company(), await app.given.company()];
  app.clock.set(start);
  const keys = [acme.live_key, acme.test_key];
  for (let i = 0; i < 4; i++) keys.push(await app.given.apiKey(acme, { scopes: ['*'] }));
  const statuses: number[] = [];
  let last: Answer | undefined;
  for (const key of keys)
    for (let i = 0; i < 5; i++) {
      last = await read(app, key);
      statuses.push(last.status);
    }
  assert.deepEqual(statuses, [...Array(20).fill(200), ...Array(10).fill(429)]);
  assert.deepEqual(standing(last!), ['"read";q=20;w=60', '"read";r=0;t=60', '60']);
  assert.equal((await write(app, acme.live_key)).status, 201);
  assert.equal((await read(app, other.live_key)).status, 200);
});

test('given a company that has less left than one of its keys, when the key calls, then the headers count what the company has', async (t) => {
  const app = await startApp(t, small);
  const acme = await app.given.company();
  app.clock.set(start);
  const keys = [acme.live_key, acme.test_key];
  for (let i = 0; i < 3; i++) keys.push(await app.given.apiKey(acme, { scopes: ['*'] }));
  for (const key of keys.slice(0, 4))
    for (let i = 0; i < 4; i++) assert.equal((await read(app, key)).status, 200);
  const left = [];
  for (let i = 0; i < 4; i++) left.push(standing(await read(app, keys[4]!)));
  assert.deepEqual(
    left,
    [3, 2, 1, 0].map((n) => ['"read";q=20;w=60', `"read";r=${n};t=60`, undefined]),
  );
});

test('given one key that goes on over its limit, when the others of its company call, then nothing of theirs is spent', async (t) => {
  const app = await startApp(t, small);
  const acme = await app.given.company();
  app.clock.set(start);
  const hot = await Promise.all(Array.from({ length: 40 }, () => read(app, acme.live_key)));
  assert.equal(hot.filter(({ status }) => status === 200).length, 5);
  for (let i = 0; i < 5; i++) assert.equal((await read(app, acme.test_key)).status, 200);
});
