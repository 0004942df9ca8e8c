/** Who belongs to a company: invitations, roles and their end, by HTTP as the dashboard asks. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { type App, startApp, type TestCompany } from '../../../../test/harness.ts';
import { waitersOf } from '../../../../test/support/held-lock.ts';
import { mailSettings, startMailServer } from '../../../../test/support/mail-server.ts';
import { givenPerson, PersonBrowser, type TestPerson } from '../../../../test/support/person-browser.ts';
import { givenClient, grantTokens, refreshTokens } from '../../../../test/support/oauth.ts';
import { until } from '../../../../test/support/worker-place.ts';
import { inviteByOperator } from './join.ts';
import { personOperations } from './person-operations.ts';
import { purgePeople } from '../purge.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** What a page of the dashboard sends. */
const asPerson =
  ({ browser }: Pick<TestPerson, 'browser'>, company_id: string) =>
  (method: Method, path: string, body?: unknown) =>
    browser.ask(method, `/${company_id}${path}`, body);

async function givenOwner(t: TestContext) {
  const app = await startApp(t);
  const acme: TestCompany = await app.given.company({ name: 'Librería Norte SL' });
  const owner = await givenPerson(app, acme, 'owner');
  return { app, acme, owner, as: asPerson(owner, acme.company_id) };
}

test('given an owner, when they invite without mail, then the link is shown once, and brings somebody in', async (t) => {
  const { app, acme, owner, as } = await givenOwner(t);
  const wrong = (await as('POST', '/invitations', { email: 'eva@norte', role: 'developer' })).body.error;
  assert.deepEqual(
    [wrong.param, wrong.errors[0].param, wrong.errors[0].message],
    ['email', 'email', 'No es una dirección de correo.'],
  );
  const made = await as('POST', '/invitations', { email: ' Eva@Norte.example', role: 'developer' });
  assert.equal(made.status, 201, made.text);
  const { invitation, link } = made.body.data;
  assert.deepEqual(
    [invitation.email, invitation.role, invitation.invited_by_name],
    ['eva@norte.example', 'developer', 'Ana Ruiz'],
  );
  const listed = await as('GET', '/invitations');
  assert.deepEqual(listed.body.data, [invitation]);
  const again = await as('POST', '/invitations', { email: 'eva@norte.example', role: 'reader' });
  const path = new URL(again.body.data.link).pathname;
  assert.equal(
    (await new PersonBrowser(app).get(new URL(link).pathname)).status,
    404,
    'another one replaces it',
  );
  const eva = new PersonBrowser(app);
  assert.equal((await eva.submit(path, { name: 'Eva Soler', password: 'un caballo correcto' })).status, 303);
  assert.deepEqual((await as('GET', '/invitations')).body.data, []);
  const { body } = await as('GET', '/members');
  assert.deepEqual(
    body.data.map((one: Record<string, unknown>) => [one.name, one.email, one.role, one.has_second_factor]),
    [
      ['Ana Ruiz', owner.email, 'owner', false],
      ['Eva Soler', 'eva@norte.example', 'reader', false],
    ],
  );
  const known = await as('POST', '/invitations', { email: 'eva@norte.example', role: 'reader' });
  assert.deepEqual([known.status, known.body.error.code], [409, 'already_member']);
  const log = await app.get('/v1/audit-log', { key: acme.live_key, query: { action: 'member.invited' } });
  assert.deepEqual([log.body.data.length, log.body.data[0].actor_name], [2, 'Ana Ruiz']);
  assert.ok(!log.text.includes('norte.example'), 'the log holds no address');
});

