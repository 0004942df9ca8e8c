/** What is around a page of the dashboard: a proxy with a path, other tabs, the way back, lost rights, refusals, an upgrade. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { type App, startApp } from '../harness.ts';
import {
  type Browser,
  openBrowser,
  ownComplaints,
  type Page,
  pressInTurn,
  visit,
} from '../support/browser.ts';
import { Turns } from '../support/dashboard-turns.ts';
import { enter, givenPerson, PersonBrowser } from '../support/person-browser.ts';

type Around = { app: App; browser: Browser; turns: Turns };

/** They share a service and a browser, and nothing else. */
const stories: [name: string, run: (around: Around) => Promise<void>][] = [];

const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name }).waitFor();

async function givenDraft(app: App, key: string): Promise<string> {
  const lines = [{ description: 'Libros', quantity: 1, unit_price: 100, tax_rate: 21 }];
  const made = await app.post('/v1/invoices', { key, body: { type: 'F2', lines } });
  assert.equal(made.status, 201, made.text);
  return made.body.data.id;
}

stories.push([
  'given two tabs with two companies, then each stays with its own and changes its own',
  async ({ app, browser }) => {
    const north = await app.given.company({ name: 'Librería Norte SL' });
    const south = await app.given.company({ name: 'Papelería Sur SL' });
    const { browser: person, user_id } = await givenPerson(app, north, 'owner');
    for (const table of ['members', 'user_companies'])
      await app.sql.unsafe(
        table === 'members'
          ? `insert into members (company_id, user_id, role, created_at, updated_at) values ('${south.company_id}', '${user_id}', 'owner', now(), now())`
          : `insert into user_companies (user_id, company_id) values ('${user_id}', '${south.company_id}')`,
      );
    const { page, complaints, close } = await visit(browser, app.url, { width: 1280 });
    await enter(page, app.url, person);
    const other = await page.context().newPage();
    const open = async (tab: Page, { company_id }: { company_id: string }) => {
      await tab.goto(`${app.url}/dashboard/${company_id}/keys/new`);
      await heading(tab, 'Crear una clave');
    };
    await open(page, north);
    await open(other, south);
    for (const [tab, company] of [
      [page, north],
      [other, south],
    ] as const) {
      await tab.getByLabel('Nombre').fill('ERP');
      await tab.getByRole('button', { name: 'Todos los de consulta' }).click();
      await tab.getByRole('button', { name: 'Crear una clave' }).click();
      const secret = (await tab.locator('[data-secret]').textContent()) ?? '';
      const { tax_id } = (await app.get('/v1/account/company', { key: secret })).body.data;
      assert.equal(tax_id, company.tax_id);
    }
    await page.reload();
    await page.getByText('Librería Norte SL').first().waitFor();
    assert.deepEqual(ownComplaints(complaints), []);
    await close();
  },
]);

stories.push([
  'given companies whose long names begin alike, then the menu of companies tells each by its tax id',
  async ({ app, browser }) => {
    const name = 'Comunidad de propietarios de la calle de la Princesa de Asturias, número 1';
    const acme = await app.given.company({ name });
    const { browser: person } = await givenPerson(app, acme, 'owner');
    const { page, close } = await visit(browser, app.url, { width: 1280 });
    await enter(page, app.url, person);
    await page.goto(`${app.url}/dashboard/${acme.company_id}`);
    await page.getByRole('button', { name: new RegExp(name) }).click();
    const tax_id = page.getByRole('menuitem').getByText(acme.tax_id);
    await tax_id.waitFor();
    // Both at once: a menu may still move.
    const is_within = await tax_id.evaluate((told) => {
      const element = told as unknown as {
        closest(of: string): typeof element;
        getBoundingClientRect(): { bottom: number };
      };
      const bottomOf = (one: typeof element) => one.getBoundingClientRect().bottom;
      return bottomOf(element) <= bottomOf(element.closest('[role=menuitem]'));
    });
    assert.ok(is_within, 'the tax id is cut off');
    await close();
  },
]);

