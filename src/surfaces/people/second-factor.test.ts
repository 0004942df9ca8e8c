/** Signing in with a second proof: codes, recovery codes, and passkeys by Chromium's own authenticator. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { type App, startApp } from '../../../test/harness.ts';
import { findFreePort } from '../../../test/support/free-port.ts';
import { openBrowser, visit } from '../../../test/support/browser.ts';
import {
  alertOf,
  givenPerson,
  PersonBrowser,
  type TestPerson,
} from '../../../test/support/person-browser.ts';
import type { Ports } from '../../kernel/ports.ts';
import { resetByOperator } from '../../modules/people/index.ts';
import { codeAt, readBase32, stepAt } from '../../modules/people/rules/totp.ts';

const minute = 60_000;

async function startWithPeople(t: TestContext, env: Record<string, string> = {}) {
  let people: Ports['people'] | undefined;
  const app = await startApp(t, {
    env,
    wrap_ports(ports) {
      people = ports.people;
      return ports;
    },
  });
  return { app, people: people! };
}

type Started = Awaited<ReturnType<typeof startWithPeople>>;

/** A code of none of the three times that count: any code may be one of them by chance. */
function wrongCode(code: (steps: number) => string): string {
  const right = [-1, 0, 1].map(code);
  return ['000000', '111111', '222222', '333333'].find((one) => !right.includes(one))!;
}

async function givenTotp({ app, people }: Started, { user_id, email }: TestPerson) {
  const { secret, address } = await people.factors.beginTotp({ id: user_id, email });
  assert.ok(address.startsWith('otpauth://totp/Folio:'));
  const code = (steps = 0) => codeAt(readBase32(secret), stepAt(app.clock.now()) + steps);
  assert.equal(await people.factors.confirmTotp(user_id, wrongCode(code)), 'wrong');
  const confirmed = await people.factors.confirmTotp(user_id, code(-1));
  assert.ok(confirmed !== 'wrong' && confirmed.recovery_codes);
  return { code, recovery_codes: confirmed.recovery_codes };
}

const half = async (app: App, { email, password }: TestPerson, return_to?: string) => {
  const browser = new PersonBrowser(app);
  const fields = { email, password, ...(return_to ? { return_to } : {}) };
  const answer = await browser.submit('/sign-in', fields);
  assert.equal(answer.status, 303);
  return { browser, location: answer.location! };
};

test('given an application of codes, when the password is right, then a code is asked for, and each counts once', async (t) => {
  const started = await startWithPeople(t);
  const { app } = started;
  const person = await givenPerson(app, await app.given.company(), 'owner');
  const { code } = await givenTotp(started, person);
  const first = await half(app, person, '/oauth/authorize?x=1');
  assert.equal(first.location, '/sign-in/second-factor?return_to=%2Foauth%2Fauthorize%3Fx%3D1');
  assert.equal(first.browser.cookies.get('folio_session'), undefined, 'half a sign-in opens nothing');
  const wrong = await first.browser.submit(first.location, { code: wrongCode(code) });
  assert.deepEqual(
    [wrong.status, alertOf(wrong.text)],
    [422, 'Eso no es correcto. Un código sirve una sola vez.'],
  );
  const typed = code();
  const done = await first.browser.submit(first.location, { code: typed });
  assert.deepEqual([done.status, done.location], [303, '/oauth/authorize?x=1']);
  assert.ok(first.browser.cookies.get('folio_session'));
  const second = await half(app, person);
  assert.equal((await second.browser.submit(second.location, { code: typed })).status, 422, 'used before');
  app.clock.advance(minute);
  assert.equal((await second.browser.submit(second.location, { code: code() })).status, 303);
  const [last] = await app.sql<
    { amr: string[] }[]
  >`select amr from sessions where user_id = ${person.user_id} order by created_at desc limit 1`;
  assert.deepEqual(last?.amr, ['pwd', 'otp', 'mfa']);
  // A new proof of somebody who is in asks for both as well.
  app.clock.advance(minute);
  const short = await second.browser.submit('/confirm', { password: person.password });
  assert.equal(short.status, 422);
  assert.equal(
    (await second.browser.submit('/confirm', { password: person.password, code: code() })).status,
    303,
  );
});

