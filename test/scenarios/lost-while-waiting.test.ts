/**
 * A call waits for a row that somebody holds. Meanwhile its caller loses what admitted it. Once it goes on, nothing is done: a key that it
 * made would outlive the one that was revoked.
 */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { type Answer, type App, onOwnDatabase } from '../harness.ts';
import { assertInvalidKey, keyWorks, newKey, rotateKey } from '../support/api-keys.ts';
import { putCertificate } from '../support/company-certificates.ts';
import { holdLock, waitersOf } from '../support/held-lock.ts';
import {
  authorizeQuery,
  givenClient,
  givenPerson as givenGrantor,
  grantTokens,
  newVerifier,
  openConsent,
  sendForm,
} from '../support/oauth.ts';
import { givenPerson } from '../support/person-browser.ts';
import { until } from '../support/worker-place.ts';

/** Waits of others would count. */
const startApp = onOwnDatabase();

const keys = '/v1/account/api-keys';
const body = { name: 'Otra', scopes: ['invoices:read'] };

/** Above what counts as a wait (`admittedMs`). */
const longWaitMs = 600;

type Held = 'companies' | 'issuing_heads' | 'api_keys';

type Waiting = {
  call: () => Promise<Answer>;
  lose: () => Promise<unknown>;
  is_long?: boolean;
  table?: Held;
};

/** The call waits for a row of the company, and goes on once its caller has lost what admitted it. */
async function whileWaiting(
  t: TestContext,
  app: App,
  company_id: string,
  { call, lose, is_long = false, table = 'companies' }: Waiting,
): Promise<Answer> {
  const held = await holdLock(
    t,
    app,
    (sql) => sql`select 1 from ${sql(table)} where company_id = ${company_id} for no key update`,
  );
  const answer = call();
  // The note of the key’s use may wait beside it.
  await until(async () => (await waitersOf(app)) > 0);
  await lose();
  if (is_long) await setTimeout(longWaitMs);
  await held.release();
  return answer;
}

const namesOf = async (app: App, key: string): Promise<string[]> =>
  (await app.get(keys, { key })).body.data.map(({ name }: { name: string }) => name);

test('given a call that gives a key and waits, when its own key or its grant is revoked meanwhile, then it gives none', async (t) => {
  const app = await startApp(t);
  const company = await app.given.company();
  const { company_id, live_key } = company;
  const made = await newKey(app, live_key, { scopes: ['account:write', 'invoices:read'] });
  const refused = await whileWaiting(t, app, company_id, {
    call: () => app.post(keys, { key: made.secret, body }),
    lose: () => app.post(`${keys}/${made.id}/revoke`, { key: live_key }),
  });
  assertInvalidKey(refused);

  const client = await givenClient(app, company);
  const asked = { scope: 'account.write invoices.read', also: ['account.write'] };
  const { access_token } = await grantTokens(app, await givenGrantor(app, company), client, asked);
  const [grant] = (await app.get('/v1/oauth/grants', { key: live_key })).body.data;
  const ended = await whileWaiting(t, app, company_id, {
    call: () => app.post(keys, { key: access_token, body }),
    lose: () => app.post(`/v1/oauth/grants/${grant.id}/revoke`, { key: live_key }),
  });
  assertInvalidKey(ended);
  assert.ok(!(await namesOf(app, live_key)).includes('Otra'));

  const kept = await whileWaiting(t, app, company_id, {
    call: () => app.post(keys, { key: live_key, body }),
    lose: async () => undefined,
  });
  assert.equal(kept.status, 201, kept.text);
  app.given.secrets.push(kept.body.data.secret);
});

test('given people who give a key and wait, when they lose role or session meanwhile, then they give none', async (t) => {
  const app = await startApp(t);
  const { company_id, sandbox_company_id, live_key } = await app.given.company();
  const people = [];
  for (const role of ['owner', 'owner', 'developer', 'developer'] as const)
    people.push(await givenPerson(app, { company_id }, role));
  const [removed, lowered, robbed, renewed] = people as [
    (typeof people)[0],
    (typeof people)[0],
    (typeof people)[0],
    (typeof people)[0],
  ];
  const { sql } = app;
  const answers = [];
  for (const [person, lose, of = company_id] of [
    [
      removed,
      () => sql`delete from members where company_id = ${company_id} and user_id = ${removed.user_id}`,
    ],
    [
      lowered,
      () => sql`
        update members set role = 'developer' where company_id = ${company_id} and user_id = ${lowered.user_id}`,
      sandbox_company_id,
    ],
    [robbed, () => sql`delete from sessions where user_id = ${robbed.user_id}`],
    // A proof gives the session another value, and it is the same session.
    [
      renewed,
      async () => {
        const { password } = renewed;
        assert.equal((await renewed.browser.submit('/confirm', { password })).status, 303);
      },
    ],
  ] as const) {
    const answer = await whileWaiting(t, app, company_id, {
      call: () => person.browser.ask('POST', `/${of}${keys}`, body),
      lose: async () => lose(),
    });
    answers.push([answer.status, answer.body.error?.code]);
    if (answer.status === 201) app.given.secrets.push(answer.body.data.secret);
  }
  assert.deepEqual(answers, [
    [404, 'resource_not_found'],
    [409, 'resource_locked'],
    [401, 'session_required'],
    [201, undefined],
  ]);
  assert.equal((await namesOf(app, live_key)).filter((name) => name === 'Otra').length, 1);
});

