/** People over HTTP, as a browser without script sends it: how they come in, stay, prove themselves and leave. */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { type Answer, type App, startApp } from '../../../test/harness.ts';
import { alertOf, givenPerson, hiddenOf, PersonBrowser } from '../../../test/support/person-browser.ts';
import { inviteByOperator, purgePeople, resetByOperator } from '../../modules/people/index.ts';
import { readReturnTo } from './return-to.ts';

const minute = 60_000;
const hour = 60 * minute;

const sessionOf = (browser: PersonBrowser) => browser.cookies.get('folio_session');

async function isIn(browser: PersonBrowser): Promise<boolean> {
  const page = await browser.get('/sign-in');
  assert.equal(page.status, 200);
  return !page.text.includes('name="email"');
}

async function signIn(app: App, email: string, password: string, browser = new PersonBrowser(app)) {
  return { browser, answer: await browser.submit('/sign-in', { email, password }) };
}

test('given an invitation, when it is taken, then the person is in, and the link opens no more', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company({ name: 'Librería Norte SL' });
  const invite = () =>
    inviteByOperator(
      app.db,
      { company_id: acme.company_id, email: 'Eva.Soler@Norte.example', role: 'accountant' },
      app.clock.now(),
    );
  assert.deepEqual(await invite(), { refused: 'no owner' }, 'the first person of a company is its owner');
  await givenPerson(app, acme, 'owner');
  const invited = await invite();
  assert.ok('link' in invited);
  const path = `/invitation/${invited.link}`;
  const browser = new PersonBrowser(app);
  const page = await browser.get(path);
  assert.match(page.text, /Librería Norte SL como contable/);
  assert.match(page.text, /eva\.soler@norte\.example/);
  // Opening it, as programs that read mail do, changes nothing.
  await new PersonBrowser(app).get(path);
  for (const [password, fault] of [
    ['corta', 'La contraseña debe tener 12 caracteres o más.'],
    ['Librería Norte SL', 'La contraseña no puede ser su dirección, su nombre ni el de la empresa.'],
  ] as const) {
    const refused = await browser.submit(path, { name: 'Eva', password });
    assert.equal(refused.status, 422);
    assert.ok(alertOf(refused.text)?.includes(fault), refused.text);
    assert.ok(!refused.text.includes(`value="${password}"`), 'a password is not shown again');
  }
  const nameless = await browser.submit(path, { name: ' ', password: 'un caballo correcto' });
  assert.match(alertOf(nameless.text) ?? '', /Escriba su nombre/);
  const joined = await browser.submit(path, { name: 'Eva Soler', password: 'un caballo correcto' });
  assert.deepEqual([joined.status, joined.location], [303, '/dashboard']);
  const account = await browser.get('/sign-in');
  assert.match(account.text, /Ha iniciado sesión como Eva Soler/);
  assert.match(account.text, /Librería Norte SL<\/strong> \(contable\)/);
  assert.equal((await new PersonBrowser(app).get(path)).status, 404);
  const { answer } = await signIn(app, ' EVA.soler@norte.example', 'un caballo correcto');
  assert.equal(answer.status, 303);
  const { body } = await app.get('/v1/audit-log', { key: acme.live_key, query: { action: 'member.added' } });
  const [entry] = body.data;
  assert.deepEqual(
    [entry.actor, entry.actor_name, entry.actor_user_id, entry.target.id, entry.details],
    ['user', 'Eva Soler', entry.actor_id, entry.actor_id, { role: 'accountant' }],
  );
});