test('given two who show one code at once, then one is in', async (t) => {
  const started = await startWithPeople(t);
  const person = await givenPerson(started.app, await started.app.given.company(), 'owner');
  const { code } = await givenTotp(started, person);
  const [one, other] = [await half(started.app, person), await half(started.app, person)];
  const typed = { code: code() };
  const answers = await Promise.all(
    [one, other].map(({ browser, location }) => browser.submit(location, typed)),
  );
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [303, 422]);
});

test('given a lost application, then each recovery code counts once, and new ones replace the old', async (t) => {
  const started = await startWithPeople(t);
  const { app, people } = started;
  const person = await givenPerson(app, await app.given.company(), 'owner');
  const { recovery_codes } = await givenTotp(started, person);
  assert.equal(new Set(recovery_codes).size, 10);
  const [first, second] = recovery_codes;
  const enter = async (code: string) => {
    const { browser, location } = await half(app, person);
    return (await browser.submit(location, { code })).status;
  };
  assert.deepEqual([await enter(first!), await enter(first!)], [303, 422]);
  assert.equal(await enter(second!.toUpperCase().replaceAll('-', ' ')), 303);
  assert.equal((await people.factors.view(person.user_id)).recovery_codes_left, 8);
  const rows = await app.sql<
    { code_hash: Buffer }[]
  >`select code_hash from user_recovery_codes where user_id = ${person.user_id}`;
  for (const { code_hash } of rows) assert.equal(code_hash.length, 32);
  const [fresh] = await people.factors.renewRecoveryCodes(person.user_id);
  assert.deepEqual([await enter(recovery_codes[2]!), await enter(fresh!)], [422, 303]);
  await resetByOperator(app.db, person.email, app.clock.now());
  assert.equal(
    (await half(app, person)).location,
    '/sign-in/second-factor',
    'a new password is no new factor',
  );
  assert.equal(await people.factors.removeTotp(person.user_id), true);
  assert.equal((await people.factors.view(person.user_id)).recovery_codes_left, 0);
  const { location } = await half(app, person);
  assert.equal(location, '/dashboard', 'the password is enough again');
  await givenTotp(started, person);
  const link = await resetByOperator(app.db, person.email, app.clock.now(), { drops_factors: true });
  const { email } = person;
  const refused = await new PersonBrowser(app).submit('/sign-in', { email, password: person.password });
  assert.equal(refused.status, 422, 'the old password alone opens nothing');
  assert.equal((await person.browser.get('/dashboard/api/session')).status, 401);
  const password = 'otra frase bien larga';
  await new PersonBrowser(app).submit(`/reset/${link}`, { password });
  assert.equal((await half(app, { ...person, password })).location, '/dashboard');
});

test('given wrong codes, then the person has to wait; given half a sign-in that is old, changed or another person’s, then it begins anew', async (t) => {
  const started = await startWithPeople(t);
  const { app } = started;
  const person = await givenPerson(app, await app.given.company(), 'owner');
  const { code } = await givenTotp(started, person);
  const { browser, location } = await half(app, person);
  const statuses: number[] = [];
  for (let turn = 0; turn < 11; turn++)
    statuses.push((await browser.submit(location, { code: wrongCode(code) })).status);
  assert.deepEqual([statuses[9], statuses[10]], [422, 429]);
  assert.equal((await browser.submit(location, { code: code() })).status, 429, 'a right one waits as well');
  app.clock.advance(16 * minute);
  const late = await browser.get(location);
  assert.deepEqual([late.status, late.location], [303, '/sign-in']);
  const again = await half(app, person);
  for (const forged of [
    '',
    'x',
    again.browser.cookies.get('folio_half')!.replace(/^./, (sign) => (sign === 'A' ? 'B' : 'A')),
  ]) {
    const other = new PersonBrowser(app);
    other.cookies.set('folio_half', forged);
    assert.equal((await other.get('/sign-in/second-factor')).location, '/sign-in');
  }
  await app.sql`update users set password_set_at = ${new Date(app.clock.now().getTime() + 1)} where id = ${person.user_id}`;
  const changed = await again.browser.submit(again.location, { code: code() });
  assert.deepEqual([changed.status, changed.location], [303, '/sign-in'], 'the password changed meanwhile');
  assert.equal(again.browser.cookies.get('folio_session'), undefined);
});