test('given a mail server, then the invitation goes by mail, is in no list of e-mails, and its link is not shown', async (t) => {
  const mail = await startMailServer(t);
  const app = await startApp(t, { env: mailSettings(mail) });
  const acme = await app.given.company({ name: 'Librería <b>Norte' });
  const owner = await givenPerson(app, acme, 'owner');
  const as = asPerson(owner, acme.company_id);
  const made = await as('POST', '/invitations', { email: 'eva@norte.example', role: 'accountant' });
  assert.equal(made.body.data.link, null);
  await app.service.people.mail.sendDue();
  const [{ message }] = mail.received as [(typeof mail.received)[0]];
  assert.equal(message.subject, 'Invitación a Librería <b>Norte en Folio');
  assert.ok(message.html?.includes('Librería &lt;b&gt;Norte'));
  const path = /\/invitation\/[\w-]{43}/.exec(message.text ?? '')?.[0];
  assert.equal((await new PersonBrowser(app).get(path!)).status, 200);
  assert.deepEqual((await app.get('/v1/emails', { key: acme.live_key })).body.data, []);
  // A stranger's requests for the address must not show the inviter its link.
  const stranger = new PersonBrowser(app);
  for (let turn = 0; turn < 4; turn++)
    await stranger.submit('/sign-in/forgot', { email: 'luz@norte.example' });
  const answers = [];
  for (let turn = 0; turn < 4; turn++)
    answers.push(await as('POST', '/invitations', { email: 'luz@norte.example', role: 'reader' }));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201, 201, 429],
  );
  for (const { text } of answers) assert.ok(!text.includes('/invitation/'), text);
  assert.equal(answers[3]!.body.error.code, 'too_many_invitations');
});

test('given a company that invites an address as often as it may, then others invite it still, and it gets ten in all', async (t) => {
  const mail = await startMailServer(t);
  const app = await startApp(t, { env: mailSettings(mail) });
  const statuses: number[][] = [];
  for (let company = 0; company < 4; company++) {
    const acme = await app.given.company();
    const as = asPerson(await givenPerson(app, acme, 'owner'), acme.company_id);
    const of_company: number[] = [];
    for (let turn = 0; turn < 4; turn++) {
      const sent = { email: 'iris@norte.example', role: 'reader' };
      of_company.push((await as('POST', '/invitations', sent)).status);
    }
    statuses.push(of_company);
  }
  const three = [201, 201, 201, 429];
  assert.deepEqual(statuses, [three, three, three, [201, 429, 429, 429]]);
});

test('given a mail server that takes nothing yet, when an invitation is cancelled or replaced meanwhile, then it is not sent', async (t) => {
  const mail = await startMailServer(t);
  const app = await startApp(t, { env: mailSettings(mail) });
  const acme = await app.given.company();
  const as = asPerson(await givenPerson(app, acme, 'owner'), acme.company_id);
  mail.on_data = () => '451 Later';
  const invite = async (email: string) =>
    (await as('POST', '/invitations', { email, role: 'reader' })).body.data.invitation.id;
  const cancelled = await invite('error@norte.example');
  await invite('pia@norte.example');
  await app.service.people.mail.sendDue();
  await as('DELETE', `/invitations/${cancelled}`);
  await invite('pia@norte.example');
  mail.on_data = () => undefined;
  app.clock.advance(2 * 60_000);
  await app.service.people.mail.sendDue();
  const mailed = (email: string) => mail.received.filter(({ to }) => to.includes(email));
  await until(() => mailed('pia@norte.example').length > 0);
  assert.deepEqual([mailed('pia@norte.example').length, mailed('error@norte.example').length], [1, 0]);
  const text = mailed('pia@norte.example')[0]?.message.text ?? '';
  const path = /\/invitation\/[\w-]{43}/.exec(text)?.[0];
  assert.equal((await new PersonBrowser(app).get(path!)).status, 200);
});

test('given as many messages on their way as strangers may ask for, then a company still invites', async (t) => {
  const mail = await startMailServer(t);
  const app = await startApp(t, { env: mailSettings(mail) });
  const acme = await app.given.company();
  const owner = await givenPerson(app, acme, 'owner');
  await app.sql`
    insert into account_emails (id, sealed, created_at, due_at, expires_at)
    select gen_random_uuid(), '', now(), 'infinity', 'infinity' from generate_series(1, 10000)`;
  t.after(() => app.sql`delete from account_emails`);
  const stranger = new PersonBrowser(app);
  assert.equal((await stranger.submit('/sign-in/forgot', { email: 'sol@norte.example' })).status, 503);
  const as = asPerson(owner, acme.company_id);
  const made = await as('POST', '/invitations', { email: 'mar@norte.example', role: 'reader' });
  assert.equal(made.status, 201, made.text);
});

