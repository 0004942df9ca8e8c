/** Accounts that are erased, and what companies keep of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, startApp, type TestCompany } from '../../../../test/harness.ts';
import { waitersOf } from '../../../../test/support/held-lock.ts';
import { givenClient, grantTokens } from '../../../../test/support/oauth.ts';
import { givenPerson, PersonBrowser, type TestPerson } from '../../../../test/support/person-browser.ts';
import { until } from '../../../../test/support/worker-place.ts';
import { endGrantsBeyond } from '../../oauth/index.ts';
import { eraseByOperator } from './erase.ts';
import { inviteByOperator } from './join.ts';

const erase = (app: App, { email }: Pick<TestPerson, 'email'>) =>
  eraseByOperator(app.db, email, endGrantsBeyond, app.clock.now());

const alsoIn = (app: App, { company_id }: TestCompany, { email }: TestPerson, role: 'owner' | 'reader') =>
  inviteByOperator(app.db, { company_id, email, role }, app.clock.now());

/** Tables that name the person by the address or the id, without those of companies. */
async function tablesThatName(app: App, { email, user_id }: TestPerson): Promise<string[]> {
  const [row] = await app.sql<{ tables: string[] }[]>`
    select array_remove(array[
      case when exists (select from user_emails where email = ${email} or user_id = ${user_id}) then 'user_emails' end,
      case when exists (select from users where id = ${user_id}) then 'users' end,
      case when exists (select from user_companies where user_id = ${user_id}) then 'user_companies' end,
      case when exists (select from sessions where user_id = ${user_id}) then 'sessions' end,
      case when exists (select from account_links where user_id = ${user_id}) then 'account_links' end,
      case when exists (select from account_entries where user_id = ${user_id}) then 'account_entries' end,
      case when exists (select from user_passkeys where user_id = ${user_id}) then 'user_passkeys' end,
      case when exists (select from user_recovery_codes where user_id = ${user_id}) then 'user_recovery_codes' end
    ], null) as tables`;
  return row!.tables;
}

/** What somebody leaves who uses all that an account has. */
async function useAllOf(app: App, { user_id }: TestPerson, { company_id }: TestCompany): Promise<void> {
  await app.sql`
    insert into user_passkeys (credential_id, id, user_id, name, public_key, counter, created_at)
    values (${Buffer.from(user_id)}, gen_random_uuid(), ${user_id}, 'Llave', '', 0, now())`;
  await app.sql`insert into user_recovery_codes (user_id, code_hash) values (${user_id}, '')`;
  await app.sql`
    insert into account_links (token_hash, kind, user_id, created_at, expires_at)
    values (sha256(gen_random_uuid()::text::bytea), 'reset', ${user_id}, now(), now() + interval '1 hour')`;
  await app.sql`
    insert into account_entries (company_id, id, user_id, actor, user_name, action, details, created_at, due_at)
    values (${company_id}, gen_random_uuid(), ${user_id}, 'user', 'Ana Ruiz', 'member.password_changed', '{}', now(), 'infinity')`;
}