test('given wrong names and passwords, then the answer is one, and whoever goes on has to wait', async (t) => {
  const app = await startApp(t, { fresh: true });
  const { email, password } = await givenPerson(app, await app.given.company(), 'owner');
  const texts = new Set<string>();
  for (const [who, what] of [
    [email, 'no es esta la clave'],
    ['nadie@norte.example', password],
    ['nadie', ''],
    [email, ''],
    [`${email}\0`, password],
    ['\0', '\0'],
  ] as const) {
    const { answer } = await signIn(app, who, what);
    assert.equal(answer.status, 422);
    texts.add(alertOf(answer.text) ?? '');
    assert.equal(answer.headers['set-cookie'], undefined);
  }
  assert.deepEqual([...texts], ['El correo o la contraseña no son correctos.']);
  // Two failures so far. A right password in between neither counts nor resets.
  for (let tries = 0; tries < 8; tries++) {
    assert.equal((await signIn(app, email, `mal ${tries}`)).answer.status, 422);
    if (tries === 3) assert.equal((await signIn(app, email, password)).answer.status, 303);
  }
  const { answer: blocked } = await signIn(app, email, password);
  assert.equal(blocked.status, 429, 'the eleventh, although it is right');
  assert.ok(Number(blocked.headers['retry-after']) > 14 * 60);
  assert.match(alertOf(blocked.text) ?? '', /dentro de 15 minutos/);
  // Unknown addresses have the same count.
  app.clock.advance(2 * minute);
  const codes: number[] = [];
  for (let tries = 0; tries < 11; tries++)
    codes.push((await signIn(app, 'x@norte.example', 'mal')).answer.status);
  assert.deepEqual(codes, [...Array(10).fill(422), 429]);
  // One place, whatever the addresses: 20 in a minute.
  app.clock.advance(2 * minute);
  codes.length = 0;
  for (let tries = 0; tries < 21; tries++)
    codes.push((await signIn(app, `${tries}@norte.example`, 'mal')).answer.status);
  assert.deepEqual([codes.filter((code) => code === 422).length, codes.at(-1)], [20, 429]);
  app.clock.advance(15 * minute);
  assert.equal((await signIn(app, email, password)).answer.status, 303);
});

test('given many who sign in at once, then two are tried at a time, also of addresses that nobody has', async (t) => {
  const app = await startApp(t, { fresh: true });
  const browsers = await Promise.all(
    Array.from({ length: 6 }, async (_, i) => {
      const browser = new PersonBrowser(app);
      const { text } = await browser.get('/sign-in');
      return { browser, fields: { ...hiddenOf(text), email: `n${i}@norte.example`, password: 'x' } };
    }),
  );
  let busy: Answer | undefined;
  // A busy machine may bring them one after the other.
  for (let round = 0; busy === undefined && round < 50; round++) {
    await app.sql`truncate sign_in_tries`;
    const answers = await Promise.all(
      browsers.map(({ browser, fields }) => browser.post('/sign-in', fields)),
    );
    const codes = answers.map(({ status }) => status);
    assert.ok(codes.includes(422) && codes.every((code) => code === 422 || code === 503), String(codes));
    busy = answers.find(({ status }) => status === 503);
    // A 503 uses up no try.
    const rows = await app.sql<
      { used: number }[]
    >`select used from sign_in_tries where since >= ${app.clock.now()}`;
    assert.equal(
      rows.reduce((sum, { used }) => sum + used, 0),
      codes.filter((code) => code === 422).length,
    );
  }
  assert.deepEqual(
    [busy?.headers['retry-after'], /<h1>Vuelva a intentarlo/.test(busy?.text ?? '')],
    ['1', true],
  );
});

test('given one place that signs in again and again with a right password, when somebody signs in from another, then they are in at once', async (t) => {
  const app = await startApp(t, { env: { FOLIO_TRUSTED_PROXIES: '127.0.0.1' } });
  const acme = await app.given.company();
  const { email, password } = await givenPerson(app, acme, 'owner');
  const ready = async (ip: string) => {
    const browser = new PersonBrowser(app);
    const fields = { ...(await browser.open('/sign-in')), email, password };
    return () => browser.post('/sign-in', fields, { 'x-forwarded-for': ip });
  };
  const here = await Promise.all(Array.from({ length: 8 }, () => ready('198.51.100.1')));
  const there = await Promise.all(Array.from({ length: 8 }, () => ready('198.51.100.2')));
  let refused = 0;
  let going_on = true;
  const flood = here.map(async (signIn) => {
    while (going_on) if ((await signIn()).status === 503) refused += 1;
  });
  const codes: number[] = [];
  for (const signIn of there) codes.push((await signIn()).status);
  going_on = false;
  await Promise.all(flood);
  assert.deepEqual(codes, Array(there.length).fill(303));
  assert.ok(refused > 0, 'the other place asks for more than it may');
});