test('given somebody who is invited twice, when whoever runs the service lets them in, then no invitation of theirs stays open', async (t) => {
  const { app, acme, as } = await givenOwner(t);
  const { company_id } = acme;
  const eva = await givenPerson(app, await app.given.company(), 'owner');
  const leo = 'leo@norte.example';
  const links: string[] = [];
  for (const email of [eva.email, leo]) {
    const invited = await as('POST', '/invitations', { email, role: 'developer' });
    links.push(new URL(invited.body.data.link).pathname);
  }
  const now = app.clock.now();
  const by_operator = { company_id, role: 'reader' } as const;
  assert.ok('added' in (await inviteByOperator(app.db, { ...by_operator, email: eva.email }, now)));
  const given = await inviteByOperator(app.db, { ...by_operator, email: leo }, now);
  assert.ok('link' in given);
  const joined = { name: 'Leo Gil', password: 'un caballo correcto' };
  assert.equal((await new PersonBrowser(app).submit(`/invitation/${given.link}`, joined)).status, 303);
  assert.deepEqual((await as('GET', '/invitations')).body.data, []);
  for (const link of links) assert.equal((await new PersonBrowser(app).get(link)).status, 404);
});

test('given an invitation that nobody took up, when it is late, then its address is purged', async (t) => {
  const { app, acme, as } = await givenOwner(t);
  await as('POST', '/invitations', { email: 'tarde@norte.example', role: 'reader' });
  const kept = () => app.sql`select email from invitations where company_id = ${acme.company_id}`;
  await purgePeople(app.db, app.clock.now());
  assert.equal((await kept()).length, 1);
  const late = new Date(app.clock.now().getTime() + 8 * 24 * 3_600_000);
  await app.sql`
    insert into account_links (token_hash, kind, company_id, email, role, created_at, expires_at)
    select sha256(gen_random_uuid()::text::bytea), 'invitation', ${acme.sandbox_company_id}, 'otra@norte.example', 'reader', now(),
           ${app.clock.now()} from generate_series(1, 1000) as n`;
  await purgePeople(app.db, late);
  assert.deepEqual([...(await kept())], [], 'although a thousand links are older');
});

test('given an owner who loses the role while their request waits, then it is refused', async (t) => {
  const { app, acme, owner } = await givenOwner(t);
  const eva = await givenPerson(app, acme, 'owner');
  const asEva = asPerson(eva, acme.company_id);
  const waiting = await app.sql.begin(async (sql) => {
    await sql`select 1 from companies where company_id = ${acme.company_id} for update`;
    const invited = asEva('POST', '/invitations', { email: 'x@norte.example', role: 'owner' });
    const removed = asEva('DELETE', `/members/${owner.user_id}`);
    await waitsForLock(app, 2);
    await sql`
      update members set role = 'reader' where company_id = ${acme.company_id} and user_id = ${eva.user_id}`;
    return { invited, removed };
  });
  assert.deepEqual([(await waiting.invited).status, (await waiting.removed).status], [403, 403]);
});

test('given an invitation that is accepted and cancelled at once, then one of both is done, and nothing fails', async (t) => {
  const { app, as } = await givenOwner(t);
  for (let turn = 0; turn < 6; turn++) {
    const email = `accept${turn}-${Date.now()}@norte.example`;
    const { invitation, link } = (await as('POST', '/invitations', { email, role: 'reader' })).body.data;
    const path = new URL(link).pathname;
    const invited = new PersonBrowser(app);
    const hidden = await invited.open(path);
    const [accepted, cancelled] = await Promise.all([
      invited.post(path, { ...hidden, name: 'Eva', password: 'un caballo correcto' }),
      as('DELETE', `/invitations/${invitation.id}`),
    ]);
    const outcome = [accepted.status, cancelled.status].join(' ');
    assert.ok(outcome === '303 404' || outcome === '404 200', outcome);
  }
});

