/**
 * A button is pressed twice: a browser drops the first answer but for its cookies, and shows the second. Nobody is told that nothing
 * was done where it was.
 */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { type App, onOwnDatabase, randomTaxId, startApp } from '../../../test/harness.ts';
import { type FormAnswer, givenPerson, PersonBrowser } from '../../../test/support/person-browser.ts';
import type { Ports } from '../../kernel/ports.ts';
import { inviteByOperator, makeSetupLink, resetByOperator } from '../../modules/people/index.ts';
import { codeAt, readBase32, stepAt } from '../../modules/people/rules/totp.ts';

const startWithNobody = onOwnDatabase();

const wayOf = ({ status, location }: FormAnswer) => [status, location];

const isIn = async (browser: PersonBrowser) => (await browser.get('/dashboard/api/session')).status === 200;

/** With the cookies of now. */
function copyOf(app: App, browser: PersonBrowser): PersonBrowser {
  const copy = new PersonBrowser(app);
  for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
  return copy;
}

/** Opens the page, and presses its button twice. @returns both answers */
async function pressTwice(
  browser: PersonBrowser,
  path: string,
  fields: Record<string, string>,
  to = path,
): Promise<[first: FormAnswer, second: FormAnswer]> {
  const sent = { ...(await browser.open(path)), ...fields };
  return [await browser.post(to, sent), await browser.post(to, sent)];
}

async function startWithPeople(t: TestContext) {
  let people: Ports['people'] | undefined;
  const app = await startApp(t, {
    wrap_ports(ports) {
      people = ports.people;
      return ports;
    },
  });
  return { app, people: people! };
}

test('given a form to sign in, when it is sent twice, then the person goes on where the first press led', async (t) => {
  const { app, people } = await startWithPeople(t);
  const { user_id, email, password } = await givenPerson(app, await app.given.company(), 'owner');
  const return_to = '/oauth/authorize?x=1';
  const page = `/sign-in?return_to=${encodeURIComponent(return_to)}`;
  const browser = new PersonBrowser(app);
  const [, again] = await pressTwice(browser, page, { email, password }, '/sign-in');
  assert.deepEqual(wayOf(again), [303, page]);
  assert.deepEqual(wayOf(await browser.get(page)), [303, return_to]);

  const { secret } = await people.factors.beginTotp({ id: user_id, email });
  const code = (steps: number) => codeAt(readBase32(secret), stepAt(app.clock.now()) + steps);
  assert.notEqual(await people.factors.confirmTotp(user_id, code(-1)), 'wrong');
  const other = new PersonBrowser(app);
  const halves = await pressTwice(other, page, { email, password }, '/sign-in');
  const way = `/sign-in/second-factor?return_to=${encodeURIComponent(return_to)}`;
  for (const half of halves) assert.deepEqual(wayOf(half), [303, way]);
  const [done, twice] = await pressTwice(other, way, { code: code(0) });
  assert.deepEqual(wayOf(done), [303, return_to]);
  assert.deepEqual(wayOf(twice), [303, page]);
  assert.ok(await isIn(other));
  // The page of a passkey was open beside it.
  const late = { csrf: 'x', response: '{}', return_to };
  assert.deepEqual(wayOf(await other.post('/sign-in/passkey', late)), [303, page]);
  assert.equal((await new PersonBrowser(app).post('/sign-in/passkey', late)).status, 403);
  assert.equal((await new PersonBrowser(app).post(way, { csrf: 'x' })).status, 403);
});

test('given somebody who proves who they are, when the form is sent twice, then they go on, and a later page asks again', async (t) => {
  const { app, people } = await startWithPeople(t);
  const { user_id, email, password, browser } = await givenPerson(app, await app.given.company(), 'owner');
  const return_to = '/oauth/authorize?x=1';
  const page = `/confirm?return_to=${encodeURIComponent(return_to)}`;
  // With the password alone both may be right. Of two that come at once the second finds that the session has another value.
  app.clock.advance(1000);
  const form = { ...(await browser.open(page)), password };
  const pair = [copyOf(app, browser), browser];
  const both = await Promise.all(pair.map((one) => one.post('/confirm', form)));
  const signIn = `/sign-in?return_to=${encodeURIComponent(return_to)}`;
  assert.deepEqual(both.map(({ location }) => location).toSorted(), [return_to, signIn]);
  const inside = pair[both.findIndex(({ location }) => location === return_to)]!;
  assert.ok(await isIn(inside));

  const { secret } = await people.factors.beginTotp({ id: user_id, email });
  const code = (steps: number) => codeAt(readBase32(secret), stepAt(app.clock.now()) + steps);
  assert.notEqual(await people.factors.confirmTotp(user_id, code(-1)), 'wrong');
  app.clock.advance(1000);
  const early = await inside.open(page);
  const [done, again] = await pressTwice(inside, page, { password, code: code(0) }, '/confirm');
  assert.deepEqual([wayOf(done), wayOf(again)], Array(2).fill([303, return_to]));
  assert.ok(await isIn(inside));

  const wrong = { password, code: '' };
  assert.equal((await inside.submit(page, wrong, '/confirm')).status, 422, 'a page of after that proof');
  assert.equal((await inside.post('/confirm', { ...early, ...wrong, proved_at: 'x' })).status, 422);
  app.clock.advance(11 * 60_000);
  assert.equal((await inside.post('/confirm', { ...early, ...wrong })).status, 422, 'that proof is old');
});