stories.push([
  'given a person who signs out, when they go back, then nothing of the company is seen',
  async ({ app, browser }) => {
    const acme = await app.given.company({ name: 'Librería Norte SL' });
    const { browser: person, email, password } = await givenPerson(app, acme, 'owner');
    const { page, close } = await visit(browser, app.url, { width: 1280 });
    await enter(page, app.url, person);
    await page.goto(`${app.url}/dashboard/${acme.company_id}/me`);
    await heading(page, 'Mi cuenta');
    // In another tab they have signed out already, and in again.
    const again = new PersonBrowser(app);
    await again.submit('/sign-in', { email, password });
    await enter(page, app.url, again);
    await page.getByRole('button', { name: 'Ana Ruiz' }).click();
    await Promise.all([
      page.waitForURL('**/sign-in**'),
      page.getByRole('menuitem', { name: 'Cerrar sesión' }).click(),
    ]);
    await page.goBack();
    await page.waitForURL('**/sign-in?return_to=**');
    assert.doesNotMatch(await page.content(), /Librería Norte SL|Ana Ruiz/);
    await close();
  },
]);

stories.push([
  'given a form with several faults, then each field tells its own, the first has the focus, and nothing is lost',
  async ({ turns }) => {
    const { acme, page, walk, close } = await turns.take(320);
    await walk('/company/series', acme.company_id);
    await page.getByRole('cell', { name: 'Presupuestos' }).waitFor();
    // The word stays on one line.
    const lines = `(() => {
      let word = [...document.querySelectorAll('td')].findLast((cell) => cell.textContent === 'Presupuestos');
      while (word.firstChild) word = word.firstChild;
      const range = document.createRange();
      range.selectNodeContents(word);
      return range.getClientRects().length;
    })()`;
    assert.equal(await page.evaluate<number>(lines), 1);
    await walk('/webhooks/new', acme.company_id);
    const [address, about] = [`https://hooks.example.com/${'x'.repeat(2000)}`, '😀 <b>'.repeat(120)];
    await page.getByLabel('Dirección').fill(address);
    await page.getByLabel('Para qué es').fill(about);
    await page.getByRole('button', { name: 'Añadir un punto de recepción' }).click();
    await page.locator('input[aria-invalid="true"]:focus').waitFor();
    assert.equal(await page.locator('[aria-invalid="true"]').count(), 2);
    assert.equal(await page.locator('.mantine-InputWrapper-error [lang="es"]').count(), 2);
    assert.equal(await page.getByLabel('Dirección').inputValue(), address);
    assert.equal(await page.getByLabel('Para qué es').inputValue(), about);
    await close();
  },
]);

stories.push([
  'given a key with a bad address among others, then the field of the addresses tells it and has the focus',
  async ({ turns }) => {
    const { acme, page, walk, close } = await turns.take();
    await walk('/keys/new', acme.company_id);
    await page.getByLabel('Nombre').fill('ERP');
    await page.getByRole('button', { name: 'Todos los de consulta' }).click();
    const addresses = page.getByRole('textbox', { name: 'Direcciones permitidas' });
    await addresses.fill('192.0.2.1, 999.1.1.1');
    await page.getByRole('button', { name: 'Crear una clave' }).click();
    await addresses.and(page.locator('[aria-invalid="true"]:focus')).waitFor();
    await close();
  },
]);

async function changeRole(app: App, by: PersonBrowser, path: string): Promise<void> {
  const { csrf } = (await by.get('/dashboard/api/session')).body.data;
  const cookie = [...by.cookies].map((pair) => pair.join('=')).join('; ');
  const headers = { cookie, origin: app.url, 'sec-fetch-site': 'same-origin', 'x-folio-csrf': csrf };
  const changed = await app.put(path, { headers, body: { role: 'reader' } });
  assert.equal(changed.status, 200, changed.text);
}

stories.push([
  'given a role that is taken away while its page is open, then the act is refused, the reason told, and the action gone',
  async ({ app, browser }) => {
    const acme = await app.given.company();
    const { browser: boss } = await givenPerson(app, acme, 'owner');
    const { browser: person, user_id } = await givenPerson(app, acme, 'owner');
    const draft = await givenDraft(app, acme.test_key);
    const { page, close } = await visit(browser, app.url, { width: 1280 });
    await enter(page, app.url, person);
    await page.goto(`${app.url}/dashboard/${acme.sandbox_company_id}/invoices/${draft}`);
    const issue = page.getByRole('button', { name: 'Emitir' });
    await issue.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('¿Emitir esta factura?').waitFor();
    await changeRole(app, boss, `/dashboard/api/${acme.company_id}/members/${user_id}`);
    await dialog.getByRole('button', { name: 'Emitir' }).click();
    await page.getByText('Su papel en la empresa ha cambiado').first().waitFor();
    assert.equal((await app.get(`/v1/invoices/${draft}`, { key: acme.test_key })).body.data.status, 'draft');
    assert.equal(await issue.count(), 0);
    await close();
  },
]);