/** Until so many connections wait for a lock in this database. */
const waitsForLock = (app: App, count: number): Promise<void> =>
  until(async () => (await waitersOf(app)) >= count);

test('given somebody who joins while whoever runs the service adds them, then they are a member once, and nothing fails', async (t) => {
  const { app, acme, as } = await givenOwner(t);
  const eva = await givenPerson(app, await app.given.company(), 'owner');
  const invited = await as('POST', '/invitations', { email: eva.email, role: 'reader' });
  const path = new URL(invited.body.data.link).pathname;
  const hidden = await eva.browser.open(path);
  const waiting = await app.sql.begin(async (sql) => {
    await sql`select 1 from users where id = ${eva.user_id} for update`;
    const joined = eva.browser.post(path, hidden);
    await waitsForLock(app, 1);
    const invitation = { company_id: acme.company_id, email: eva.email, role: 'reader' } as const;
    const added = inviteByOperator(app.db, invitation, app.clock.now()).catch((error: unknown) => error);
    await waitsForLock(app, 2);
    return { joined, added };
  });
  assert.deepEqual([(await waiting.joined).status, await waiting.added], [303, { refused: 'member' }]);
});

test('given somebody with an account, when they are invited elsewhere, then they join signed in, and nobody else does', async (t) => {
  const { app, acme, as } = await givenOwner(t);
  const eva = await givenPerson(app, await app.given.company({ name: 'Otra SL' }), 'owner');
  const made = await as('POST', '/invitations', { email: eva.email, role: 'accountant' });
  const path = new URL(made.body.data.link).pathname;
  const stranger = await givenPerson(app, await app.given.company(), 'owner');
  const refused = await stranger.browser.submit(path, { name: 'X', password: 'un caballo correcto' });
  assert.deepEqual([refused.status, /ya tiene una cuenta/.test(refused.text)], [422, true]);
  assert.match((await new PersonBrowser(app).get(path)).text, /href="\/sign-in\?return_to=%2Finvitation/);
  // Signed in as somebody else, they sign out on the way: the page for signing in would lead straight back.
  const { browser } = stranger;
  assert.doesNotMatch((await browser.get(path)).text, /href="\/sign-in/);
  const signed_out = await browser.submit(path, {}, '/sign-out');
  assert.equal(signed_out.location, `/sign-in?return_to=${encodeURIComponent(path)}`);
  const hidden = await browser.open(signed_out.location);
  const { email, password } = eva;
  const signed_in = await browser.post('/sign-in', { ...hidden, email, password });
  assert.equal(signed_in.location, path);
  assert.match((await browser.get(path)).text, /Librería Norte SL como contable/);
  const joined = await eva.browser.submit(path, {});
  // Not to the company that they had open last.
  assert.deepEqual([joined.status, joined.location], [303, `/dashboard/${acme.company_id}`]);
  const { companies } = (await eva.browser.get('/dashboard/api/session')).body.data;
  assert.deepEqual(companies.map(({ name, role }: Record<string, string>) => [name, role]).sort(), [
    ['Librería Norte SL', 'accountant'],
    ['Otra SL', 'owner'],
  ]);
  // Whoever opens the message once more is in already.
  const opened = await eva.browser.get(path);
  assert.deepEqual([opened.status, /<a [^>]*href="\/sign-in"/.test(opened.text)], [404, true]);
});

test('given a change of role or a removal, then it counts at the next request, and grants beyond it end', async (t) => {
  const { app, acme, as } = await givenOwner(t);
  const eva = await givenPerson(app, acme, 'developer');
  const asEva = asPerson(eva, acme.company_id);
  const cookie = `folio_session=${eva.browser.cookies.get('folio_session')}`;
  const client = await givenClient(app, acme);
  const person = { user_id: eva.user_id, name: 'Ana Ruiz', cookie };
  const { access_token } = await grantTokens(app, person, client, { scope: 'webhooks.read webhooks.write' });
  assert.equal((await app.get('/v1/webhook_endpoints', { key: access_token })).status, 200);
  assert.equal((await asEva('GET', '/v1/webhook_endpoints')).status, 200);
  const changed = await as('PUT', `/members/${eva.user_id}`, { role: 'reader' });
  assert.deepEqual([changed.status, changed.body.data.role], [200, 'reader'], changed.text);
  assert.equal(
    (await app.get('/v1/webhook_endpoints', { key: access_token })).status,
    401,
    'its token is over',
  );
  assert.equal((await asEva('POST', '/v1/webhook_endpoints', {})).status, 403);
  const removed = await as('DELETE', `/members/${eva.user_id}`);
  assert.deepEqual(removed.body.data, { user_id: eva.user_id, deleted: true });
  assert.equal((await asEva('GET', '/v1/invoices')).status, 404);
  assert.deepEqual((await eva.browser.get('/dashboard/api/session')).body.data.companies, []);
  assert.equal((await as('DELETE', `/members/${eva.user_id}`)).status, 404);
});

const losses = [
  ['is removed', 'DELETE', undefined],
  ['is no longer an owner', 'PUT', { role: 'accountant' }],
] as const;
for (const [what, method, body] of losses)
  test(`given an owner who ${what}, then the invitations that they sent open no more, and those of others do`, async (t) => {
    const { acme, app, as } = await givenOwner(t);
    const eva = await givenPerson(app, acme, 'owner');
    const asEva = asPerson(eva, acme.company_id);
    const invite = async (who: typeof as, email: string) => {
      const { link } = (await who('POST', '/invitations', { email, role: 'owner' })).body.data;
      return new URL(link).pathname;
    };
    const back_door = await invite(asEva, 'otra.de.eva@lejos.example');
    const kept = await invite(as, 'luz@norte.example');
    assert.equal((await as(method, `/members/${eva.user_id}`, body)).status, 200);
    const newcomer = new PersonBrowser(app);
    assert.equal((await newcomer.get(back_door)).status, 404);
    assert.equal((await newcomer.get(kept)).status, 200);
    const listed = (await as('GET', '/invitations')).body.data;
    assert.deepEqual(
      listed.map(({ email }: { email: string }) => email),
      ['luz@norte.example'],
    );
    const action = method === 'DELETE' ? 'member.removed' : 'member.role_changed';
    const log = await app.get('/v1/audit-log', { key: acme.live_key, query: { action } });
    assert.equal(log.body.data[0].details.ended_invitations, 1);
  });

test('given an owner on the side of the sandbox, when they decide who belongs to the company, then the log of the live one tells', async (t) => {
  const { app, acme, owner } = await givenOwner(t);
  const as = asPerson(owner, acme.sandbox_company_id);
  const { user_id } = await givenPerson(app, acme, 'reader');
  const invited = await as('POST', '/invitations', { email: 'eva@norte.example', role: 'owner' });
  const { id } = invited.body.data.invitation;
  assert.equal((await as('DELETE', `/invitations/${id}`)).status, 200);
  assert.equal((await as('PUT', `/members/${user_id}`, { role: 'accountant' })).status, 200);
  assert.equal((await as('DELETE', `/members/${user_id}`)).status, 200);
  const told = async (key: string) =>
    (await app.get('/v1/audit-log', { key, query: { limit: '4' } })).body.data.map(
      ({ action }: { action: string }) => action,
    );
  const actions = ['removed', 'role_changed', 'invitation_cancelled', 'invited'].map(
    (one) => `member.${one}`,
  );
  assert.deepEqual([await told(acme.live_key), await told(acme.test_key)], [actions, []]);
});

test('given a person whose role does not do, then the refusal speaks of no key', async (t) => {
  const { app, acme } = await givenOwner(t);
  const eva = await givenPerson(app, acme, 'reader');
  const refused = await asPerson(eva, acme.company_id)('POST', '/v1/clients', { name: 'Luz' });
  assert.deepEqual([refused.status, refused.body.error.code], [403, 'insufficient_scope']);
  assert.equal(refused.body.error.message, 'Falta el permiso contacts:write.');
});

test('given a change of role that waits for a renewal of tokens, or the other way, then neither ends the other', async (t) => {
  const { app, acme } = await givenOwner(t);
  const eva = await givenPerson(app, acme, 'developer');
  const cookie = `folio_session=${eva.browser.cookies.get('folio_session')}`;
  const client = await givenClient(app, acme);
  const person = { user_id: eva.user_id, name: 'Ana Ruiz', cookie };
  const { refresh_token } = await grantTokens(app, person, client, { scope: 'webhooks.read' });
  const renewed = await app.sql.begin(async (sql) => {
    await sql`select 1 from companies where company_id = ${acme.company_id} for no key update`;
    const waiting = refreshTokens(app, client, refresh_token);
    await waitsForLock(app, 1);
    // A change of role locks the grant next. If the waiting renewal held it, both would stand still.
    await sql`set local lock_timeout = '2s'`;
    await sql`select 1 from oauth_grants where company_id = ${acme.company_id} for update`;
    return { waiting };
  });
  assert.equal((await renewed.waiting).status, 200);
});

test('given the last owner, then they stay, whoever asks and however many at once', async (t) => {
  const { app, acme, owner, as } = await givenOwner(t);
  for (const [method, body] of [
    ['PUT', { role: 'reader' }],
    ['DELETE', undefined],
  ] as const) {
    const refused = await as(method, `/members/${owner.user_id}`, body);
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'last_owner'], method);
  }
  const eva = await givenPerson(app, acme, 'owner');
  const asEva = asPerson(eva, acme.company_id);
  const answers = await Promise.all([
    as('DELETE', `/members/${owner.user_id}`),
    asEva('PUT', `/members/${eva.user_id}`, { role: 'reader' }),
  ]);
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409]);
  const [row] = await app.sql<{ owners: number }[]>`
    select count(*)::int as owners from members where company_id = ${acme.company_id} and role = 'owner'`;
  assert.equal(row?.owners, 1);
});

