/** What people ask for by mail: another password, and an account of their own. Messages are read at a real mail server. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { type App, randomTaxId, startApp } from '../../../test/harness.ts';
import { mailSettings, type MailServer, startMailServer } from '../../../test/support/mail-server.ts';
import { givenClient, grantTokens } from '../../../test/support/oauth.ts';
import { givenPerson, PersonBrowser } from '../../../test/support/person-browser.ts';
import type { Ports } from '../../kernel/ports.ts';
import { readConfig } from '../../main/config.ts';
import { resetByOperator } from '../../modules/people/index.ts';
import { codeAt, readBase32, stepAt } from '../../modules/people/rules/totp.ts';
import { makeSecretBox } from '../../platform/secrets.ts';

const minute = 60_000;

async function startWithMail(
  t: TestContext,
  env: Record<string, string> = {},
  more: Parameters<typeof startApp>[1] = {},
) {
  const mail = await startMailServer(t);
  const app = await startApp(t, {
    ...more,
    env: {
      ...mailSettings(mail),
      FOLIO_SIGN_UP: 'open',
      ...env,
    },
  });
  // Tests of another file may have left messages in this database.
  await app.sql`delete from account_emails`;
  return { app, mail };
}

async function received(app: App, mail: MailServer, number: number) {
  await app.service.people.mail.sendDue();
  assert.equal(mail.received.length, number);
  return mail.received[number - 1]!.message;
}

const linkIn = (app: App, text: string | undefined, path: string): string => {
  const found = new RegExp(`${app.url}(${path}/[\\w-]{43})\\n`).exec(text ?? '')?.[1];
  assert.ok(found, text);
  return found;
};

test('given a forgotten password, when the link of the message is used, then the new password counts and the person is told', async (t) => {
  const { app, mail } = await startWithMail(t);
  const acme = await app.given.company();
  const { user_id, email, browser } = await givenPerson(app, acme, 'owner');
  const client = await givenClient(app, acme);
  const cookie = `folio_session=${browser.cookies.get('folio_session')}`;
  const { access_token: key } = await grantTokens(app, { user_id, name: 'Ana Ruiz', cookie }, client);
  const stranger = new PersonBrowser(app);
  assert.match((await stranger.get('/sign-in')).text, /href="\/sign-in\/forgot"/);
  const unknown = await stranger.submit('/sign-in/forgot', { email: 'nadie@norte.example' });
  const known = await stranger.submit('/sign-in/forgot', { email: ` ${email.toUpperCase()} ` });
  assert.deepEqual(
    [known.status, known.text],
    [200, unknown.text],
    'the answer is the same for every address',
  );
  const message = await received(app, mail, 1);
  assert.deepEqual([message.to?.[0]?.address, message.subject], [email, 'Cambie su contraseña de Folio']);
  const path = linkIn(app, message.text, '/reset');
  assert.ok(message.html?.includes(path));
  const changed = await stranger.submit(path, { password: 'otra frase bien larga' });
  assert.deepEqual([changed.status, changed.location], [303, '/sign-in?done=reset']);
  assert.match((await browser.get('/sign-in')).text, /name="email"/, 'sessions of before are over');
  assert.equal((await stranger.get(path)).status, 404);
  const notice = await received(app, mail, 2);
  assert.equal(notice.subject, 'Cambio en su cuenta de Folio: la contraseña');
  // A grant or key that a thief made outlives the password.
  assert.match(
    notice.text ?? '',
    /retire las llaves de acceso, las aplicaciones y las claves que no conozca/,
  );
  assert.match(notice.text ?? '', /pueden actuar en su nombre: «Gestoría en línea»\. En su cuenta/);
  assert.equal((await app.get('/v1/invoices', { key })).status, 200);
  const { location } = await stranger.submit('/sign-in', { email, password: 'otra frase bien larga' });
  assert.equal(location, '/dashboard');
  const rows = await app.sql`select * from account_emails`;
  assert.deepEqual([...rows], [], 'what was sent is not kept');
});

test('given somebody who lost their factors, when the operator takes them away, then the person is told, where there is a mail server', async (t) => {
  const { app, mail } = await startWithMail(t);
  const { email } = await givenPerson(app, await app.given.company(), 'owner');
  const box = makeSecretBox(String(app.config.FOLIO_SECRET_KEY));
  await resetByOperator(app.db, email, app.clock.now(), { mail: box });
  await resetByOperator(app.db, email, app.clock.now(), { drops_factors: true });
  await resetByOperator(app.db, email, app.clock.now(), { drops_factors: true, mail: box });
  const { to, subject } = await received(app, mail, 1);
  assert.deepEqual(
    [to?.[0]?.address, subject],
    [
      email,
      'Cambio en su cuenta de Folio: la verificación en dos pasos retirada por quien opera el servicio',
    ],
  );
});

test('given open sign-up, when somebody confirms their address, then they own a company', async (t) => {
  const { app, mail } = await startWithMail(t);
  const browser = new PersonBrowser(app);
  browser.language = 'en';
  assert.match((await browser.get('/sign-in')).text, /Create an account/);
  assert.equal((await browser.submit('/sign-up', { email: 'no address' })).status, 422);
  const asked = await browser.submit('/sign-up', { email: 'Lia.Mar@sur.example' });
  assert.match(asked.text, /Look at your mail/);
  const message = await received(app, mail, 1);
  assert.equal(message.subject, 'Confirm your address to use Folio');
  const path = linkIn(app, message.text, '/sign-up/confirm');
  const fields = { name: 'Lía <b>Mar</b>', password: 'un caballo correcto' };
  const refused = await browser.submit(path, { ...fields, company_name: '', tax_id: 'B1' });
  assert.equal(refused.status, 422);
  assert.match(refused.text, /Type the name of the company/);
  // Whom they invite would read nothing.
  const unseen = { ...fields, name: '\u200b', company_name: '\u3164', tax_id: 'B12345674' };
  const { status, text } = await browser.submit(path, unseen);
  assert.deepEqual(
    [status, /Type your name/.test(text), /Type the name of the/.test(text)],
    [422, true, true],
  );
  assert.match(refused.text, /Lía &lt;b&gt;Mar/);
  const company = { company_name: 'Librería Sur SL', tax_id: 'B12345674' };
  const done = await browser.submit(path, { ...fields, ...company });
  assert.equal(done.status, 200, done.text);
  const key = /svc_live_\w+/.exec(done.text)?.[0];
  assert.equal((await app.get('/v1/account', { key: key! })).status, 200);
  assert.match((await browser.get('/sign-in')).text, /Librería Sur SL<\/strong> \(owner\)/);
  assert.equal((await browser.get(path)).status, 404, 'the link opens once');
  // Who asks again learns it by mail alone: the page says the same.
  const again = await new PersonBrowser(app).submit('/sign-up', { email: 'lia.mar@sur.example' });
  assert.equal(again.status, 200);
  assert.equal((await received(app, mail, 2)).subject, 'You have a Folio account already');
});

test('given a confirmed address, when the form is sent twice, then there is one company, and the person makes the keys that the first answer showed', async (t) => {
  const { app, mail } = await startWithMail(t);
  const asked = async (email: string) => {
    const sent = mail.received.length;
    assert.equal((await new PersonBrowser(app).submit('/sign-up', { email })).status, 200);
    return linkIn(app, (await received(app, mail, sent + 1)).text, '/sign-up/confirm');
  };
  const typed = { name: 'Iker Sol', password: 'un caballo correcto', company_name: 'Sol SL' };
  const companies = async (tax_id: string) => {
    const rows = await app.sql`select 1 from companies where tax_id = ${tax_id} and environment = 'live'`;
    return rows.length;
  };

  const path = await asked('iker.sol@sur.example');
  const browser = new PersonBrowser(app);
  const fields = { ...(await browser.open(path)), ...typed, tax_id: randomTaxId() };
  const first = await browser.post(path, fields);
  assert.equal(first.status, 200, first.text);
  const keys = [...first.text.matchAll(/svc_(?:live|test)_\w{24}/g)].map(([key]) => key);
  app.given.secrets.push(...keys);
  const again = await browser.post(path, fields);
  assert.equal(again.status, 303, again.text);
  assert.match(again.location ?? '', /^\/dashboard\/[\w-]{36}\/keys\/new\?first=1$/);
  assert.equal(await companies(fields.tax_id), 1);

  // Both are under way: neither came with a session.
  const other = await asked('iker.dos@sur.example');
  const open = new PersonBrowser(app);
  const sent = { ...(await open.open(other)), ...typed, tax_id: randomTaxId() };
  const both = await Promise.all([open.post(other, sent), open.post(other, sent)]);
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 404]);
  const [ready, late] = both.toSorted((one, two) => one.status - two.status);
  app.given.secrets.push(...[...ready!.text.matchAll(/svc_(?:live|test)_\w{24}/g)].map(([key]) => key));
  assert.match(late!.text, /Si lo usó usted, inicie sesión/);
  assert.equal(await companies(sent.tax_id), 1);
});

test('given no mail server, or no open sign-up, then the pages say so', async (t) => {
  const { app } = await startWithMail(t, { FOLIO_SIGN_UP: 'invited' });
  const closed = await new PersonBrowser(app).get('/sign-up');
  assert.deepEqual([closed.status, closed.text.includes('solo se entra por invitación')], [404, true]);
  const plain = await startApp(t);
  const none = await new PersonBrowser(plain).get('/sign-in/forgot');
  assert.deepEqual([none.status, none.text.includes('no envía correos')], [404, true]);
  assert.match((await new PersonBrowser(plain).get('/sign-in')).text, /pida a quien administra el servicio/);
  assert.throws(() => readConfig({ FOLIO_SIGN_UP: 'open' }), /FOLIO_SIGN_UP=open needs FOLIO_SMTP_URL/);
});

test('given many who ask, then an address gets three messages in a quarter of an hour, and a place has to wait', async (t) => {
  const { app, mail } = await startWithMail(t);
  const { email } = await givenPerson(app, await app.given.company(), 'owner');
  const browser = new PersonBrowser(app);
  const hidden = {
    csrf: /name="csrf" value="([^"]+)"/.exec((await browser.get('/sign-in/forgot')).text)![1]!,
  };
  const ask = (to: string) => browser.post('/sign-in/forgot', { ...hidden, email: to });
  for (let turn = 0; turn < 5; turn++) assert.equal((await ask(email)).status, 200);
  await received(app, mail, 3);
  assert.deepEqual([...(await app.sql`select * from account_emails`)], []);
  const statuses = new Set<number>();
  for (let turn = 0; turn < 20; turn++) statuses.add((await ask(`nadie${turn}@norte.example`)).status);
  assert.deepEqual([...statuses], [200, 429]);
  app.clock.advance(16 * minute);
  // A stranger who asks for an account with the address keeps nobody from a new password.
  for (let turn = 0; turn < 4; turn++) await browser.post('/sign-up', { ...hidden, email });
  assert.equal((await ask(email)).status, 200);
  assert.equal((await received(app, mail, 7)).subject, 'Cambie su contraseña de Folio');
});

test('given a mail server that is busy, then the message is kept sealed and sent later, with the same id', async (t) => {
  const { app, mail } = await startWithMail(t);
  const { email } = await givenPerson(app, await app.given.company(), 'owner');
  const ids: string[] = [];
  mail.on_data = (raw) => {
    ids.push(/^Message-ID: (.+)$/im.exec(raw.toString())![1]!.trim());
    return ids.length === 1 ? '451 Later' : undefined;
  };
  await new PersonBrowser(app).submit('/sign-in/forgot', { email });
  await app.service.people.mail.sendDue();
  const [row] = await app.sql<
    { attempts: number; sealed: Buffer }[]
  >`select attempts, sealed from account_emails`;
  assert.equal(row?.attempts, 1);
  assert.ok(!row.sealed.toString('latin1').includes(email));
  assert.equal(mail.received.length, 0);
  app.clock.advance(2 * minute);
  await received(app, mail, 1);
  assert.equal(ids.length, 2);
  assert.equal(ids[0], ids[1]);
});

test('given a message about a change that cannot be kept, then there is no change either', async (t) => {
  let people: Ports['people'] | undefined;
  const { app } = await startWithMail(
    t,
    {},
    {
      wrap_ports(ports) {
        people = ports.people;
        return ports;
      },
    },
  );
  const person = await givenPerson(app, await app.given.company(), 'owner');
  const { user_id, email } = person;
  const { factors, changePassword, resetPassword, sessionOf } = people!;
  const { secret } = await factors.beginTotp({ id: user_id, email });
  const code = () => codeAt(readBase32(secret), stepAt(app.clock.now()));
  const link = (await resetByOperator(app.db, email, app.clock.now()))!;
  const token = person.browser.cookies.get('folio_session')!;
  const session = (await sessionOf(token))!;
  const password = 'otra frase bien larga';
  const state = async () => [
    await app.sql`select password_hash, totp_secret, totp_pending from users where id = ${user_id}`,
    await app.sql`select encode(code_hash, 'hex') as code from user_recovery_codes where user_id = ${user_id} order by 1`,
    await app.sql`select encode(token_hash, 'hex') as token from sessions where user_id = ${user_id} order by 1`,
    await app.sql`select used_at from account_links where user_id = ${user_id} order by 1`,
    await app.sql`select count(*)::int as waiting from account_emails`,
  ];
  let recovery_code = '';
  const changes: Record<string, () => Promise<unknown>> = {
    'an application is added': () => factors.confirmTotp(user_id, code()),
    'codes are made anew': async () => ([recovery_code = ''] = await factors.renewRecoveryCodes(user_id)),
    'a recovery code is used': () => factors.isCode(user_id, recovery_code),
    'an application is removed': () => factors.removeTotp(user_id),
    'the password is set by a link': () => resetPassword(link, password),
    'the password is changed': () => changePassword(session, token, password),
  };
  await app.sql.unsafe(`
    create function no_message() returns trigger language plpgsql as $$ begin raise 'no room'; end $$`);
  try {
    for (const [name, change] of Object.entries(changes)) {
      const before = await state();
      await app.sql.unsafe(
        'create trigger no_message before insert on account_emails execute function no_message()',
      );
      await assert.rejects(change(), /no room/, name);
      await app.sql.unsafe('drop trigger no_message on account_emails');
      assert.deepEqual(await state(), before, name);
      // It would end the session that the next one needs.
      if (name === 'the password is set by a link') continue;
      await change();
      assert.notDeepEqual(await state(), before, name);
    }
  } finally {
    await app.sql.unsafe('drop function no_message cascade');
  }
});
