/**
 * Kills the process that exchanges a code, or refreshes a token, at each statement that locks or writes, and between commit and
 * answer. Nothing is half made: no token is left that its grant does not know, and who asks again is answered or refused.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type App, onOwnDatabase } from '../harness.ts';
import { type DatabaseWire, openWire } from '../support/database-wire.ts';
import { holdAt } from '../support/held-statement.ts';
import {
  givenClient,
  givenPerson,
  grantCode,
  grantTokens,
  type Person,
  sendToken,
  type TestClient,
} from '../support/oauth.ts';
import { type ServiceChild, startChild } from '../support/service-child.ts';

const startApp = onOwnDatabase();

type Given = { app: App; person: Person; client: TestClient };
type Fields = Record<string, string | undefined>;
type Counts = Awaited<ReturnType<typeof stored>>;

async function codeForm({ app, person, client }: Given): Promise<Fields> {
  const { code, code_verifier } = await grantCode(app, person, client);
  const { client_id, redirect_uri } = client;
  return { grant_type: 'authorization_code', code, code_verifier, redirect_uri, client_id };
}

async function refreshForm({ app, person, client }: Given): Promise<Fields> {
  const { refresh_token } = await grantTokens(app, person, client);
  return { grant_type: 'refresh_token', refresh_token, client_id: client.client_id };
}

/** Of all grants of the person: how many tokens and uses there are, and how many tokens no grant in force knows. */
async function stored({ app, person }: Given) {
  const [row] = await app.sql`
    with mine as (select * from oauth_grants where user_id = ${person.user_id})
    select (select count(*)::int from credentials where kind = 'oauth' and key_id in (select id from mine)) as access,
           (select count(*)::int from oauth_refresh_tokens where grant_id in (select id from mine)) as refresh,
           (select count(*)::int from oauth_codes where used_at is not null and grant_id in (select id from mine)) as used,
           (select coalesce(sum(uses), 0)::int from oauth_refresh_tokens where grant_id in (select id from mine)) as uses,
           (select count(*)::int from credentials c where kind = 'oauth' and not exists (
              select 1 from oauth_grants g where g.id = c.key_id and g.revoked_at is null)) as lost_access,
           (select count(*)::int from oauth_refresh_tokens r where not exists (
              select 1 from oauth_grants g where g.id = r.grant_id and g.revoked_at is null)) as lost_refresh`;
  return { ...row } as Record<
    'access' | 'refresh' | 'used' | 'uses' | 'lost_access' | 'lost_refresh',
    number
  >;
}

const kinds = [
  // Who proves with a code that was used may have stolen it: the grant ends, and is asked for again.
  { what: 'an exchange of a code', form: codeForm, whole: { access: 1, refresh: 1, used: 1 }, again: 400 },
  { what: 'a refresh', form: refreshForm, whole: { access: 1, refresh: 1, uses: 1 }, again: 200 },
] as const;

type Kind = (typeof kinds)[number];
type Place = { app: App; wire: DatabaseWire; child: ServiceChild };
type Held = { given: Given; fields: Fields; before: Counts; ended: Promise<void> };

/** Each call keeps a connection, and stands still at a statement of its own until one kill ends them all. */
async function holdAtEach({ app, wire, child }: Place, { form }: Kind): Promise<Held[]> {
  const calls: Held[] = [];
  for (let n = 0, is_over = false; !is_over; n++) {
    // Of its own, so that none waits for the locks of another.
    const acme = await app.given.company();
    const client = await givenClient(app, acme);
    const given = { app, client, person: await givenPerson(app, acme) };
    const fields = await form(given);
    const before = await stored(given);
    const held = holdAt(wire, n, /for (update|share|no key update|key share)/);
    const ended = assert.rejects(
      fetch(`${child.url}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams(fields as Record<string, string>),
      }),
      `statement ${n}`,
    );
    const answered = ended.then(() => assert.fail(`statement ${n}: no answer`));
    is_over = (await Promise.race([held, answered])).is_last;
    calls.push({ given, fields, before, ended });
  }
  return calls;
}

async function assertWholeOrNothing(
  t: TestContext,
  { app }: Place,
  { whole, again }: Kind,
  calls: readonly Held[],
): Promise<void> {
  const killed = calls.length;
  for (const [n, { given, fields, before, ended }] of calls.entries()) {
    await ended;
    const is_last = n === killed - 1;
    const after = await stored(given);
    const expected: Record<string, number> = is_last
      ? Object.fromEntries(Object.entries(before).map(([name, count]) => [name, count + added(whole, name)]))
      : before;
    assert.deepEqual(after, expected, `statement ${n}`);
    const answer = await sendToken(app, fields);
    assert.equal(answer.status, is_last ? again : 200, `statement ${n}: ${answer.text}`);
    if (answer.status === 200) app.given.secrets.push(answer.body.access_token, answer.body.refresh_token);
    const { lost_access, lost_refresh } = await stored(given);
    assert.deepEqual([lost_access, lost_refresh], [0, 0]);
  }
  t.diagnostic(`${killed} kills`);
  assert.ok(killed > 5, String(killed));
}

test('one process takes exchanges of codes and refreshes, and is killed', async (t) => {
  const app = await startApp(t);
  const wire = await openWire(t, app);
  const child = await startChild(t, app, { target: wire.target, writes_request_log: false, pool_size: 80 });
  const place = { app, wire, child };
  const held: (readonly [kind: Kind, calls: readonly Held[]])[] = [];
  for (const kind of kinds) held.push([kind, await holdAtEach(place, kind)]);
  await child.kill();
  for (const [kind, calls] of held)
    await t.test(
      `given ${kind.what}, when its process is killed at any statement, then all of it is there or nothing`,
      (t) => assertWholeOrNothing(t, place, kind, calls),
    );
});

const added = (whole: Readonly<Record<string, number>>, name: string): number => whole[name] ?? 0;
