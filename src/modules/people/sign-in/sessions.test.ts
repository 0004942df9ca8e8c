/** What the pages cannot show: a proof that is overtaken. surfaces/people/people-pages.test.ts tells the rest. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import { holdLock, waitersOf } from '../../../../test/support/held-lock.ts';
import { givenPerson, PersonBrowser } from '../../../../test/support/person-browser.ts';
import { until } from '../../../../test/support/worker-place.ts';
import { openSession, renewSession, sessionOf } from './sessions.ts';
import { findUser } from '../users.store.ts';

test('given a password that was set anew while the old one was proved, then that proof opens nothing', async (t) => {
  const app = await startApp(t);
  const sql = app.db.index;
  const { user_id } = await givenPerson(app, await app.given.company(), 'reader');
  const now = app.clock.now();
  const [row] = await app.sql<
    { password_set_at: Date }[]
  >`select password_set_at from users where id = ${user_id}`;
  const proved = {
    user_id,
    password_set_at: row!.password_set_at,
    amr: ['pwd'],
    ip: '192.0.2.1',
    user_agent: null,
  };
  const token = await openSession(sql, proved, now);
  assert.ok(token !== undefined && (await sessionOf(sql, token, now)));
  // A proof that began before the new password was set gives no session, whoever writes first.
  await app.sql`update users set password_set_at = ${new Date(now.getTime() + 1)} where id = ${user_id}`;
  assert.equal(await openSession(sql, proved, now), undefined);
  assert.equal(await sessionOf(sql, token, now), undefined);
});

test('given a new password that is still being stored, when somebody signs in with the old one, then they are not in', async (t) => {
  const app = await startApp(t);
  const { user_id, email, password, browser } = await givenPerson(app, await app.given.company(), 'reader');
  const counted = createHash('sha256').update(`folio changes of an account\n${user_id}`).digest();
  const held = await holdLock(
    t,
    app,
    (sql) => sql`insert into sign_in_tries (email_hash, since, used) values (${counted}, now(), 0)`,
  );
  app.clock.advance(1000);
  const change = browser.ask('POST', '/me/password', { password: 'otro caballo correcto' });
  await until(async () => (await waitersOf(app)) === 1);
  app.clock.advance(1000);
  const other = new PersonBrowser(app);
  let is_answered = false;
  const entry = other.submit('/sign-in', { email, password }).finally(() => {
    is_answered = true;
  });
  await until(async () => is_answered || (await waitersOf(app)) === 2);
  await held.release();
  assert.deepEqual([(await change).status, (await entry).status], [200, 422]);
  assert.equal((await other.get('/dashboard/api/session')).status, 401);
});

test('given a session, when it is proved twice at once, then one of the two goes on', async (t) => {
  const app = await startApp(t);
  const sql = app.db.index;
  const { user_id, browser } = await givenPerson(app, await app.given.company(), 'reader');
  const token = browser.cookies.get('folio_session')!;
  const before = await sessionOf(sql, token, app.clock.now());
  app.clock.advance(1000);
  const { password_set_at } = (await findUser(sql, user_id))!;
  const old_password = new Date(password_set_at!.getTime() - 1);
  assert.equal(
    await renewSession(sql, token, { user_id, password_set_at: old_password }, app.clock.now()),
    undefined,
  );
  const renewed = await Promise.all(
    [1, 2].map(() => renewSession(sql, token, { user_id, password_set_at }, app.clock.now())),
  );
  const [fresh, ...others] = renewed.filter((one) => one !== undefined);
  assert.deepEqual([others, await sessionOf(sql, token, app.clock.now())], [[], undefined]);
  const after = await sessionOf(sql, fresh!, app.clock.now());
  assert.deepEqual([after?.id, after?.user_id, after?.created_at], [before?.id, user_id, before?.created_at]);
  assert.deepEqual(after?.confirmed_at, app.clock.now());
  await app.sql`update users set disabled_at = now() where id = ${user_id}`;
  assert.equal(await sessionOf(sql, fresh!, app.clock.now()), undefined, 'somebody who is disabled is out');
});