test('given a password that was hashed with other parameters, when it opens, then it is hashed anew', async (t) => {
  const app = await startApp(t);
  const { user_id, email } = await givenPerson(app, await app.given.company(), 'reader');
  // Of the reference implementation's own test (phc-winner-argon2, src/test.c).
  const old = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
  await app.sql`update users set password_hash = ${old} where id = ${user_id}`;
  const stored = async () =>
    (await app.sql`select password_hash from users where id = ${user_id}`)[0]?.password_hash;
  assert.equal((await signIn(app, email, 'Password')).answer.status, 422);
  assert.equal(await stored(), old);
  assert.equal((await signIn(app, email, 'password')).answer.status, 303);
  assert.match(await stored(), /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  assert.equal((await signIn(app, email, 'password')).answer.status, 303);
});

test('given sessions, links and counts that are over, when they are purged, then the others stay', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const { email, password, browser } = await givenPerson(app, acme, 'owner');
  const invite = (who: string) =>
    inviteByOperator(
      app.db,
      { company_id: acme.company_id, email: `${who}@norte.example`, role: 'reader' },
      app.clock.now(),
    );
  await app.sql`truncate account_links, sign_in_tries`;
  await app.sql`delete from sessions where user_id <> (select user_id from user_emails where email = ${email})`;
  await invite('primera');
  await signIn(app, 'vieja@norte.example', 'mal');
  app.clock.advance(7 * 24 * hour);
  await signIn(app, email, password, browser);
  await app.sql`delete from sign_in_tries where used = 0`;
  await invite('segunda');
  await signIn(app, 'otra@norte.example', 'mal');
  const counts = async () => {
    const [row] =
      await app.sql`select (select count(*)::int from sessions) as sessions, (select count(*)::int from account_links) as links,
                                       (select count(*)::int from sign_in_tries) as tries`;
    return { ...row };
  };
  assert.deepEqual(await counts(), { sessions: 2, links: 2, tries: 2 });
  await purgePeople(app.db, app.clock.now());
  assert.deepEqual(await counts(), { sessions: 1, links: 1, tries: 1 });
  assert.ok(await isIn(browser));
});

test('given a session, then it lasts 12 idle hours and 30 days in all, and ends when the person leaves', async (t) => {
  const app = await startApp(t);
  const { email, password, browser } = await givenPerson(app, await app.given.company(), 'reader');
  app.clock.advance(11.9 * hour);
  assert.ok(await isIn(browser));
  app.clock.advance(11.9 * hour);
  assert.ok(await isIn(browser), 'its use counts');
  app.clock.advance(12.1 * hour);
  assert.ok(!(await isIn(browser)));
  await signIn(app, email, password, browser);
  for (let days = 0; days < 30 * 24; days += 11) {
    assert.ok(await isIn(browser), `after ${days} hours`);
    app.clock.advance(11 * hour);
  }
  assert.ok(!(await isIn(browser)), 'after 30 days, however it was used');
  await signIn(app, email, password, browser);
  const token = sessionOf(browser);
  const out = await browser.submit('/sign-in', {}, '/sign-out');
  assert.deepEqual([out.status, out.location, sessionOf(browser)], [303, '/sign-in', undefined]);
  browser.cookies.set('folio_session', token!);
  assert.ok(!(await isIn(browser)), 'its value opens nothing any more');
});