test('given a call of a person with a key, when they lose session or role while it waits, then the same call is done once they have it again', async (t) => {
  const app = await startApp(t);
  const { company_id, live_key } = await app.given.company();
  const person = await givenPerson(app, { company_id }, 'owner');
  const { user_id, email, password, browser } = person;
  const { sql } = app;
  const send = async (path: string, sent: unknown, key: string) => {
    const headers = { ...(await browser.headersToAsk()), 'idempotency-key': key };
    return app.post(`/dashboard/api/${company_id}${path}`, { headers, body: sent });
  };
  const lines = [{ description: 'Café', unit_price: 10, tax_rate: 21 }];
  const ticket = { type: 'F2', lines, options: { issue: true } };
  const endSession = () => sql`delete from sessions where user_id = ${user_id}`;
  const signIn = async () => {
    browser.cookies.clear();
    assert.equal((await browser.submit('/sign-in', { email, password })).status, 303);
  };
  const leave = () => sql`delete from members where company_id = ${company_id} and user_id = ${user_id}`;
  const join = () => sql`
    insert into members (company_id, user_id, role, created_at, updated_at)
    values (${company_id}, ${user_id}, 'owner', now(), now())`;
  for (const [lose, regain, status] of [
    [endSession, signIn, 401],
    [leave, join, 404],
  ] as const)
    for (const [path, sent, table] of [
      [keys, body, 'companies'],
      ['/v1/invoices', ticket, 'issuing_heads'],
    ] as const) {
      const key = `${status} ${path}`;
      const call = () => send(path, sent, key);
      const lost = await whileWaiting(t, app, company_id, { call, lose, is_long: true, table });
      assert.equal(lost.status, status, lost.text);
      await regain();
      const again = await call();
      assert.equal(again.status, 201, again.text);
      if (path === keys) app.given.secrets.push(again.body.data.secret);
    }
  assert.equal((await app.get('/v1/invoices', { key: live_key })).body.data.length, 2);
});

test('given a call that waits long, when its key is revoked meanwhile, then nothing is changed, stored or issued', async (t) => {
  const app = await startApp(t);
  const company = await app.given.company();
  const { sandbox_company_id, test_key: key } = company;
  const ids: string[] = [];
  const wait = async (call: (secret: string) => Promise<Answer>, table: Held = 'companies') => {
    const made = await newKey(app, key, { scopes: ['account:write', 'verifactu:write', 'invoices:write'] });
    ids.push(made.id);
    return whileWaiting(t, app, sandbox_company_id, {
      call: () => call(made.secret),
      lose: () => app.post(`${keys}/${made.id}/revoke`, { key }),
      is_long: true,
      table,
    });
  };
  assertInvalidKey(
    await wait((secret) =>
      app.put('/v1/account/company', { key: secret, body: { phone: '+34 910 000 000' } }),
    ),
  );
  assertInvalidKey(await wait((secret) => putCertificate(app, company, {}, secret)));
  const lines = [{ description: 'Café', unit_price: 10, tax_rate: 21 }];
  const ticket = { type: 'F2', lines, options: { issue: true } };
  assertInvalidKey(
    await wait((secret) => app.post('/v1/invoices', { key: secret, body: ticket }), 'issuing_heads'),
  );

  assert.equal((await app.get('/v1/account/company', { key })).body.data.phone, null);
  assert.equal((await app.get('/v1/verifactu/certificate', { key })).status, 404);
  const issued = await app.post('/v1/invoices', { key, body: ticket });
  assert.match(issued.body.data.number, /0*1$/, 'the first number of its series');
  const entries = await app.sql`
    select action from audit_log where company_id = ${sandbox_company_id} and actor_id = any(${ids}::uuid[])`;
  assert.equal(entries.length, 0);
});

