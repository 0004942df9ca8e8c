/** `npm run draw:dashboard` draws every page of the dashboard in both schemes into docs/images/dashboard. */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startApp } from '../harness.ts';
import { openBrowser, see, visit } from '../support/browser.ts';
import { addressOf, allRoutes, go } from '../support/dashboard-pages.ts';
import { fillCompany } from '../support/filled-company.ts';
import { enter, givenPerson } from '../support/person-browser.ts';
import { loopbackReceivers } from '../support/test-receiver.ts';

const folder = join(import.meta.dirname, '../../docs/images/dashboard');

const names = {
  company: 'Librería Norte SL',
  client: 'Talleres Ñandú SL',
  line: 'Libros de texto de primaria',
  key: 'Tienda en línea',
  product: 'Libro de lectura',
  hook: 'Avisos para el almacén',
  application: 'CRM de ventas',
};

/** Such as `invoices-one-edit-dark.jpg`. */
const nameOf = (path: string, scheme: string) =>
  `${
    path
      .replaceAll(/\$\w*draft/g, 'draft')
      .replaceAll(/\$\w+/g, 'one')
      .split('/')
      .filter(Boolean)
      .join('-') || 'home'
  }-${scheme}.jpg`;

test('draws', async (t) => {
  const browser = await openBrowser(t);
  if (!browser) return;
  const app = await startApp(t, { fresh: true, ...loopbackReceivers() });
  const company = await app.given.company({ name: names.company, tax_id: 'B12345674' });
  const filled = await fillCompany({ app, company, names }, t);
  const person = await givenPerson(app, company, 'owner');
  const { page } = await visit(browser, app.url, { width: 1100 });
  await enter(page, app.url, person.browser);
  await page.goto(`${app.url}/dashboard/${company.company_id}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  mkdirSync(folder, { recursive: true });
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.jpg'))) rmSync(join(folder, file));
  for (const route of await allRoutes()) {
    await go(page, addressOf(route, filled));
    for (const scheme of ['light', 'dark'] as const) {
      await see(page, 1100, scheme);
      await page.screenshot({ path: join(folder, nameOf(route.path, scheme)), type: 'jpeg', quality: 60 });
    }
  }
});