test('given values that were known before, when somebody signs in, then the session has another', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const { email, password, browser } = await givenPerson(app, acme, 'reader');
  const first = sessionOf(browser)!;
  // A value that a stranger planted is not taken up.
  const planted = 'A'.repeat(43);
  const victim = new PersonBrowser(app);
  victim.cookies.set('folio_session', planted);
  await signIn(app, email, password, victim);
  assert.notEqual(sessionOf(victim), planted);
  assert.equal(
    (await app.sql`select 1 from sessions where token_hash = sha256(${Buffer.from(planted)})`).length,
    0,
  );
  // Signing in again ends the session of before; a proof gives it another value.
  await browser.post('/sign-in', { ...hiddenOf((await browser.get('/confirm')).text), email, password });
  const second = sessionOf(browser)!;
  const proved = await browser.submit('/confirm?return_to=/sign-in', { password });
  assert.deepEqual([proved.status, proved.location], [303, '/sign-in']);
  const third = sessionOf(browser)!;
  assert.equal(new Set([first, second, third]).size, 3);
  for (const old of [first, second]) {
    const other = new PersonBrowser(app);
    other.cookies.set('folio_session', old);
    assert.ok(!(await isIn(other)));
  }
  assert.ok(await isIn(browser));
  const wrong = await browser.submit('/confirm', { password: 'otra cosa distinta' });
  assert.deepEqual([wrong.status, alertOf(wrong.text)], [422, 'La contraseña no es correcta.']);
  assert.equal(sessionOf(browser), third);
});

test('given a link for a new password, when it is used, then all sessions end, and it opens once', async (t) => {
  const app = await startApp(t);
  const { email, password, browser } = await givenPerson(app, await app.given.company(), 'reader');
  const [one, two] = [
    await resetByOperator(app.db, email, app.clock.now()),
    await resetByOperator(app.db, email.toUpperCase(), app.clock.now()),
  ];
  const path = `/reset/${one}`;
  const other = new PersonBrowser(app);
  assert.match(
    (await other.get(path)).text,
    /llaves de acceso, las aplicaciones que autorizó y las claves siguen valiendo/,
  );
  assert.equal((await other.submit(path, { password: email })).status, 422);
  app.clock.advance(1);
  // Both see the form before either sends it.
  const forms = await Promise.all(
    [other, new PersonBrowser(app)].map(async (by) => ({ by, hidden: hiddenOf((await by.get(path)).text) })),
  );
  const fresh = { password: 'una clave del todo nueva' };
  const both = await Promise.all(forms.map(({ by, hidden }) => by.post(path, { ...hidden, ...fresh })));
  assert.deepEqual(both.map(({ status }) => status).sort(), [303, 404]);
  assert.ok(!(await isIn(browser)), 'whoever was in is out');
  assert.equal((await new PersonBrowser(app).get(`/reset/${two}`)).status, 404, 'the other link with it');
  assert.match((await other.get('/sign-in?done=reset')).text, /La contraseña ha cambiado/);
  assert.equal((await signIn(app, email, password)).answer.status, 422);
  assert.equal((await signIn(app, email, 'una clave del todo nueva')).answer.status, 303);
  const late = await resetByOperator(app.db, email, app.clock.now());
  app.clock.advance(hour + 1);
  assert.equal((await new PersonBrowser(app).get(`/reset/${late}`)).status, 404, 'after an hour');
  assert.equal(await resetByOperator(app.db, 'nadie@norte.example', app.clock.now()), undefined);
});

