/** What a company's audit log says of its people's accounts (ADR 78): who reads it, and that it is written once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inviteByOperator, resetByOperator } from '../../src/modules/people/index.ts';
import { codeAt, readBase32, stepAt } from '../../src/modules/people/rules/totp.ts';
import { type App, onOwnDatabase, type TestCompany } from '../harness.ts';
import { isWrite } from '../support/checkouts.ts';
import { workUntil } from '../support/dying-worker.ts';
import { givenPerson, PersonBrowser, type TestPerson } from '../support/person-browser.ts';

const startApp = onOwnDatabase();

type Entry = {
  id: string;
  action: string;
  actor: string;
  details: Record<string, unknown>;
  created_at: string;
};

async function entriesOf(
  app: App,
  { live_key: key }: TestCompany,
  { user_id }: TestPerson,
): Promise<Entry[]> {
  const { body } = await app.get('/v1/audit-log', { key, query: { limit: '100' } });
  return body.data
    .filter(
      ({ action, target }: { action: string; target: { id: string } }) =>
        target.id === user_id && !/^member\.(added|removed)$/.test(action),
    )
    .reverse();
}

const actionsOf = async (app: App, company: TestCompany, person: TestPerson) =>
  (await entriesOf(app, company, person)).map(({ action }) => action);

async function addTo(app: App, { company_id }: TestCompany, { email }: TestPerson) {
  const invited = await inviteByOperator(app.db, { company_id, email, role: 'owner' }, app.clock.now());
  assert.deepEqual(invited, { added: true });
}

async function addTotp(app: App, person: TestPerson): Promise<string[]> {
  const { secret } = (await person.browser.ask('POST', '/me/totp', {})).body.data;
  const code = codeAt(readBase32(secret), stepAt(app.clock.now()));
  return (await person.browser.ask('POST', '/me/totp/confirm', { code })).body.data.recovery_codes;
}

test('given a person of two companies, when they change how they sign in, then both logs tell it by name, and nobody else’s', async (t) => {
  const app = await startApp(t);
  const [acme, sur, left, later, strangers] = [
    await app.given.company(),
    await app.given.company(),
    await app.given.company(),
    await app.given.company(),
    await app.given.company(),
  ] as const;
  const ana = await givenPerson(app, acme, 'reader');
  for (const company of [sur, left]) await addTo(app, company, ana);
  await givenPerson(app, strangers, 'owner');
  // Whoever leaves before the entry is written is no member any more, and who joins again joins later.
  const owner = await givenPerson(app, left, 'owner');
  const ask = (method: 'POST' | 'DELETE', path: string, body?: object) =>
    ana.browser.ask(method, `/me${path}`, body);
  const at = app.clock.now().toISOString();
  const codes = await addTotp(app, ana);
  const removed = await owner.browser.ask('DELETE', `/${left.company_id}/members/${ana.user_id}`);
  assert.equal(removed.status, 200, removed.text);
  app.clock.advance(1000);
  for (const company of [left, later]) await addTo(app, company, ana);
  await Promise.all([app.service.people.account_log.writeDue(), app.service.people.account_log.writeDue()]);
  for (const company of [left, later, strangers])
    assert.deepEqual(await actionsOf(app, company, ana), [], 'not of a company joined later');
  const [first, ...more] = await entriesOf(app, acme, ana);
  assert.deepEqual(more, [], 'once, whoever writes');
  const { id: _, ...told } = first!;
  assert.deepEqual(told, {
    object: 'audit_entry',
    actor: 'user',
    actor_id: ana.user_id,
    actor_name: 'Ana Ruiz',
    actor_key_id: null,
    actor_user_id: ana.user_id,
    actor_user_name: 'Ana Ruiz',
    action: 'member.totp_added',
    target: { object: 'user', id: ana.user_id },
    details: { has_second_factor: true },
    ip: null,
    request_id: null,
    created_at: at,
  });

  const entered = new PersonBrowser(app);
  const half = await entered.submit('/sign-in', { email: ana.email, password: ana.password });
  assert.equal((await entered.submit(half.location!, { code: codes[0]! })).status, 303);
  assert.equal((await ask('POST', '/sessions/end-others', {})).body.data.ended, 1);
  assert.equal((await ask('POST', '/sessions/end-others', {})).body.data.ended, 0);
  assert.equal((await ask('POST', '/recovery-codes', {})).status, 200);
  assert.equal((await ask('POST', '/password', { password: 'una frase bien larga' })).status, 200);
  assert.equal((await ask('DELETE', '/totp')).status, 200);
  assert.equal((await ask('DELETE', '/totp')).status, 404);
  await addTotp(app, ana);
  // More companies than are written at a time. None exists: no entry is left.
  await app.sql`
    insert into user_companies (user_id, company_id)
    select ${ana.user_id}, gen_random_uuid() from generate_series(1, 60)`;
  await resetByOperator(app.db, ana.email, app.clock.now(), { drops_factors: true });
  await app.service.people.account_log.writeDue();
  const expected = [
    ['member.totp_added', 'user', true],
    ['member.recovery_code_used', 'user', true],
    ['member.sessions_ended', 'user', true],
    ['member.recovery_codes_renewed', 'user', true],
    ['member.password_changed', 'user', true],
    ['member.totp_removed', 'user', false],
    ['member.totp_added', 'user', true],
    ['member.second_factors_reset', 'operator', false],
  ];
  for (const company of [acme, sur]) {
    const entries = await entriesOf(app, company, ana);
    assert.deepEqual(
      entries.map(({ action, actor, details }) => [action, actor, details.has_second_factor]),
      expected,
    );
  }
  assert.equal((await entriesOf(app, later, ana)).length, 7, 'from then on');
  assert.deepEqual(await actionsOf(app, strangers, ana), []);
  const sandbox = await app.get('/v1/audit-log', {
    key: acme.test_key,
    query: { action: 'member.totp_added' },
  });
  assert.deepEqual(sandbox.body.data, [], 'people are of the live company');
  assert.deepEqual([...(await app.sql`select 1 from account_entries`)], [], 'what was written is not kept');
});

test('given a company whose log takes no entry for now, then the others’ are written, and its own later', async (t) => {
  const app = await startApp(t);
  const [acme, sur] = [await app.given.company(), await app.given.company()];
  const ana = await givenPerson(app, acme, 'owner');
  await addTo(app, sur, ana);
  await app.sql.unsafe(
    `alter table audit_log add constraint takes_none check (company_id <> '${acme.company_id}') not valid`,
  );
  await addTotp(app, ana);
  await app.service.people.account_log.writeDue();
  assert.deepEqual(
    [await actionsOf(app, acme, ana), await actionsOf(app, sur, ana)],
    [[], ['member.totp_added']],
  );
  await app.sql`alter table audit_log drop constraint takes_none`;
  app.clock.advance(61_000);
  await app.service.people.account_log.writeDue();
  assert.deepEqual(await actionsOf(app, acme, ana), ['member.totp_added']);

  // A person's second change waits until others' first is written.
  const eva = await givenPerson(app, acme, 'reader');
  const changes = [
    [ana, '/me/recovery-codes', {}],
    [ana, '/me/password', { password: 'una frase bien larga' }],
    [eva, '/me/password', { password: 'otra frase bien larga' }],
  ] as const;
  for (const [person, path, body] of changes) {
    app.clock.advance(1000);
    assert.equal((await person.browser.ask('POST', path, body)).status, 200);
  }
  await app.service.people.account_log.writeDue();
  const { body } = await app.get('/v1/audit-log', {
    key: acme.live_key,
    query: { action: 'member.password_changed' },
  });
  const by = body.data.map(({ actor_id }: { actor_id: string }) => actor_id);
  assert.deepEqual(by, [ana.user_id, eva.user_id], 'the newest first');
});

test('given an entry that waits, when each process that writes it dies, then the log has it once', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const ana = await givenPerson(app, acme, 'owner');
  await addTotp(app, ana);
  const died_at: string[] = [];
  for (let n = 0, is_over = false; !is_over; n++) {
    let left = n;
    const dies = (text: string) => {
      if (!(isWrite(text) || text === 'commit')) return undefined;
      if (left-- === 0) {
        died_at.push(text.trim().slice(0, 30));
        return 'before';
      }
      return text === 'commit' && left-- === 0 ? 'after' : undefined;
    };
    is_over = !(await workUntil(t, app, { dies, work: ({ people }) => people.account_log.writeDue() }));
    assert.ok((await entriesOf(app, acme, ana)).length <= 1);
    app.clock.advance(61_000);
  }
  t.diagnostic(JSON.stringify(died_at));
  assert.ok(died_at.length >= 3, JSON.stringify(died_at));
  assert.deepEqual(await actionsOf(app, acme, ana), ['member.totp_added']);
});