stories.push([
  'given somebody who is removed while a page is open, when they go on, then they are told that the company is not theirs',
  async ({ app, browser }) => {
    const acme = await app.given.company();
    const { browser: boss } = await givenPerson(app, acme, 'owner');
    const { browser: person, user_id } = await givenPerson(app, acme, 'owner');
    const { page, close } = await visit(browser, app.url, { width: 1280 });
    await enter(page, app.url, person);
    await page.goto(`${app.url}/dashboard/${acme.company_id}/clients`);
    await heading(page, 'Clientes');
    const removed = await boss.ask('DELETE', `/${acme.company_id}/members/${user_id}`);
    assert.equal(removed.status, 200, removed.text);
    await page.getByRole('link', { name: 'Productos', exact: true }).click();
    await heading(page, 'Esta empresa no está entre las suyas');
    await close();
  },
]);

stories.push([
  'given a page from before an upgrade, when its parts are gone, then it is loaded again once, and not for ever',
  async ({ app, browser }) => {
    const acme = await app.given.company();
    const { browser: person } = await givenPerson(app, acme, 'owner');
    const { page, close } = await visit(browser, app.url, { width: 1280 });
    await enter(page, app.url, person);
    let loads = 0;
    page.on('load', () => {
      loads += 1;
    });
    let is_gone = false;
    let is_mended = true;
    // The page that is loaded again has its parts, from its first request on.
    page.on('request', (request) => {
      if (is_mended && request.isNavigationRequest()) is_gone = false;
    });
    // Parts that the page has not asked for yet.
    const known = new Set<string>();
    await page.route('**/dashboard/assets/*.js', async (route) => {
      const url = route.request().url();
      if (is_gone && !known.has(url)) return route.fulfill({ status: 404 });
      known.add(url);
      return route.continue();
    });
    await page.goto(`${app.url}/dashboard/${acme.company_id}/me`);
    await heading(page, 'Mi cuenta');
    await page.waitForLoadState('networkidle');
    await page.getByLabel('Nombre').first().fill('Lo escrito');
    is_gone = true;
    await page.getByRole('link', { name: 'Claves' }).hover();
    await page.waitForLoadState('networkidle');
    assert.equal(await page.getByLabel('Nombre').first().inputValue(), 'Lo escrito');
    await page.getByRole('link', { name: 'Claves' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Salir', exact: true }).click();
    await heading(page, 'Claves');
    await page.waitForLoadState('load');
    assert.equal(loads, 2);
    is_mended = false;
    is_gone = true;
    await page.getByRole('link', { name: 'Auditoría' }).press('Enter');
    await heading(page, 'Algo no ha ido bien');
    await page.waitForLoadState('load');
    // Once more, for another part.
    assert.equal(loads, 3);
    await close();
  },
]);

stories.push([
  'given a page that was not fetched yet, when nothing answers, then that is told, and it opens once something does',
  async ({ app, browser }) => {
    const acme = await app.given.company();
    const { browser: person } = await givenPerson(app, acme, 'owner');
    const { page, close } = await visit(browser, app.url, { width: 1280 });
    await enter(page, app.url, person);
    const { promise: held, resolve: let_go } = Promise.withResolvers<void>();
    await page.route(/assets\/palette-/, async (route) => {
      await held;
      await route.abort();
    });
    await page.goto(`${app.url}/dashboard/${acme.company_id}/me`);
    await heading(page, 'Mi cuenta');
    // Where the code of the palette is late, what is typed for it is no key of the page; where it does not come, the page stays.
    const name = page.getByLabel('Nombre');
    await name.fill('Ana María');
    await page.getByRole('heading', { level: 1 }).click();
    await pressInTurn(page, 'Control+k', 't');
    let_go();
    await page.getByRole('alert').getByText('No se ha podido traer esta parte').waitFor();
    assert.deepEqual([await name.inputValue(), page.url().includes(acme.company_id)], ['Ana María', true]);
    assert.equal(await page.getByText('PRUEBAS', { exact: true }).count(), 0);
    await name.fill('Ana Ruiz');
    await page.unrouteAll();
    const { promise: late, resolve: let_in } = Promise.withResolvers<void>();
    await page.route(/assets\/palette-/, async (route) => {
      await late;
      await route.continue();
    });
    await page.reload();
    await heading(page, 'Mi cuenta');
    // What is typed until then is in the palette when it comes, and not in the field that had the focus.
    const before = await name.inputValue();
    await name.focus();
    await page.keyboard.press('Control+k');
    await pressInTurn(page, 'u', 'x', 'Backspace', 'd', 'i', 't');
    assert.equal(await name.inputValue(), before);
    let_in();
    const search = page.locator('input.mantine-Spotlight-search');
    await search.and(page.locator('[value="udit"]:focus')).waitFor();
    await search.press('Enter');
    await heading(page, 'Auditoría');
    await page.goBack();
    await heading(page, 'Mi cuenta');
    await page.unrouteAll();
    await page.waitForLoadState('networkidle');
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Claves' }).click();
    await page.getByRole('alert').getByText('El servicio no responde.').waitFor();
    await heading(page, 'Mi cuenta');
    await page.context().setOffline(false);
    await heading(page, 'Claves');
    await close();
  },
]);

/** It takes the path away, as a proxy does, and keeps what the browser calls the host. */
async function startProxy(t: TestContext, path: string) {
  const to = { url: '' };
  const asked: string[] = [];
  const proxy = createServer((request, response) => {
    asked.push(request.url ?? '');
    const within = request.url?.startsWith(`${path}/`) ? request.url.slice(path.length) : undefined;
    if (within === undefined) return response.writeHead(502).end();
    const { method, headers } = request;
    const passed = forward(new URL(within, to.url), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    request.pipe(passed);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  t.after(() => {
    proxy.close();
    proxy.closeAllConnections();
  });
  const origin = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return { origin, asked, to };
}

test('given a public address with a path, then sign-in, pages, rows, reloads and the way out stay below it', async (t) => {
  const browser = await openBrowser(t);
  if (!browser) return;
  const proxy = await startProxy(t, '/folio');
  const base = `${proxy.origin}/folio`;
  const app = await startApp(t, { env: { FOLIO_PUBLIC_URL: base } });
  proxy.to.url = app.url;
  const acme = await app.given.company({ name: 'Librería Norte SL' });
  const { email, password } = await givenPerson(app, acme, 'owner');
  const body = { name: 'Talleres Ibáñez SL' };
  assert.equal((await app.post('/v1/clients', { key: acme.live_key, body })).status, 201);
  const { page, complaints, strangers } = await visit(browser, proxy.origin, { width: 1280 });
  await page.goto(`${base}/sign-in`);
  await page.getByLabel('Correo electrónico').fill(email);
  await page.getByLabel('Contraseña').fill(password);
  await page.getByRole('button', { name: 'Iniciar sesión' }).click();
  await page.waitForURL(`${base}/dashboard/${acme.company_id}`);
  await page.getByRole('link', { name: 'Clientes', exact: true }).click();
  await page.getByRole('link', { name: 'Talleres Ibáñez SL' }).click();
  await heading(page, 'Talleres Ibáñez SL');
  assert.match(page.url(), new RegExp(`^${base}/dashboard/${acme.company_id}/clients/`));
  await page.reload();
  await heading(page, 'Talleres Ibáñez SL');
  await page.getByRole('button', { name: 'Archivar' }).click();
  await page.getByText('Archivado', { exact: true }).waitFor();
  await page.getByRole('button', { name: /^Menú de / }).click();
  await page.getByRole('menuitem', { name: 'Cerrar sesión' }).click();
  await page.waitForURL(`${base}/sign-in`);
  assert.deepEqual(
    [proxy.asked.filter((url) => !url.startsWith('/folio/')), strangers, ownComplaints(complaints)],
    [[], [], []],
  );
});

test('in a browser', async (t) => {
  const app = await startApp(t);
  const browser = await openBrowser(t);
  if (!browser) return;
  const turns = new Turns({ app, browser }, 2);
  for (const [name, run] of stories) await t.test(name, () => run({ app, browser, turns }));
});