test('given a form that is not ours, then nothing is done', async (t) => {
  const app = await startApp(t);
  const { email, password } = await givenPerson(app, await app.given.company(), 'reader');
  const browser = new PersonBrowser(app);
  const fields: Record<string, string> = {
    ...hiddenOf((await browser.get('/sign-in')).text),
    email,
    password,
  };
  const stranger = new PersonBrowser(app);
  const theirs = hiddenOf((await stranger.get('/sign-in')).text).csrf ?? '';
  const cases: [what: string, fields: Record<string, string>, headers: Record<string, string>][] = [
    ['another origin', fields, { origin: 'https://evil.example' }],
    ['an origin that is hidden', fields, { origin: 'null' }],
    ['another site', fields, { 'sec-fetch-site': 'cross-site' }],
    ['a neighbour', fields, { 'sec-fetch-site': 'same-site' }],
    ['no field', { email, password }, {}],
    ['a field of somebody else', { ...fields, csrf: theirs }, {}],
    ['a damaged field', { ...fields, csrf: `${fields.csrf?.slice(0, -1)}` }, {}],
    [
      'two cookies of the name',
      fields,
      { cookie: `folio_pre=${'B'.repeat(43)}; folio_pre=${browser.cookies.get('folio_pre')}` },
    ],
    ['no cookie', fields, { cookie: 'x=y' }],
  ];
  for (const [what, sent, headers] of cases) {
    const copy = new PersonBrowser(app);
    for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
    const answer = await copy.post('/sign-in', sent, headers);
    assert.equal(answer.status, 403, what);
    assert.match(answer.text, /No se ha hecho nada/);
  }
  const nobody = await app.post('/sign-in', {
    raw: '',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  assert.equal(nobody.status, 403, 'without an origin');
  const json = await browser.post('/sign-in', fields, { 'content-type': 'application/json' });
  assert.equal(json.status, 415);
  const large = await browser.post('/sign-in', { ...fields, password: 'x'.repeat(20_000) });
  assert.equal(large.status, 413);
  assert.match(large.text, /<h1>No se ha podido leer/);
  // A browser that does not tell the site, and one that knows this machine by another name.
  const cookie = `folio_pre=${browser.cookies.get('folio_pre')}`;
  const { port } = new URL(app.url);
  for (const [origin, host] of [
    [app.url, `127.0.0.1:${port}`],
    [`http://localhost:${port}`, `localhost:${port}`],
  ] as const) {
    const headers = { origin, host, cookie, 'content-type': 'application/x-www-form-urlencoded' };
    const raw = new URLSearchParams(fields).toString();
    assert.equal((await app.post('/sign-in', { headers, raw })).status, 303, origin);
  }
  const right = await browser.post('/sign-in', fields);
  assert.equal(right.status, 303);
  // A page to sign in that was open in another tab leads to who is in, and signs nobody in.
  const late = await browser.post('/sign-in', fields);
  assert.deepEqual([late.status, late.location], [303, '/sign-in']);
  // The session's forms are bound to it.
  const account = hiddenOf((await browser.get('/sign-in')).text);
  assert.equal((await stranger.post('/sign-out', account)).location, '/sign-in', 'nobody is in there');
  assert.equal((await browser.post('/sign-out', { csrf: fields.csrf ?? '' })).status, 403);
  assert.ok(await isIn(browser));
  // Of a button that is pressed twice a browser shows the second answer. Pages may be open for longer than the session, too.
  const [twice, stale] = [new PersonBrowser(app), new PersonBrowser(app)];
  for (const copy of [twice, stale])
    for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
  assert.equal((await browser.post('/sign-out', account)).location, '/sign-in');
  const again = await twice.post('/sign-out', account);
  assert.deepEqual(
    [again.status, again.location, twice.cookies.has('folio_session')],
    [303, '/sign-in', false],
  );
  const proof = await stale.post('/confirm', { csrf: account.csrf ?? '', password, return_to: '/dashboard' });
  assert.deepEqual([proof.status, proof.location], [303, '/sign-in?return_to=%2Fdashboard']);
});

test('given a way back, then it is a path of this service or none', async (t) => {
  const app = await startApp(t);
  const { email, password } = await givenPerson(app, await app.given.company(), 'reader');
  const own = '/oauth/authorize?client_id=x&scope=svc.read%20svc.write';
  const strange = [
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https://evil.example',
    'https:evil.example',
    'evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    ' //evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    '@evil.example',
    'javascript:alert(1)',
    '',
  ];
  for (const text of strange) assert.equal(readReturnTo(text), undefined, JSON.stringify(text));
  for (const text of ['/', '/a', own, '/a//b', '/?x=//evil.example']) assert.equal(readReturnTo(text), text);
  const browser = new PersonBrowser(app);
  const query = (text: string) => `/sign-in?return_to=${encodeURIComponent(text)}`;
  for (const text of strange) {
    const page = await browser.get(query(text));
    assert.equal(hiddenOf(page.text).return_to, undefined, text);
    const answer = await browser.post('/sign-in', {
      ...hiddenOf(page.text),
      return_to: text,
      email,
      password,
    });
    assert.deepEqual([answer.status, answer.location], [303, '/dashboard'], text);
    await browser.submit('/sign-in', {}, '/sign-out');
  }
  const answer = await browser.submit(query(own), { email, password });
  assert.deepEqual([answer.status, answer.location], [303, own]);
  assert.equal((await browser.get(query(own))).location, own, 'whoever is in goes there at once');
  const unknown = await new PersonBrowser(app).get('/confirm?return_to=/x');
  assert.equal(unknown.location, `/sign-in?return_to=${encodeURIComponent('/confirm?return_to=/x')}`);
});

test('given a form of one place that does not end, then others are taken from other places', async (t) => {
  const env = { FOLIO_TRUSTED_PROXIES: '127.0.0.1' };
  const app = await startApp(t, { env, body_bounds: { bodies_max: 1 } });
  const from = (ip: string) => ({
    origin: app.url,
    'x-forwarded-for': ip,
    'content-type': 'application/x-www-form-urlencoded',
  });
  const headers = { ...from('198.51.100.1'), 'content-length': '60' };
  const slow = request(`${app.url}/sign-in`, { method: 'POST', headers });
  slow.on('error', () => undefined);
  slow.write('a');
  const send = (ip: string) => app.post('/sign-in', { headers: from(ip), raw: 'csrf=x' });
  let status = 0;
  while (status !== 429) ({ status } = await send('198.51.100.1'));
  assert.equal((await send('198.51.100.2')).status, 403, 'read, and found not to be ours');
  slow.destroy();
});

test('given any page for people, then its headers keep it to itself', async (t) => {
  const app = await startApp(t);
  const { browser } = await givenPerson(app, await app.given.company(), 'reader');
  const stranger = new PersonBrowser(app);
  stranger.language = 'en-GB,en;q=0.9,es;q=0.5';
  const pages = [
    await stranger.get('/sign-in'),
    await stranger.get('/setup/nothing'),
    await stranger.get('/setup'),
    await stranger.get('/reset/a/b'),
    await stranger.post('/sign-in', {}),
    await browser.get('/sign-in'),
    await browser.get('/confirm'),
  ];
  for (const { headers, text } of pages) {
    assert.equal(
      headers['content-security-policy'],
      "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'; form-action 'self'",
    );
    assert.deepEqual(
      [headers['cache-control'], headers['referrer-policy'], headers['x-content-type-options']],
      ['no-store', 'same-origin', 'nosniff'],
    );
    assert.ok(!/<script|style="|<style/.test(text));
  }
  assert.match(pages[0]!.text, /<html lang="en">.*Sign in/s);
  assert.match(pages[5]!.text, /<html lang="es">/);
  const [cookie] = [pages[0]!.headers['set-cookie'] ?? []].flat();
  assert.match(String(cookie), /^folio_pre=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=86400$/);
  const style = /href="(\/assets\/[^"]+)"/.exec(pages[0]!.text)?.[1] ?? '';
  const sheet = await app.get(style);
  assert.deepEqual([sheet.status, sheet.headers['content-type']], [200, 'text/css; charset=utf-8']);
  for (const method of ['PUT', 'DELETE'] as const)
    assert.equal((await app.call(method, '/sign-in')).status, 405);
});

test('given a public address with https and a path, then cookies are bound to the host, and links keep the path', async (t) => {
  const app = await startApp(t, { env: { FOLIO_PUBLIC_URL: 'https://facturas.example/folio' } });
  const page = await app.get('/sign-in');
  assert.match(
    String(page.headers['set-cookie']),
    /^__Host-folio_pre=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=86400; Secure$/,
  );
  assert.match(page.text, /href="\/folio\/assets\/people-/);
  const { email, password } = await givenPersonBehindProxy(app);
  const browser = new PersonBrowser(app);
  const fields = { ...hiddenOf((await browser.get('/sign-in')).text), email, password };
  const answer = await browser.post('/sign-in', fields, { origin: 'https://facturas.example' });
  assert.deepEqual([answer.status, answer.location], [303, '/folio/dashboard']);
  assert.match(
    String(answer.headers['set-cookie']),
    /__Host-folio_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000; Secure/,
  );
  const set = [answer.headers['set-cookie'] ?? []].flat().map((one) => one.split('=')[0]);
  assert.deepEqual(set.sort(), ['__Host-folio_pre', '__Host-folio_session'], 'each once');
});

async function givenPersonBehindProxy(app: App) {
  const { email, password } = await givenPerson(app, await app.given.company(), 'reader');
  return { email, password };
}