test('given the key of a master that acts for a managed company, when it is revoked while its calls wait there, then they do nothing', async (t) => {
  const app = await startApp(t);
  const { company_id: parent_id, live_key } = await app.given.company();
  const child = await app.given.company({ parent_id });
  const headers = { 'x-active-profile': child.company_id };
  const lines = [{ description: 'Café', unit_price: 10, tax_rate: 21 }];
  const ticket = { type: 'F2', lines, options: { issue: true } };
  for (const [path, sent, table] of [
    [keys, body, 'companies'],
    ['/v1/invoices', ticket, 'issuing_heads'],
  ] as const)
    for (const is_lost of [true, false]) {
      const { id, secret } = await newKey(app, live_key, { scopes: ['*'] });
      const answer = await whileWaiting(t, app, child.company_id, {
        call: () => app.post(path, { key: secret, headers, body: sent }),
        lose: async () => is_lost && app.post(`${keys}/${id}/revoke`, { key: live_key }),
        is_long: true,
        table,
      });
      if (is_lost) assertInvalidKey(answer);
      else assert.equal(answer.status, 201, answer.text);
      if (!is_lost && path === keys) app.given.secrets.push(answer.body.data.secret);
    }
  assert.equal((await namesOf(app, child.live_key)).filter((name) => name === 'Otra').length, 1);
  assert.equal((await app.get('/v1/invoices', { key: child.live_key })).body.data.length, 1);
});

test('given a call that takes away its own key or role, when it waits long or uses the secret that ends, then it is done', async (t) => {
  const app = await startApp(t);
  const company = await app.given.company();
  const { company_id, sandbox_company_id, live_key, test_key } = company;
  const lose = async () => undefined;
  const wait = (call: () => Promise<Answer>, of: string, table: Held = 'companies') =>
    whileWaiting(t, app, of, { call, lose, is_long: true, table });

  const rotated = await newKey(app, live_key, { scopes: ['account:write'] });
  await rotateKey(app, live_key, rotated.id);
  await rotateKey(app, rotated.secret, rotated.id);
  assert.equal(await keyWorks(app, rotated.secret), false);

  const { id, secret } = await newKey(app, live_key, { scopes: ['account:write'] });
  const revoked = await wait(() => app.post(`${keys}/${id}/revoke`, { key: secret }), company_id, 'api_keys');
  assert.equal(revoked.status, 200, revoked.text);
  assert.equal(await keyWorks(app, secret), false);

  const expires_at = new Date(app.clock.now().getTime() + 3_600_000).toISOString();
  const short = await newKey(app, test_key, { scopes: ['account:write'], expires_at });
  const later = new Date(app.clock.now().getTime() + 2 * 3_600_000).toISOString();
  const moved = await wait(
    () => app.put('/v1/sandbox/clock', { key: short.secret, body: { now: later } }),
    sandbox_company_id,
  );
  assert.equal(moved.status, 200, moved.text);
  assert.equal(await keyWorks(app, short.secret), false);

  const owner = await givenPerson(app, { company_id }, 'owner');
  await givenPerson(app, { company_id }, 'owner');
  const own = `/${company_id}/members/${owner.user_id}`;
  const lowered = await wait(() => owner.browser.ask('PUT', own, { role: 'reader' }), company_id);
  assert.equal(lowered.status, 200, lowered.text);
  const gone = await wait(() => owner.browser.ask('DELETE', own), company_id);
  assert.equal(gone.status, 200, gone.text);
  assert.equal((await owner.browser.get(`/dashboard/api/${company_id}/v1/invoices`)).status, 404);
});

test('given a consent that waits for the company, when the session ends meanwhile, then nothing is granted', async (t) => {
  const app = await startApp(t);
  const company = await app.given.company();
  const { company_id, live_key } = company;
  const person = await givenGrantor(app, company);
  const client = await givenClient(app, company);
  const { fields } = await openConsent(app, person, authorizeQuery(client, newVerifier().code_challenge));
  const answer = await whileWaiting(t, app, company_id, {
    call: () => sendForm(app, person, [...fields, ['decision', 'allow']]),
    lose: async () => app.sql`delete from sessions where user_id = ${person.user_id}`,
  });
  assert.equal(answer.status, 400, answer.text);
  assert.equal(answer.headers.location, undefined);
  assert.deepEqual((await app.get('/v1/oauth/grants', { key: live_key })).body.data, []);
});
