/** The frame of the dashboard and its page of keys, in a browser: by keyboard and mouse, in both schemes and languages. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, startApp } from '../harness.ts';
import {
  type Browser,
  judgePage,
  openBrowser,
  ownComplaints,
  type Page,
  pressInTurn,
  see,
  visit,
} from '../support/browser.ts';
import { Turns } from '../support/dashboard-turns.ts';
import { enter, givenPerson } from '../support/person-browser.ts';

type Around = { app: App; browser: Browser; turns: Turns };

/** They share a service and a browser, and nothing else. */
const stories: [name: string, run: (around: Around) => Promise<void>][] = [];

const named = '<b>ERP</b> de Ñuño 😀';

/** What the browser keeps for the page, wherever it keeps it. */
const kept = async (page: Page) =>
  `${await page.content()}${JSON.stringify(await page.context().storageState())}${await page.evaluate('JSON.stringify({ ...sessionStorage })')}`;

stories.push([
  'given an owner, then a key is made, its secret shown once, changed and revoked by its name',
  async ({ app, browser }) => {
    const acme = await app.given.company({ name: 'Talleres Ñandú SL' });
    const { browser: person } = await givenPerson(app, acme, 'owner');
    const { page, complaints, strangers, close } = await visit(browser, app.url, { width: 1280 });
    const faults: string[] = [];
    await enter(page, app.url, person);

    await page.goto(`${app.url}/dashboard/${acme.company_id}/keys`);
    await page.getByRole('heading', { level: 1, name: 'Claves' }).waitFor();
    await page.getByRole('link', { name: 'Primera clave', exact: true }).waitFor();
    await judgePage(page, 'keys', faults);
    await page.setViewportSize({ width: 1280, height: 800 });

    await page.getByRole('link', { name: 'Crear una clave' }).click();
    await page.getByRole('heading', { level: 1, name: 'Crear una clave' }).waitFor();
    await page.locator('h1:focus').waitFor();
    await page.getByRole('button', { name: 'Crear una clave' }).click();
    await page.locator('input[aria-invalid="true"]:focus').waitFor();
    await page.getByLabel('Nombre').fill(named);
    // What is chosen for a live key and no test key may have is not sent with one.
    await page.getByRole('radio', { name: /^Real/ }).check();
    await page.getByRole('button', { name: 'Todos los de consulta' }).click();
    await page.getByRole('radio', { name: /^Pruebas/ }).check();
    assert.ok(await page.getByLabel(/^Consultar empresas gestionadas/).isDisabled());
    await page.getByRole('button', { name: 'Crear una clave' }).click();
    const secret = (await page.locator('[data-secret]').textContent()) ?? '';
    assert.match(secret, /^svc_test_/);
    assert.equal((await app.get('/v1/account/company', { key: secret })).status, 200);
    await judgePage(page, 'secret', faults);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: 'Lo he guardado' }).click();

    await page.getByRole('heading', { level: 1, name: named }).waitFor();
    await page.locator('[data-secret]').waitFor({ state: 'detached' });
    await page.getByRole('listitem').getByText('Consultar facturas.').waitFor();
    assert.ok(!(await kept(page)).includes(secret));
    await page.getByRole('button', { name: 'Cambiar el secreto' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cambiar el secreto' }).click();
    const next = (await page.locator('[data-secret]').textContent()) ?? '';
    assert.notEqual(next, secret);
    await page.getByRole('button', { name: 'Lo he guardado' }).click();
    await page.getByText('Vale 24 horas más', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Revocar' }).click();
    const question = page.getByRole('dialog');
    const act = question.getByRole('button', { name: 'Revocar' });
    assert.ok(await act.isDisabled());
    await question.getByLabel(/^Escriba/).fill(named);
    await judgePage(page, 'revoke', faults);
    await act.click();
    await page.getByText('Revocada', { exact: true }).waitFor();
    assert.equal((await app.get('/v1/account/company', { key: next })).status, 401);

    assert.deepEqual(faults, []);
    assert.deepEqual(strangers, []);
    assert.deepEqual(ownComplaints(complaints), []);
    await close();
  },
]);

stories.push([
  'given keys alone, then they lead to pages, rows, help and the sandbox, in English and in the dark',
  async ({ app, browser }) => {
    const acme = await app.given.company();
    const { browser: person, user_id } = await givenPerson(app, acme, 'developer');
    await app.sql`update users set language = 'en' where id = ${user_id}`;
    const { page, complaints, close } = await visit(browser, app.url, { width: 1280, is_dark: true });
    const faults: string[] = [];
    await enter(page, app.url, person);

    await page.goto(`${app.url}/dashboard`);
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await page.getByRole('heading', { name: 'To your first invoice' }).waitFor();
    await judgePage(page, 'home', faults);
    await page.setViewportSize({ width: 1280, height: 800 });
    await pressInTurn(page, 'g', 'k');
    await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
    await page.locator('[data-row]').first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 2, name: 'About the key' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await see(page, 360, 'dark');
    // The name of a key stays on one line.
    const heights = `[...document.querySelectorAll('[role=dialog] kbd')].map((key) => key.offsetHeight)`;
    assert.equal(new Set(await page.evaluate<number[]>(heights)).size, 1);
    await judgePage(page, 'help', faults);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('textbox').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('to the sandbox');
    await page.getByRole('dialog').getByText('Go to the sandbox').waitFor();
    await judgePage(page, 'palette', faults);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/${acme.sandbox_company_id}/keys`);
    await page.getByText('SANDBOX', { exact: true }).waitFor();
    assert.match(await page.title(), /^SANDBOX/);
    await page.keyboard.press('t');
    await page.waitForURL(`**/${acme.company_id}/keys`);
    await page.getByRole('link', { name: 'Create a key' }).click();
    await page.getByText('Create and change clients and suppliers.').waitFor();
    // Who is asked on the way is not there yet.
    await page.getByRole('textbox', { name: 'Name' }).fill('ERP');
    await page.getByRole('textbox', { name: 'Name' }).blur();
    await page.keyboard.press('t');
    await page.getByRole('dialog').getByRole('button', { name: 'Stay here' }).click();
    assert.equal(await page.getByText('You are in the sandbox.').count(), 0);

    assert.deepEqual(faults, []);
    assert.deepEqual(complaints, []);
    await close();
  },
]);

stories.push([
  'given a session that ends in a form, then what was typed is there after a new sign-in',
  async ({ turns }) => {
    const { app, acme, person, page, walk, close } = await turns.take(320);
    await walk('/keys/new', acme.company_id);
    await page.getByLabel('Nombre').fill('Lo escrito');
    await page.getByRole('button', { name: 'Todos los de consulta' }).click();
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Crear una clave' }).click();
    const dialog = page.getByRole('dialog', { name: 'Su sesión ha terminado' });
    await dialog.waitFor();
    await dialog.getByRole('button', { name: 'Ya he entrado' }).click();
    await dialog.getByRole('alert').waitFor();
    await enter(page, app.url, person.browser);
    await dialog.getByRole('button', { name: 'Ya he entrado' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await page.getByLabel('Nombre').inputValue(), 'Lo escrito');
    await page.getByRole('button', { name: 'Crear una clave' }).click();
    await page.locator('[data-secret]').waitFor();
    await close();
  },
]);

stories.push([
  'given a reader, then what a role closes is absent, and another company is nobody’s',
  async ({ app, browser }) => {
    const [acme, other] = [await app.given.company(), await app.given.company()];
    const { browser: person } = await givenPerson(app, acme, 'reader');
    const { page, close } = await visit(browser, app.url, { width: 1280 });
    await enter(page, app.url, person);
    await page.goto(`${app.url}/dashboard/${acme.company_id}/keys`);
    await page.getByRole('link', { name: 'Primera clave', exact: true }).click();
    await page.getByRole('heading', { level: 2, name: 'Permisos' }).waitFor();
    assert.equal(await page.getByRole('button', { name: /Revocar|Cambiar el secreto/ }).count(), 0);
    await page.goto(`${app.url}/dashboard/${other.company_id}/keys`);
    await page.getByRole('heading', { level: 1, name: 'Esta empresa no está entre las suyas' }).waitFor();
    await page.goto(`${app.url}/dashboard/${acme.company_id}/keys/${other.company_id}`);
    await page.getByText('api_key_not_found').waitFor();
    await page.context().clearCookies();
    await page.goto(`${app.url}/dashboard/${acme.company_id}/keys?first=1`);
    await page.waitForURL(/\/sign-in\?return_to=%2Fdashboard%2F/);
    await close();
  },
]);

stories.push([
  'given the page of the start that stays open, then it counts the requests of the last minute, not of more',
  async ({ app, browser }) => {
    const acme = await app.given.company();
    const { browser: person } = await givenPerson(app, acme, 'owner');
    const { page, close } = await visit(browser, app.url, { width: 1280 });
    await enter(page, app.url, person);
    const start = Date.now();
    await page.clock.install({ time: start });
    const isOfMinute = (url: URL) => {
      const from = url.searchParams.get('created[gte]');
      const is_open = url.pathname.endsWith('/request-logs') && !url.searchParams.has('created[lt]');
      return from !== null && is_open && !url.searchParams.has('status') ? Date.parse(from) : undefined;
    };
    const asked = (from_ms: number) =>
      page.waitForRequest((request) => (isOfMinute(new URL(request.url())) ?? 0) >= from_ms);
    await Promise.all([asked(start - 60_000), page.goto(`${app.url}/dashboard/${acme.company_id}`)]);
    await page.getByText('Peticiones en el último minuto').waitFor();
    await Promise.all([asked(start + 9 * 60_000), page.clock.fastForward(600_000)]);
    await close();
  },
]);

stories.push([
  'given a filter by days, when a day is typed, then the list is asked once its year is whole',
  async ({ turns }) => {
    const { acme, page, walk, close } = await turns.take();
    await walk('/audit', acme.company_id);
    const field = page.getByLabel(/desde$/);
    await field.waitFor();
    const asked: string[] = [];
    page.on('request', (request) => {
      const day = new URL(request.url()).searchParams.get('created[gte]');
      if (day !== null && request.url().includes('/dashboard/api/')) asked.push(day);
    });
    await field.focus();
    // The order of day, month and year is that of the browser's language: each of these is the same both ways.
    await field.pressSequentially('01012026', { delay: 50 });
    await page.waitForURL(/gte.*2026-01-01/);
    assert.equal(await field.inputValue(), '2026-01-01');
    assert.deepEqual([...new Set(asked)], ['2026-01-01']);
    await page.getByRole('button', { name: 'Quitar los filtros' }).click();
    await page.waitForURL((url) => !url.search.includes('gte'));
    assert.equal(await field.inputValue(), '');
    await close();
  },
]);

test('in a browser', async (t) => {
  const app = await startApp(t);
  const browser = await openBrowser(t);
  if (!browser) return;
  const turns = new Turns({ app, browser }, 2);
  for (const [name, run] of stories) await t.test(name, () => run({ app, browser, turns }));
});
