/** The pages for programmers in a real browser: an endpoint is made and tried, and every list is there when empty. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../harness.ts';
import { judgePage, openBrowser, ownComplaints, visit } from '../support/browser.ts';
import { go } from '../support/dashboard-pages.ts';
import { givenPerson } from '../support/person-browser.ts';

test('given an owner, when an endpoint is made and pinged, then its delivery is shown, and axe finds nothing', async (t) => {
  const browser = await openBrowser(t);
  if (!browser) return;
  const app = await startApp(t);
  const acme = await app.given.company();
  const { email, password } = await givenPerson(app, acme, 'owner');
  const faults: string[] = [];
  const seen = await visit(browser, app.url, { width: 1280, language: 'es' });
  const { page } = seen;
  // A menu that slides out of a page made narrow widens the page as it goes.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(`${app.url}/sign-in`);
  await page.fill('#email', email);
  await page.fill('#password', password);
  await Promise.all([page.waitForNavigation(), page.click('button[type=submit]')]);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const home = `/dashboard/${acme.company_id}`;
  const pages = ['events', 'webhooks', 'requests', 'applications', 'applications/connected', 'mcp'];
  for (const path of pages) {
    await go(page, `${home}/${path}`);
    await page.locator('main h2').first().waitFor();
    await judgePage(page, path, faults);
  }
  await app.get('/v1/taxes', { key: acme.live_key });
  await app.get('/v1/account', { key: acme.live_key });
  await app.service.flush();
  // The narrow page does not say who called.
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(`${app.url}${home}/requests`);
  const rows = page.locator('main tbody tr');
  await rows.nth(1).waitFor();
  await page.getByRole('button', { name: 'list_taxes' }).click();
  await page.waitForURL(/operation=list_taxes/);
  await rows.nth(1).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Primera clave' }).click();
  await page.waitForURL(/actor_id=/);
  await rows.first().waitFor();
  await judgePage(page, 'requests of one key', faults);
  await go(page, `${home}/mcp`);
  await page.getByRole('checkbox', { name: 'Facturas', exact: true }).check();
  await page.getByText('/mcp?toolsets=invoices', { exact: false }).first().waitFor();
  await go(page, `${home}/webhooks/new`);
  await page.getByLabel('Dirección').first().fill('https://hooks.example.com/folio');
  await page.locator('form button[type=submit]').click();
  assert.match(await page.locator('[data-secret]').innerText(), /^whsec_/);
  await page.getByRole('button', { name: 'Lo he guardado' }).click();
  await page.getByRole('button', { name: 'Comprobar la conexión' }).click();
  await page.getByRole('heading', { level: 1, name: 'webhook.ping' }).waitFor();
  await judgePage(page, 'delivery', faults);
  faults.push(...seen.strangers, ...ownComplaints(seen.complaints));
  await seen.close();
  assert.deepEqual(faults, []);
});
