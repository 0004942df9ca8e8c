/** The first person of an installation. Each test begins with nobody. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type App, randomTaxId, onOwnDatabase } from '../../../test/harness.ts';
import { alertOf, hiddenOf, PersonBrowser } from '../../../test/support/person-browser.ts';
import { makeSetupLink } from '../../modules/people/index.ts';

const startApp = onOwnDatabase();

async function givenNobody(t: TestContext, options: { fresh?: true } = {}): Promise<App> {
  const app = await startApp(t, options);
  await app.sql`truncate users, user_emails, user_companies, members, sessions, account_links`;
  return app;
}

const form = () => ({
  name: 'Ana Ruiz',
  email: 'ana@norte.example',
  password: 'un caballo correcto',
  company_name: 'Librería Norte SL',
  tax_id: randomTaxId(),
});

test('given nobody, when the set-up is sent, then there are a person and a company, its keys work, and the link is over', async (t) => {
  const app = await givenNobody(t);
  const link = await makeSetupLink(app.db.index, app.clock.now());
  const path = `/setup/${link}`;
  const browser = new PersonBrowser(app);
  const empty = await browser.submit(path, { tax_id: 'B00000001', email: 'ana@', password: 'x' });
  assert.equal(empty.status, 422);
  for (const fault of [
    'Escriba su nombre',
    'dirección de correo completa',
    '12 caracteres o más',
    'nombre de la empresa',
    'NIF español',
  ])
    assert.ok(alertOf(empty.text)?.includes(fault), fault);
  const known = await browser.submit(path, { ...form(), password: 'librería norte SL' });
  assert.match(alertOf(known.text) ?? '', /ni el de la empresa/);
  const ready = await browser.submit(path, form());
  assert.equal(ready.status, 200, ready.text);
  assert.match(ready.text, /<h1>Librería Norte SL está lista/);
  assert.match(ready.text, /href="\/dashboard\/[\w-]{36}\/keys\/new\?first=1"/);
  const { FOLIO_DATA_DIR } = app.config;
  assert.notEqual(FOLIO_DATA_DIR, '.data');
  assert.ok(ready.text.includes(`<pre>FOLIO_DATA_DIR=${FOLIO_DATA_DIR} npm run -s folio -- key create `));
  const [live = '', sandbox = ''] = [...ready.text.matchAll(/svc_(?:live|test)_\w{24}/g)].map(([key]) => key);
  app.given.secrets.push(live, sandbox);
  assert.equal((await app.get('/v1/sandbox/clock', { key: sandbox })).status, 200);
  const { data: company } = (await app.get('/v1/account/company', { key: live })).body;
  assert.equal(company.name, 'Librería Norte SL');
  const account = await browser.get('/sign-in');
  assert.match(
    account.text,
    /Ha iniciado sesión como Ana Ruiz.*Librería Norte SL<\/strong> \(propietario\)/s,
  );
  assert.equal((await new PersonBrowser(app).get(path)).status, 404);
  assert.equal(await makeSetupLink(app.db.index, app.clock.now()), undefined, 'no start prints another');
  const { body } = await app.get('/v1/audit-log', { key: live });
  const told = body.data.map((e: Record<string, unknown>) => [e.action, e.actor, e.actor_name]);
  assert.deepEqual(told, [
    ['member.added', 'user', 'Ana Ruiz'],
    ['company.created', 'user', 'Ana Ruiz'],
  ]);
});

test('given companies of before, then the first person may take one over, and gets no key of it', async (t) => {
  const app = await givenNobody(t);
  const acme = await app.given.company({ name: 'Acme SL' });
  const path = `/setup/${await makeSetupLink(app.db.index, app.clock.now())}`;
  const browser = new PersonBrowser(app);
  assert.match(
    (await browser.get(path)).text,
    new RegExp(`<option value="${acme.company_id}">Acme SL</option>`),
  );
  const { tax_id } = (await app.get('/v1/account/company', { key: acme.live_key })).body.data;
  const again = await browser.submit(path, { ...form(), tax_id: tax_id.toLowerCase() });
  assert.deepEqual([again.status, alertOf(again.text)?.includes('ya tiene este NIF: elíjala')], [422, true]);
  const { company_name: _, tax_id: __, ...typed } = form();
  for (const company of [acme.sandbox_company_id, 'x', '00000000-0000-7000-8000-000000000000']) {
    const refused = await browser.submit(path, { ...typed, company });
    assert.deepEqual(
      [refused.status, alertOf(refused.text)?.includes('Elija una empresa')],
      [422, true],
      company,
    );
  }
  const ready = await browser.submit(path, { ...typed, company: acme.company_id });
  assert.deepEqual([ready.status, ready.location], [303, `/dashboard/${acme.company_id}/keys/new?first=1`]);
  const rows = await app.sql`select role from members where company_id = ${acme.company_id}`;
  assert.deepEqual([...rows], [{ role: 'owner' }]);
});

test('given two services and a link of each, when both and one twice are used at once, then there is one person', async (t) => {
  const app = await givenNobody(t);
  const other = await startApp(t, { fresh: true });
  const links = [
    await makeSetupLink(app.db.index, app.clock.now()),
    await makeSetupLink(other.db.index, other.clock.now()),
  ];
  const tries = [
    [app, links[0]],
    [other, links[0]],
    [app, links[1]],
    [other, links[1]],
  ] as const;
  const pages = tries.map(([at, link], i) => ({ browser: new PersonBrowser(at), path: `/setup/${link}`, i }));
  const drafts = await Promise.all(
    pages.map(async ({ browser, path, i }) => ({
      browser,
      path,
      fields: { ...hiddenOf((await browser.get(path)).text), ...form(), email: `p${i}@norte.example` },
    })),
  );
  const codes = await Promise.all(
    drafts.map(async ({ browser, path, fields }) => {
      for (;;) {
        const { status } = await browser.post(path, fields);
        // A process makes two passwords at a time, and both services are in this one.
        if (status !== 503) return status;
      }
    }),
  );
  assert.deepEqual(codes.sort(), [200, 404, 404, 404]);
  const [count] =
    await app.sql`select (select count(*)::int from users) as users, (select count(*)::int from members) as members,
                                       (select count(*)::int from sessions) as sessions`;
  assert.deepEqual({ ...count }, { users: 1, members: 1, sessions: 1 });
  const left = await app.sql`select 1 from account_links where used_at is null`;
  assert.equal(left.length, 0);
});

test('given a link for the set-up, then it opens for a day', async (t) => {
  const app = await givenNobody(t);
  const path = `/setup/${await makeSetupLink(app.db.index, app.clock.now())}`;
  app.clock.advance(24 * 3_600_000 - 1);
  assert.equal((await app.get(path)).status, 200);
  app.clock.advance(1);
  assert.equal((await app.get(path)).status, 404);
});

test('given links that open nothing, then whoever tries them has to wait, and a true one opens at the same address', async (t) => {
  const app = await givenNobody(t, { fresh: true });
  const codes: number[] = [];
  for (let tries = 0; tries < 21; tries++) codes.push((await app.get(`/setup/${'x'.repeat(43)}`)).status);
  assert.deepEqual([codes.filter((code) => code === 404).length, codes.at(-1)], [20, 429]);
  assert.equal((await app.get('/reset')).status, 429);
  const link = await makeSetupLink(app.db.index, app.clock.now());
  assert.equal((await app.get(`/setup/${link}`)).status, 200);
  app.clock.advance(24 * 3_600_000);
  assert.equal((await app.get(`/setup/${link}`)).status, 404, 'a minute later tries are free again');
});