test('given another role, a key or another company, then nobody changes who belongs to a company', async (t) => {
  const { app, acme, owner, as } = await givenOwner(t);
  const body = { email: 'x@norte.example', role: 'owner' };
  const { invitation } = (await as('POST', '/invitations', body)).body.data;
  const asked: Record<string, { id?: string; body?: unknown; status: number }> = {
    list_members: { status: 200 },
    list_invitations: { status: 200 },
    invite_member: { body, status: 403 },
    cancel_invitation: { id: invitation.id, status: 403 },
    update_member_role: { id: owner.user_id, body: { role: 'reader' }, status: 403 },
    remove_member: { id: owner.user_id, status: 403 },
  };
  assert.deepEqual(Object.keys(asked).sort(), personOperations.map(({ name }) => name).sort());
  for (const role of ['developer', 'accountant', 'reader'] as const) {
    const other = asPerson(await givenPerson(app, acme, role), acme.company_id);
    for (const { name, method, path } of personOperations) {
      const { id = '', body, status } = asked[name]!;
      const answer = await other(method, path.replace(/:\w+/, id), body);
      assert.equal(answer.status, status, `${role} ${name}`);
    }
  }
  const foreign = await givenPerson(app, await app.given.company(), 'owner');
  const asForeign = asPerson(foreign, acme.company_id);
  assert.equal((await asForeign('GET', '/members')).status, 404);
  const own = asPerson(
    foreign,
    (await foreign.browser.get('/dashboard/api/session')).body.data.companies[0].id,
  );
  assert.equal((await own('DELETE', `/invitations/${invitation.id}`)).status, 404);
  assert.equal((await as('DELETE', `/invitations/${invitation.id}`)).status, 200);
  for (const path of ['/members', '/v1/members', '/invitations', '/v1/invitations'])
    assert.equal((await app.get(path, { key: acme.live_key })).status, 404, path);
});