test('given a person of two companies, when they are erased, then nothing opens, nothing names them, and the log says so', async (t) => {
  const app = await startApp(t);
  const [own, acme] = [await app.given.company(), await app.given.company()];
  const boss = await givenPerson(app, acme, 'owner');
  const eva = await givenPerson(app, own, 'owner');
  await alsoIn(app, acme, eva, 'owner');
  await useAllOf(app, eva, own);
  const cookie = `folio_session=${eva.browser.cookies.get('folio_session')}`;
  const client = await givenClient(app, acme);
  const granted = { user_id: eva.user_id, name: 'Ana Ruiz', cookie };
  const { access_token: key } = await grantTokens(app, granted, client, { scope: 'invoices.read' });
  assert.equal((await app.get('/v1/invoices', { key })).status, 200);
  assert.equal((await tablesThatName(app, eva)).length, 8);

  assert.deepEqual(await erase(app, eva), { user_id: eva.user_id, left_companies: 2 });

  assert.deepEqual(await tablesThatName(app, eva), []);
  assert.equal((await app.get('/v1/invoices', { key })).status, 401);
  assert.equal((await eva.browser.get('/dashboard/api/session')).status, 401);
  const { email, password } = eva;
  assert.equal((await new PersonBrowser(app).submit('/sign-in', { email, password })).status, 422);
  const members = await boss.browser.ask('GET', `/${acme.company_id}/members`);
  assert.deepEqual(
    members.body.data.map(({ user_id }: { user_id: string }) => user_id),
    [boss.user_id],
  );
  for (const { live_key } of [own, acme]) {
    const query = { action: 'member.removed' };
    const [entry] = (await app.get('/v1/audit-log', { key: live_key, query })).body.data;
    assert.deepEqual(
      [entry.target.id, entry.details.role, entry.details.reason],
      [eva.user_id, 'owner', 'account_erased'],
    );
  }
  assert.deepEqual(await erase(app, eva), { refused: 'nobody' });
  // The address is free, and the company that has nobody gets an owner again.
  const { company_id } = own;
  const again = await inviteByOperator(app.db, { company_id, email, role: 'owner' }, app.clock.now());
  assert.ok('link' in again);
});

test('given the only owner of a company with others, when they are to be erased, then nothing changes', async (t) => {
  const app = await startApp(t);
  const [own, acme] = [await app.given.company(), await app.given.company()];
  const eva = await givenPerson(app, own, 'owner');
  await alsoIn(app, acme, eva, 'owner');
  await givenPerson(app, acme, 'reader');
  assert.deepEqual(await erase(app, eva), { refused: 'last owner', company_ids: [acme.company_id] });
  const { companies } = (await eva.browser.get('/dashboard/api/session')).body.data;
  assert.equal(companies.length, 2);
});

test('given an erasure that broke off after a company, when it is run again, then it is finished', async (t) => {
  const app = await startApp(t);
  const [own, acme] = [await app.given.company(), await app.given.company()];
  const eva = await givenPerson(app, own, 'owner');
  await givenPerson(app, acme, 'owner');
  await alsoIn(app, acme, eva, 'reader');
  let left = 0;
  const breaking: typeof endGrantsBeyond = (...args) => {
    left += 1;
    if (left === 2) throw new Error('broken off');
    return endGrantsBeyond(...args);
  };
  await assert.rejects(eraseByOperator(app.db, eva.email, breaking, app.clock.now()), /broken off/);
  assert.deepEqual(await erase(app, eva), { user_id: eva.user_id, left_companies: 1 });
  assert.deepEqual(await tablesThatName(app, eva), []);
});

test('given a person who is let into a company while they are erased, then no company has somebody who is not there', async (t) => {
  const app = await startApp(t);
  const [own, acme] = [await app.given.company(), await app.given.company()];
  const boss = await givenPerson(app, acme, 'owner');
  const eva = await givenPerson(app, own, 'owner');
  const invited = await boss.browser.ask('POST', `/${acme.company_id}/invitations`, {
    email: eva.email,
    role: 'reader',
  });
  const path = new URL(invited.body.data.link).pathname;
  const hidden = await eva.browser.open(path);
  const [added, joined] = await app.sql.begin(async (sql) => {
    await sql`select 1 from users where id = ${eva.user_id} for update`;
    const joining = eva.browser.post(path, hidden);
    await until(async () => (await waitersOf(app)) >= 1);
    const adding = alsoIn(app, acme, eva, 'reader');
    await until(async () => (await waitersOf(app)) >= 2);
    // What the erasure does last.
    await sql`delete from user_emails where user_id = ${eva.user_id}`;
    await sql`delete from users where id = ${eva.user_id}`;
    return [adding, joining];
  });
  assert.notEqual((await joined).status, 303);
  assert.ok('link' in (await added));
  const rows =
    await app.sql`select 1 from members where user_id = ${eva.user_id} and company_id = ${acme.company_id}`;
  assert.equal(rows.length, 0);
});