test('given a passkey, then it is the second proof, the whole sign-in and a new proof, and is not taken twice', async (t) => {
  const browser = await openBrowser(t);
  if (!browser) return;
  const port = await findFreePort();
  // Pages of an address without a name have no passkeys, so this one is opened by its name.
  const started = await startWithPeople(t, { PORT: String(port) });
  const { app, people } = started;
  const person = await givenPerson(app, await app.given.company(), 'owner');
  const host = `localhost:${port}`;
  const page_of = (bound_to: string) => ({ bound_to, host });
  const { page } = await visit(browser, `http://${host}`, { width: 800, language: 'es', has_script: true });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.goto(`http://${host}/sign-in`);
  const { name, email, user_id: id } = { name: 'Ana Ruiz', ...person };
  const options = await people.passkeys.creationOptions({ id, name, email }, page_of('session 1'));
  const response: unknown = await page.evaluate(`navigator.credentials
    .create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(${JSON.stringify(options)}) })
    .then((made) => made.toJSON())`);
  const add = (bound_to: string) =>
    people.factors.addPasskey({ of: id, name: 'Portátil', response: response as never }, page_of(bound_to));
  assert.equal(await add('session 2'), 'wrong', 'the challenge was made for another session');
  const added = await add('session 1');
  assert.ok(typeof added === 'object' && added.recovery_codes?.length === 10);
  assert.equal(await add('session 1'), 'wrong', 'a challenge counts once');

  const place = { ip: '192.0.2.7', user_agent: null };
  const asked = await people.passkeys.requestOptions(page_of('visitor'));
  const shown: unknown = await page.evaluate(`navigator.credentials
    .get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(${JSON.stringify(asked)}) })
    .then((made) => made.toJSON())`);
  const enterBy = (bound_to: string) => people.signInByPasskey(shown as never, page_of(bound_to), place);
  assert.deepEqual(await enterBy('another visitor'), { wrong: true });
  const entered = await Promise.all([enterBy('visitor'), enterBy('visitor')]);
  assert.deepEqual(
    entered.filter((one) => 'wrong' in one).length,
    1,
    'of one answer twice at once, one opens',
  );
  assert.deepEqual(await enterBy('visitor'), { wrong: true }, 'an answer is taken once');
  await app.sql`delete from sessions where user_id = ${id} and ip = ${place.ip}`;

  const isIn = async () => {
    await page.waitForURL(/\/dashboard/);
    await page.goto(`http://${host}/sign-in`);
    await page.getByRole('heading', { name: 'Ha iniciado sesión como Ana Ruiz' }).waitFor();
  };
  const enter = page.getByRole('button', { name: 'Entrar con una llave de acceso' });
  await page.goto(`http://${host}/sign-in`);
  await Promise.all([page.waitForRequest(/sign-in\/passkey/), enter.click()]);
  await isIn();
  await page.goto(`http://${host}/confirm`);
  await page.getByRole('button', { name: 'Usar una llave de acceso' }).click();
  await isIn();
  await page.getByRole('button', { name: 'Cerrar sesión' }).click();
  await page.getByLabel('Correo electrónico').fill(email);
  await page.getByLabel('Contraseña').fill(person.password);
  await page.getByRole('button', { name: 'Iniciar sesión' }).click();
  await page.getByRole('heading', { name: 'Su segundo paso' }).waitFor();
  await page.getByRole('button', { name: 'Usar una llave de acceso' }).click();
  await isIn();
  const rows = await app.sql<{ amr: string[] }[]>`select amr from sessions where user_id = ${id}`;
  assert.deepEqual(rows.map(({ amr }) => amr.includes('hwk')).filter(Boolean), [true]);
  await page.context().clearCookies();
  await people.factors.removePasskey(id, added.id);
  await page.goto(`http://${host}/sign-in`);
  await enter.click();
  await page.getByText('Esa llave de acceso no abre ninguna cuenta aquí.').waitFor();
});
