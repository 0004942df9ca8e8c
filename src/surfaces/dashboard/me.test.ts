/** What a person changes of their own account, by HTTP as the dashboard asks. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test, type TestContext } from 'node:test';
import { type App, startApp } from '../../../test/harness.ts';
import { holdLock, waitersOf } from '../../../test/support/held-lock.ts';
import { makeAuthenticator } from '../../../test/support/new-passkey.ts';
import { giveRole, givenClient, grantTokens } from '../../../test/support/oauth.ts';
import { givenPerson, PersonBrowser } from '../../../test/support/person-browser.ts';
import { until } from '../../../test/support/worker-place.ts';
import { newId } from '../../kernel/uuid7.ts';
import { resetByOperator } from '../../modules/people/index.ts';
import { codeAt, readBase32, stepAt } from '../../modules/people/rules/totp.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
const minute = 60_000;

async function givenMe(t: TestContext) {
  const app = await startApp(t);
  const acme = await app.given.company();
  const person = await givenPerson(app, acme, 'reader');
  return {
    app,
    acme,
    person,
    ask: (method: Method, path: string, body?: unknown) => person.browser.ask(method, path, body),
  };
}

test('given a person, when they change name and language, then pages and session say so', async (t) => {
  const { person, ask } = await givenMe(t);
  const { body } = await ask('GET', '/me');
  assert.deepEqual(body.data, { id: person.user_id, name: 'Ana Ruiz', email: person.email, language: 'es' });
  for (const wrong of [
    { name: '' },
    { name: '\u200b' },
    { name: 'a\nb' },
    { language: 'fr' },
    { role: 'owner' },
  ])
    assert.equal((await ask('PUT', '/me', wrong)).status, 422, JSON.stringify(wrong));
  assert.equal((await ask('PUT', '/me', { name: 'Ana <b>Gil', language: 'en' })).status, 200);
  const { user } = (await person.browser.get('/dashboard/api/session')).body.data;
  assert.deepEqual([user.name, user.language], ['Ana <b>Gil', 'en']);
});

test('given a new password, then a young proof is asked for, and the other sessions end', async (t) => {
  const { app, person, ask } = await givenMe(t);
  const other = await signedIn(app, person);
  for (const password of ['corta', person.email])
    assert.equal((await ask('POST', '/me/password', { password })).status, 422, password);
  const password = 'otra frase bien larga';
  app.clock.advance(11 * minute);
  const late = await ask('POST', '/me/password', { password });
  assert.deepEqual([late.status, late.body.error.code], [403, 'proof_required']);
  await person.browser.submit('/confirm', { password: person.password });
  assert.equal((await ask('POST', '/me/password', { password })).status, 200);
  assert.equal((await person.browser.get('/dashboard/api/session')).status, 200, 'this session goes on');
  assert.equal((await other.get('/dashboard/api/session')).status, 401);
  assert.ok(await signedIn(app, { ...person, password }));
  // A new password is no new proof.
  app.clock.advance(9 * minute);
  assert.equal((await ask('POST', '/me/password', { password: 'y otra más bien larga' })).status, 200);
  app.clock.advance(2 * minute);
  const again = await ask('POST', '/me/password', { password });
  assert.equal(again.body.error?.code, 'proof_required');
});

test('given several sessions, then each can be ended, one’s own alone', async (t) => {
  const { app, acme, person, ask } = await givenMe(t);
  const [one, two] = [await signedIn(app, person), await signedIn(app, person)];
  const { data } = (await ask('GET', '/me/sessions')).body;
  assert.equal(data.length, 3);
  assert.equal(data.filter(({ is_this }: { is_this: boolean }) => is_this).length, 1);
  const stranger = await givenPerson(app, acme, 'owner');
  const of_stranger = (await stranger.browser.ask('GET', '/me/sessions')).body.data[0].id;
  assert.equal((await ask('DELETE', `/me/sessions/${of_stranger}`)).status, 404);
  const { data: seen } = (await one.ask('GET', '/me/sessions')).body;
  const id = seen.find(({ is_this }: { is_this: boolean }) => is_this).id;
  assert.equal((await ask('DELETE', `/me/sessions/${id}`)).status, 200);
  assert.equal((await one.get('/dashboard/api/session')).status, 401);
  // The row of one that is over stays until the next purge.
  const over = await signedIn(app, person);
  const token_hash = createHash('sha256').update(over.cookies.get('folio_session')!).digest();
  await app.sql`update sessions set expires_at = ${app.clock.now()} where token_hash = ${token_hash}`;
  assert.deepEqual((await ask('POST', '/me/sessions/end-others', {})).body.data, { ended: 1 });
  assert.equal((await two.get('/dashboard/api/session')).status, 401);
  for (const wrong of ['x', '00000000-0000-4000-8000-000000000000'])
    assert.equal((await ask('DELETE', `/me/sessions/${wrong}`)).status, 404, wrong);
});

test('given what a person granted in two companies, then they see all of it in one place and end it in one move, and nothing of others', async (t) => {
  const { app, acme, person, ask } = await givenMe(t);
  const other = await app.given.company();
  await giveRole(app, other, person.user_id, 'owner');
  const client = await givenClient(app, acme);
  const holder = (of: typeof person) => ({
    user_id: of.user_id,
    name: 'Ana Ruiz',
    cookie: `folio_session=${of.browser.cookies.get('folio_session')}`,
  });
  const stranger = await givenPerson(app, acme, 'owner');
  const theirs = (await grantTokens(app, holder(stranger), client)).access_token;
  const mine: string[] = [];
  for (const company_id of [acme.company_id, other.company_id])
    mine.push(
      (await grantTokens(app, holder(person), client, { company: company_id, scope: 'invoices.read' }))
        .access_token,
    );
  const { data } = (await ask('GET', '/me/grants')).body;
  assert.deepEqual(
    data.map((of: { company_id: string; client: { name: string } }) => [of.company_id, of.client.name]),
    // What was allowed last comes first: of many, the page and the message about a change show no more than these.
    [other, acme].map(({ company_id }) => [company_id, 'Gestoría en línea']),
  );
  // A new password ends sessions, and no grant.
  assert.equal((await ask('POST', '/me/password', { password: 'otra frase bien larga' })).status, 200);
  const statuses = async () =>
    Promise.all([...mine, theirs].map(async (key) => (await app.get('/v1/invoices', { key })).status));
  assert.deepEqual(await statuses(), [200, 200, 200]);
  assert.deepEqual((await ask('POST', '/me/grants/end-all', {})).body.data, { ended: 2 });
  assert.deepEqual(await statuses(), [401, 401, 200]);
  assert.deepEqual((await ask('GET', '/me/grants')).body.data, []);
  assert.deepEqual((await ask('POST', '/me/grants/end-all', {})).body.data, { ended: 0 });
  for (const { live_key: key } of [acme, other]) {
    const log = await app.get('/v1/audit-log?action=oauth_grant.revoked', { key });
    const told = log.body.data.map((entry: { actor_id: string }) => entry.actor_id);
    assert.deepEqual(told, [person.user_id], log.text);
  }
});

test('given an application of codes, when it is added and removed, then codes are shown once and the proof is young', async (t) => {
  const { app, person, ask } = await givenMe(t);
  const begun = (await ask('POST', '/me/totp', {})).body.data;
  assert.match(begun.address, /^otpauth:/);
  assert.match(begun.qr_svg, /^<svg/);
  const [before, code, after] = [-1, 0, 1].map((steps) =>
    codeAt(readBase32(begun.secret), stepAt(app.clock.now()) + steps),
  );
  // Any code may be right by chance.
  const none = ['000000', '111111', '222222', '333333'].find((one) => ![before, code, after].includes(one));
  const wrong = await ask('POST', '/me/totp/confirm', { code: none });
  assert.deepEqual([wrong.status, wrong.body.error.param], [422, 'code']);
  const { recovery_codes } = (await ask('POST', '/me/totp/confirm', { code })).body.data;
  assert.equal(recovery_codes.length, 10);
  const { body } = await ask('GET', '/me/factors');
  assert.deepEqual(body.data, { totp: true, recovery_codes_left: 10, passkeys: [] });
  assert.ok(!JSON.stringify(body).includes(begun.secret));
  let renewed = (await ask('POST', '/me/recovery-codes', {})).body.data.recovery_codes;
  assert.equal(new Set([...renewed, ...recovery_codes]).size, 20);
  // Thirty changes in an hour; each would stay in the log of every company of theirs.
  for (let changes = 2; changes < 30; changes++)
    renewed = (await ask('POST', '/me/recovery-codes', {})).body.data.recovery_codes;
  for (const [path, body] of [
    ['/me/recovery-codes', {}],
    ['/me/password', { password: 'otra frase bien larga' }],
  ] as const) {
    const refused = await ask('POST', path, body);
    assert.deepEqual([refused.status, refused.body.error.code], [429, 'too_many_account_changes']);
    assert.equal(refused.headers['retry-after'], '3600');
  }
  app.clock.advance(11 * minute);
  for (const [method, path] of [
    ['DELETE', '/me/totp'],
    ['POST', '/me/totp'],
    ['POST', '/me/recovery-codes'],
    ['POST', '/me/passkeys/options'],
  ] as const)
    assert.equal(
      (await ask(method, path, method === 'POST' ? {} : undefined)).body.error.code,
      'proof_required',
      path,
    );
  await person.browser.submit('/confirm', { password: person.password, code: renewed[0] });
  assert.equal((await ask('DELETE', '/me/totp')).status, 200);
  assert.deepEqual((await ask('GET', '/me/factors')).body.data.recovery_codes_left, 0);
  assert.equal((await ask('POST', '/me/recovery-codes', {})).status, 404);
  // A code that was used and a factor that is removed are never refused, nor is a link.
  const link = await resetByOperator(app.db, person.email, app.clock.now());
  const password = 'y otra más bien larga';
  assert.equal((await new PersonBrowser(app).submit(`/reset/${link}`, { password })).status, 303);
  const again = await signedIn(app, { ...person, password });
  await signedIn(app, { ...person, password });
  assert.equal((await again.ask('POST', '/me/sessions/end-others', {})).status, 429);
  app.clock.advance(50 * minute);
  assert.deepEqual((await again.ask('POST', '/me/sessions/end-others', {})).body.data, { ended: 1 });
});

test('given changes of second factors that wait for the account, when their session ends meanwhile, then nothing is changed', async (t) => {
  const { app, person, ask } = await givenMe(t);
  const { user_id, browser } = person;
  const begin = async () => {
    const { secret } = (await ask('POST', '/me/totp', {})).body.data;
    return (steps: number) => codeAt(readBase32(secret), stepAt(app.clock.now()) + steps);
  };
  const first = await begin();
  assert.equal((await ask('POST', '/me/totp/confirm', { code: first(-1) })).status, 200);
  const passkey = newId();
  await app.sql`
    insert into user_passkeys (credential_id, id, user_id, name, public_key, counter, created_at)
    values (${Buffer.from(passkey)}, ${passkey}, ${user_id}, 'Llave', ${Buffer.from('x')}, 0, now())`;
  const factors = async () => {
    const [secret] = await app.sql`select totp_secret from users where id = ${user_id}`;
    const codes =
      await app.sql`select code_hash from user_recovery_codes where user_id = ${user_id} order by 1`;
    const keys = await app.sql`select id from user_passkeys where user_id = ${user_id}`;
    return [secret, [...codes], [...keys]];
  };
  const before = await factors();
  const second = await begin();
  for (const [method, path, body] of [
    ['POST', '/me/totp/confirm', { code: second(0) }],
    ['POST', '/me/recovery-codes', {}],
    ['DELETE', '/me/totp', undefined],
    ['DELETE', `/me/passkeys/${passkey}`, undefined],
  ] as const) {
    const held = await holdLock(t, app, (sql) => sql`select from users where id = ${user_id} for update`);
    const waiting = ask(method, path, body);
    await until(async () => (await waitersOf(app)) > 0);
    const ended = await held.sql`delete from sessions where user_id = ${user_id} returning *`;
    await held.release('commit');
    const answer = await waiting;
    assert.deepEqual([answer.status, answer.body.error?.code], [401, 'session_required'], path);
    assert.deepEqual(await factors(), before, path);
    await app.sql`insert into sessions ${app.sql(ended as never)}`;
    assert.equal((await browser.get('/dashboard/api/session')).status, 200);
  }
});

test('given other changes that wait for the account, when their session ends meanwhile, then nothing is changed', async (t) => {
  const { app, person, ask } = await givenMe(t);
  const { user_id } = person;
  const other = await signedIn(app, person);
  const sessions = (await ask('GET', '/me/sessions')).body.data as { id: string; is_this: boolean }[];
  const idOf = (this_one: boolean) => sessions.find(({ is_this }) => is_this === this_one)!.id;
  const state = async () => {
    const { user, companies } = (await other.get('/dashboard/api/session')).body.data;
    return [user.name, companies.length];
  };
  const before = await state();
  for (const [method, path, body] of [
    ['PUT', '/me', { name: 'Otro Nombre' }],
    ['POST', '/me/sessions/end-others', {}],
    ['DELETE', `/me/sessions/${idOf(false)}`, undefined],
    ['POST', '/companies', { name: 'Sur SL', tax_id: 'B12345674' }],
  ] as const) {
    const held = await holdLock(t, app, (sql) => sql`select from users where id = ${user_id} for update`);
    const waiting = ask(method, path, body);
    await until(async () => (await waitersOf(app)) > 0);
    const ended = await held.sql`delete from sessions where id = ${idOf(true)} returning *`;
    await held.release('commit');
    const answer = await waiting;
    assert.deepEqual([answer.status, answer.body.error?.code], [401, 'session_required'], path);
    assert.deepEqual(await state(), before, path);
    await app.sql`insert into sessions ${app.sql(ended as never)}`;
  }
  // A session may end itself.
  assert.equal((await ask('DELETE', `/me/sessions/${idOf(true)}`)).status, 200);
  assert.equal((await ask('GET', '/me')).status, 401);
});

test('given a passkey that waits for the account, when its session ends meanwhile, then it is not added', async (t) => {
  const origin = 'https://folio.example';
  const app = await startApp(t, { env: { FOLIO_PUBLIC_URL: origin } });
  const { user_id, browser } = await givenPerson(app, await app.given.company(), 'reader');
  const { body: options } = await browser.ask('POST', '/me/passkeys/options', {});
  const response = makeAuthenticator(origin).answer(options.data.challenge);
  const passkey = { name: 'Portátil', response };
  const factors = async () => (await browser.ask('GET', '/me/factors')).body.data;
  const before = await factors();
  const held = await holdLock(t, app, (sql) => sql`select from users where id = ${user_id} for update`);
  const waiting = browser.ask('POST', '/me/passkeys', passkey);
  await until(async () => (await waitersOf(app)) > 0);
  const ended = await held.sql`delete from sessions where user_id = ${user_id} returning *`;
  await held.release('commit');
  const refused = await waiting;
  assert.deepEqual([refused.status, refused.body.error?.code], [401, 'session_required'], refused.text);
  await app.sql`insert into sessions ${app.sql(ended as never)}`;
  assert.deepEqual(await factors(), before);
  // The challenge is not spent: in a session that goes on the same answer counts.
  const added = await browser.ask('POST', '/me/passkeys', passkey);
  assert.equal(added.status, 200, added.text);
  assert.deepEqual((await factors()).passkeys.length, 1);
});

test('given what no authenticator says, when a passkey is added, then it is refused as a fault of the caller', async (t) => {
  const { ask } = await givenMe(t);
  const clientDataJSON = Buffer.from('{"type":"webauthn.create","challenge":"x","origin":"x"}').toString(
    'base64url',
  );
  for (const response of [
    {},
    { id: 'x', rawId: 'x', type: 'public-key', response: { transports: 'usb' } },
    {
      id: 'A'.repeat(4000),
      rawId: 'A'.repeat(4000),
      type: 'public-key',
      response: { clientDataJSON, attestationObject: 'o2M' },
    },
    {
      id: 'AA',
      rawId: 'AA',
      type: 'public-key',
      response: { clientDataJSON, transports: [{ toString: 1 }] },
    },
  ]) {
    const refused = await ask('POST', '/me/passkeys', { name: 'Portátil', response });
    assert.deepEqual([refused.status, refused.body.error.code], [422, 'parameter_invalid'], refused.text);
  }
  const named = await ask('POST', '/me/passkeys', { name: 'x', response: { text: '\u0000' } });
  assert.equal(named.status, 422);
  assert.equal((await ask('POST', '/me/passkeys', { name: '', response: {} })).body.error.param, 'name');
});

test('given an open link for a new password, when the password is changed in the account, then the link is over', async (t) => {
  const { app, person, ask } = await givenMe(t);
  const link = await resetByOperator(app.db, person.email, app.clock.now());
  assert.equal((await ask('POST', '/me/password', { password: 'otra frase bien larga' })).status, 200);
  assert.equal((await new PersonBrowser(app).get(`/reset/${link}`)).status, 404);
});

test('given cookies that open nothing, then whoever tries them has to wait, and a session of the same address goes on', async (t) => {
  const app = await startApp(t, { fresh: true });
  const acme = await app.given.company();
  const { browser } = await givenPerson(app, acme, 'owner');
  const statuses: number[] = [];
  for (let turn = 0; turn < 22; turn++) {
    const cookie = `folio_session=${String(turn).padStart(43, 'a')}`;
    statuses.push((await app.get('/dashboard/api/session', { headers: { cookie } })).status);
  }
  assert.deepEqual([statuses[0], statuses.at(-1)], [401, 429]);
  assert.equal((await browser.get('/dashboard/api/session')).status, 200);
  assert.equal((await browser.ask('PUT', '/me', { name: 'Ana Gil' })).status, 200);
});

test('given a further company, then its founder owns it; given faults, then they are told by field', async (t) => {
  const { app, person, ask } = await givenMe(t);
  for (const [body, param] of [
    [{ name: 'Sur SL', tax_id: 'B1' }, 'tax_id'],
    [{ tax_id: 'B12345674' }, 'name'],
    [{ name: 'Sur SL', tax_id: 'B12345674', plan: 'scale' }, 'plan'],
  ] as const) {
    const refused = await ask('POST', '/companies', body);
    assert.deepEqual([refused.status, refused.body.error.param], [422, param]);
  }
  const made = await ask('POST', '/companies', { name: 'Sur SL', tax_id: 'B12345674' });
  assert.equal(made.status, 200, made.text);
  const { companies } = (await person.browser.get('/dashboard/api/session')).body.data;
  assert.equal(companies.find(({ id }: { id: string }) => id === made.body.data.id).role, 'owner');
  assert.equal((await app.get('/v1/account', { key: made.body.data.live_key })).status, 200);
});

test('given a tax id of an own company, then another with it is made only where that is said; what others have is not told', async (t) => {
  const { app, person, ask } = await givenMe(t);
  const body = { name: 'Sur SL', tax_id: 'B12345674' };
  const asked = await app.sql.begin(async (sql) => {
    await sql`select 1 from users where id = ${person.user_id} for update`;
    const all = [1, 2, 3].map(() => ask('POST', '/companies', body));
    await until(async () => (await waitersOf(app)) >= all.length);
    return { all };
  });
  const statuses = (await Promise.all(asked.all)).map(({ status }) => status).toSorted();
  assert.deepEqual(statuses, [200, 409, 409], 'asked for at once, one is made');
  const again = { ...body, tax_id: 'b-12345674' };
  const refused = await ask('POST', '/companies', again);
  const { code, param } = refused.body.error;
  assert.deepEqual([refused.status, code, param], [409, 'tax_id_has_company', 'tax_id']);
  const said = await ask('POST', '/companies', { ...again, allow_duplicate: true });
  assert.equal(said.status, 200, said.text);
  const { tax_id } = await app.given.company();
  assert.equal((await ask('POST', '/companies', { ...body, tax_id })).status, 200);
});

test('given an idempotency key, when a company is asked for again, at once or later, then it is the first one; another request with it is refused', async (t) => {
  const { app, acme, person, ask } = await givenMe(t);
  const askWith = async (key: string, body: object, who = person) =>
    app.post('/dashboard/api/companies', {
      headers: { ...(await who.browser.headersToAsk()), 'idempotency-key': key },
      body,
    });
  const isReplayed = ({ headers }: { headers: Record<string, unknown> }) =>
    headers['idempotent-replayed'] === 'true';
  for (const [key, body] of [
    ['plain', { name: 'Sur SL', tax_id: 'B12345674' }],
    // Without the key, each of these would make one.
    ['"quoted"', { name: 'Este SL', tax_id: 'B12345674', allow_duplicate: true }],
  ] as const) {
    const asked = await app.sql.begin(async (sql) => {
      await sql`select 1 from users where id = ${person.user_id} for update`;
      const all = [1, 2].map(() => askWith(key, body));
      await until(async () => (await waitersOf(app)) >= all.length);
      return { all };
    });
    const [first, second] = await Promise.all(asked.all);
    const later = await askWith(key, body);
    for (const answer of [first!, second!, later]) {
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(answer.body.data, later.body.data);
    }
    assert.deepEqual([first!, second!].map(isReplayed).toSorted(), [false, true]);
    assert.ok(isReplayed(later));
    assert.equal((await app.get('/v1/account', { key: later.body.data.live_key })).status, 200);
  }
  const { companies } = (await person.browser.get('/dashboard/api/session')).body.data;
  assert.equal(companies.length, 3, 'that of before, and one for each key');

  const other = await askWith('plain', { name: 'Oeste SL', tax_id: 'A58818501' });
  assert.deepEqual([other.status, other.body.error.code], [409, 'idempotency_key_reused']);
  const long = await askWith('x'.repeat(256), { name: 'Oeste SL', tax_id: 'A58818501' });
  assert.deepEqual([long.status, long.body.error.errors[0].param], [422, 'Idempotency-Key']);

  // The key is the person's own.
  const somebody = await givenPerson(app, acme, 'owner');
  const own = await askWith('plain', { name: 'Sur SL', tax_id: 'B12345674' }, somebody);
  assert.deepEqual([own.status, isReplayed(own)], [200, false]);
  // Also of owners of one company.
  const shared = (await askWith('plain', { name: 'Sur SL', tax_id: 'B12345674' })).body.data.id as string;
  const partner = await givenPerson(app, acme, 'owner');
  for (const table of ['members', 'user_companies'])
    await app.sql`
      insert into ${app.sql(table)} select (jsonb_populate_record(t, jsonb_build_object('user_id', ${partner.user_id}::uuid))).*
        from ${app.sql(table)} t where company_id = ${shared} and user_id = ${person.user_id}`;
  const apart = await askWith('plain', { name: 'Norte SL', tax_id: 'A58818501' }, partner);
  assert.deepEqual([apart.status, isReplayed(apart)], [200, false], apart.text);
  // Who is no owner any more is shown no keys.
  await app.sql`update members set role = 'reader' where user_id = ${person.user_id}`;
  const lost = await askWith('plain', { name: 'Sur SL', tax_id: 'B12345674' });
  assert.deepEqual([lost.status, lost.body.error.code], [409, 'tax_id_has_company']);
  assert.equal((await ask('POST', '/companies', { name: 'Sur SL', tax_id: 'B12345674' })).status, 409);
});

test('given somebody who owns nearly as many companies as one may, when they make several at once, then one is made', async (t) => {
  const { app, person, ask } = await givenMe(t);
  await app.sql`
    insert into user_companies (user_id, company_id)
    select ${person.user_id}, gen_random_uuid() from generate_series(1, 48)`;
  const made = await Promise.all(
    Array.from({ length: 4 }, () =>
      ask('POST', '/companies', { name: 'Sur SL', tax_id: 'B12345674', allow_duplicate: true }),
    ),
  );
  const statuses = made.map(({ status }) => status).toSorted();
  assert.deepEqual(statuses, [200, 409, 409, 409], made.map(({ text }) => text).join('\n'));
});

async function signedIn(
  app: App,
  { email, password }: { email: string; password: string },
): Promise<PersonBrowser> {
  const browser = new PersonBrowser(app);
  assert.equal((await browser.submit('/sign-in', { email, password })).status, 303);
  return browser;
}
