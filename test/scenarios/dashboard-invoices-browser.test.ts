/** Invoices and VeriFactu of the dashboard in a real browser: draft, dry run, issue, payment, record. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../harness.ts';
import { accessibilityFaults, judgePage, openBrowser, ownComplaints, visit } from '../support/browser.ts';
import { go } from '../support/dashboard-pages.ts';
import { enter, givenPerson } from '../support/person-browser.ts';

test('given a person who may issue, when the pages are used, then a draft becomes a paid invoice with its record', async (t) => {
  const browser = await openBrowser(t);
  if (!browser) return;
  const app = await startApp(t);
  const acme = await app.given.company({ name: 'Librería Norte SL' });
  const person = await givenPerson(app, acme, 'owner');
  const faults: string[] = [];
  const seen = await visit(browser, app.url, { width: 1280 });
  const { page } = seen;
  await enter(page, app.url, person.browser);
  const home = `/dashboard/${acme.sandbox_company_id}`;
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const confirm = (name: string) =>
    page.getByRole('dialog').getByRole('button', { name, exact: true }).click();

  await page.goto(`${app.url}${home}/invoices`);
  await page.getByText('Todavía no hay ninguna factura').waitFor();
  await go(page, `${home}/invoices/new`);
  await press('Guardar el borrador');
  await page.getByRole('alert').first().waitFor();
  await page.getByLabel('Concepto').fill('Libros');
  await page.getByLabel('Precio').fill('1.250,50');
  await judgePage(page, 'new', faults);
  await press('Guardar el borrador');
  await page.getByRole('heading', { name: 'Borrador de factura' }).waitFor();

  await press('Emitir');
  await page.getByText('Todavía no se puede emitir').or(page.getByText('¿Emitir esta factura?')).waitFor();
  const told = await page.getByRole('dialog').innerText();
  assert.match(told, /no se puede emitir/, 'a full invoice has a client');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });

  await page.getByRole('link', { name: 'Editar' }).click();
  await page.getByLabel('Tipo').selectOption('F2');
  await page.getByLabel('Precio').fill('100');
  await press('Guardar el borrador');
  await page.getByText('121,00').first().waitFor();
  await press('Emitir');
  await page.getByText('¿Emitir esta factura?').waitFor();
  faults.push(...(await accessibilityFaults(page)));
  await confirm('Emitir');
  await press('Registrar un cobro');
  await confirm('Registrar un cobro');
  await page.getByRole('button', { name: 'Anular el cobro' }).waitFor();
  await judgePage(page, 'one', faults);

  await go(page, `${home}/verifactu/settings`);
  await judgePage(page, 'verifactu settings', faults);
  await go(page, `${home}/verifactu`);
  await judgePage(page, 'verifactu', faults);

  assert.deepEqual(faults, []);
  assert.deepEqual(seen.strangers, []);
  assert.deepEqual(ownComplaints(seen.complaints), []);
});