test('given an invitation, when it is taken twice, then the person is in the dashboard, also with an account of before', async (t) => {
  const app = await startApp(t);
  const { company_id } = await app.given.company();
  const invite = async (email: string) => {
    const invited = await inviteByOperator(app.db, { company_id, email, role: 'owner' }, app.clock.now());
    assert.ok('link' in invited);
    return `/invitation/${invited.link}`;
  };
  const path = await invite('ana.dos@norte.example');
  const browser = new PersonBrowser(app);
  const before = await browser.open(path);
  const early = copyOf(app, browser);
  const fields = { name: 'Ana Dos', password: 'un caballo correcto' };
  const [first, again] = await pressTwice(browser, path, fields);
  assert.deepEqual([wayOf(first), wayOf(again)], Array(2).fill([303, '/dashboard']));
  assert.ok(await isIn(browser));
  // Both were under way: this one came without a session, and its page leads to the sign-in.
  const raced = await early.post(path, { ...before, ...fields });
  assert.equal(raced.status, 404);
  assert.match(raced.text, /Si lo usó usted, inicie sesión/);

  const member = await givenPerson(app, await app.given.company(), 'owner');
  const asked = { email: member.email, role: 'reader' };
  const invited = await browser.ask('POST', `/${company_id}/invitations`, asked);
  assert.equal(invited.status, 201, invited.text);
  const joining = new URL(invited.body.data.link).pathname;
  const [joined, twice] = await pressTwice(member.browser, joining, {});
  assert.deepEqual(wayOf(joined), [303, `/dashboard/${company_id}`]);
  assert.deepEqual(wayOf(twice), [303, '/dashboard']);

  // Signed in in another tab, while the page of a link that is still open was there: the page tells who it is for.
  const open = await invite('ana.tres@norte.example');
  const tab = new PersonBrowser(app);
  const form = await tab.open(open);
  await tab.submit('/sign-in', { email: member.email, password: member.password });
  assert.deepEqual(wayOf(await tab.post(open, { ...form, ...fields })), [303, open]);
  assert.match((await tab.get(open)).text, /la invitación es para otra dirección/);
});

test('given a link for a new password, when it is sent twice in a session, then the answer does not say that nothing was done', async (t) => {
  const app = await startApp(t);
  const { email, password, browser } = await givenPerson(app, await app.given.company(), 'owner');
  const path = `/reset/${await resetByOperator(app.db, email, app.clock.now())}`;
  const fresh = 'una clave del todo nueva';
  app.clock.advance(1);
  const [first, again] = await pressTwice(browser, path, { password: fresh });
  assert.deepEqual(wayOf(first), [303, '/sign-in?done=reset']);
  assert.equal(again.status, 404);
  assert.match(again.text, /Si lo usó usted, inicie sesión/);
  assert.equal((await new PersonBrowser(app).submit('/sign-in', { email, password })).status, 422);
  assert.equal((await browser.submit('/sign-in', { email, password: fresh })).status, 303);
});

test('given nobody, when the set-up is sent twice, then the first person makes the keys that the first answer showed', async (t) => {
  const app = await startWithNobody(t);
  await app.sql`truncate users, user_emails, user_companies, members, sessions, account_links`;
  const path = `/setup/${await makeSetupLink(app.db.index, app.clock.now())}`;
  const browser = new PersonBrowser(app);
  const person = { name: 'Ana Ruiz', email: 'ana@norte.example', password: 'un caballo correcto' };
  const company = { company_name: 'Librería Norte SL', tax_id: randomTaxId() };
  const [ready, again] = await pressTwice(browser, path, { ...person, ...company });
  assert.equal(ready.status, 200, ready.text);
  app.given.secrets.push(...[...ready.text.matchAll(/svc_(?:live|test)_\w{24}/g)].map(([key]) => key));
  assert.equal(again.status, 303);
  assert.match(again.location ?? '', /^\/dashboard\/[\w-]{36}\/keys\/new\?first=1$/);
  assert.equal((await browser.get(again.location!)).status, 200);

  // A link that nobody used opens nothing either, and is no way to the dashboard.
  const { csrf = '' } = await browser.open('/confirm');
  assert.equal((await browser.post(`/setup/${'A'.repeat(43)}`, { csrf })).status, 404);
});
