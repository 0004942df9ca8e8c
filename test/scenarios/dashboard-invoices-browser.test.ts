/** Invoices and VeriFactu of the dashboard in a real browser: draft, dry run, issue, payment, record. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, startApp } from '../harness.ts';
import {
  accessibilityFaults,
  judgePage,
  openBrowser,
  ownComplaints,
  type Page,
  visit,
} from '../support/browser.ts';
import { go } from '../support/dashboard-pages.ts';
import { seeStories, type Story } from '../support/dashboard-turns.ts';
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

/** They share a service and a page, and nothing else: each has a company, and looks at its sandbox. */
const stories: Story[] = [];

const act = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const inDialog = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true });

const priced = (unit_price: number) => [{ description: 'Libros', unit_price, tax_rate: 21 }];

async function givenInvoice(app: App, key: string, more: object = {}) {
  const body = { type: 'F2', lines: priced(100), ...more };
  const made = await app.post('/v1/invoices', { key, body });
  assert.equal(made.status, 201, made.text);
  const id: string = made.body.data.id;
  const read = async () => (await app.get(`/v1/invoices/${id}`, { key })).body.data;
  const change = async (changes: object) => {
    const changed = await app.put(`/v1/invoices/${id}`, { key, body: changes });
    assert.equal(changed.status, 200, changed.text);
  };
  return { id, read, change };
}

stories.push([
  'given a payment that was kept though its answer was lost, when it is tried again, then there is one payment',
  async (turns) => {
    const { app, acme, page, walk, close } = await turns.take();
    const { id, read } = await givenInvoice(app, acme.test_key, { options: { issue: true } });
    // The first is a page of somebody on the way, such as a proxy that asks who one is.
    const answers = [200, 503, 429];
    let tries = 0;
    await page.route('**/payments', async (route) => {
      const status = answers[tries];
      tries += 1;
      if (status === undefined) return route.continue();
      if (status === 200) await route.fetch();
      return route.fulfill({ status, contentType: 'text/html', body: '<h1>Entre</h1>' });
    });
    await walk(`/invoices/${id}`);
    await act(page, 'Registrar un cobro');
    await page.getByLabel('Importe').fill('50');
    const pay = inDialog(page, 'Registrar un cobro');
    for (const status of answers) {
      await Promise.all([page.waitForResponse((answer) => answer.status() === status), pay.click()]);
      // The page behind the question tells what was kept.
      await page.getByText('Cobrado 50,00 €').waitFor();
    }
    await pay.click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    assert.equal(tries, 4);
    const { detail } = (await read()).payments;
    assert.deepEqual(
      detail.map(({ amount }: { amount: number }) => amount),
      [50],
    );
    await close();
  },
]);

stories.push([
  'given a draft that changes while its issue is asked about, then it is not issued, and the question names the new total',
  async (turns) => {
    const { app, acme, page, walk, close } = await turns.take();
    const { id, read, change } = await givenInvoice(app, acme.test_key);
    await walk(`/invoices/${id}`);
    await act(page, 'Emitir');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('121,00').waitFor();
    await change({ lines: priced(200) });
    await inDialog(page, 'Emitir').click();
    await dialog.getByText('El borrador ha cambiado').waitFor();
    await dialog.getByText('242,00').waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    assert.equal((await read()).status, 'draft');
    await inDialog(page, 'Emitir').click();
    await page.getByRole('heading', { level: 1, name: /^Factura / }).waitFor();
    assert.equal((await read()).total, 242);
    await close();
  },
]);

stories.push([
  'given a draft that changes while its form is open, then nothing of it is overwritten, and what was typed stays until it is read again',
  async (turns) => {
    const { app, acme, page, walk, close } = await turns.take();
    const { id, read, change } = await givenInvoice(app, acme.test_key);
    await walk(`/invoices/${id}/edit`);
    const subject = page.getByLabel('Asunto');
    await subject.fill('Curso de otoño');
    await change({ lines: priced(200) });
    await act(page, 'Guardar el borrador');
    await page.getByText('lo que ha escrito sigue aquí').waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    assert.equal(await subject.inputValue(), 'Curso de otoño');
    assert.equal(await page.getByLabel('Precio').inputValue(), '100');
    assert.equal((await read()).subtotal, 200);
    await act(page, 'Leerlo de nuevo y perder lo escrito');
    await page.locator('input[value="200"]').waitFor();
    assert.equal(await subject.inputValue(), '');
    await subject.fill('Curso de invierno');
    await act(page, 'Guardar el borrador');
    await page.getByRole('heading', { level: 1, name: 'Borrador de factura' }).waitFor();
    const { description, subtotal } = await read();
    assert.deepEqual([description, subtotal], ['Curso de invierno', 200]);
    await close();
  },
]);

const address = { line1: 'Calle Mayor 1', city: 'Getafe', postal_code: '28901', country: 'ES' };
const missing = 'La factura no lleva el domicilio del cliente';

stories.push([
  'given a client without an address, then what the law misses is told before the issue and after it',
  async (turns) => {
    const { app, acme, page, walk, close } = await turns.take();
    const key = acme.test_key;
    await app.put('/v1/account/company', { key, body: { address } });
    const client = { name: 'Talleres Ibáñez SL', tax_id: 'B00000018' };
    const { id: client_id } = (await app.post('/v1/clients', { key, body: client })).body.data;
    const { id } = await givenInvoice(app, key, { type: 'F1', client_id });
    await walk(`/invoices/${id}`);
    await act(page, 'Emitir');
    const dialog = page.getByRole('dialog');
    await dialog.getByText(missing).waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    assert.equal(await dialog.getByText('no ha encontrado nada').count(), 0);
    await inDialog(page, 'Emitir').click();
    await dialog.waitFor({ state: 'hidden' });
    // It stays while other invoices are looked at.
    const told = page.getByRole('alert').filter({ hasText: missing });
    await told.getByText(/^Factura F\d{4}-000001$/).waitFor();
    await close();
  },
]);

stories.push([
  'given e-mails that go out and e-mails that do not, when an invoice is sent, then it is told which of them it is',
  async (turns) => {
    const { app, acme, page, walk, close } = await turns.take();
    const cases = [
      [acme.company_id, acme.live_key, 'compras@norte.example', 'el servicio no tiene servidor de correo'],
      [acme.sandbox_company_id, acme.test_key, 'compras@norte.example', 'en pruebas'],
      [acme.sandbox_company_id, acme.test_key, 'accepted@sandbox.example', 'El correo está en cola'],
    ] as const;
    for (const [company_id, key, to, told] of cases) {
      const { id } = await givenInvoice(app, key, { options: { issue: true } });
      await walk(`/invoices/${id}`, company_id);
      await act(page, 'Enviar');
      if (key === acme.live_key) {
        await inDialog(page, 'Enviar').click();
        await page.getByLabel('Para').and(page.locator('[aria-invalid="true"]:focus')).waitFor();
      }
      await page.getByLabel('Para').fill(`${to}, nadie`);
      await inDialog(page, 'Enviar').click();
      await page.getByText('No es una dirección de correo: nadie', { exact: true }).waitFor();
      await page.getByLabel('Para').fill(`"Compras, Norte" <${to}>`);
      await inDialog(page, 'Enviar').click();
      await page.getByRole('alert').getByText(told).waitFor();
    }
    await close();
  },
]);

stories.push([
  'given clients who are taxed otherwise, when one is chosen, then lines without a chosen tax take that of the client',
  async (turns) => {
    const { app, acme, page, walk, close } = await turns.take();
    const key = acme.test_key;
    const clients = [
      { name: 'Nord GmbH', vat_id: 'DE136695976', preferred_operation_regime: 'intra_community' },
      { name: 'Sur SL', tax_id: 'B00000018' },
    ];
    for (const body of clients) {
      const made = await app.post('/v1/clients', { key, body: { ...body, address } });
      assert.equal(made.status, 201, made.text);
    }
    const choose = async (name: string) => {
      await page.getByLabel('Cliente').first().fill(name);
      await page.getByRole('option', { name }).click();
    };
    const tax = (index: number, value: string) =>
      page.locator(`[data-path="lines.${index}.taxes_id"]`, {
        has: page.locator(`option[value="${value}"]:checked`),
      });
    await walk('/invoices/new');
    await page.getByLabel('Concepto').fill('Libros');
    await page.getByLabel('Precio').fill('100');
    for (const [name, value] of [
      [null, 'rate:21'],
      ['Nord GmbH', ''],
      ['Sur SL', 'rate:21'],
      ['Nord GmbH', ''],
    ] as const) {
      if (name !== null) await choose(name);
      await tax(0, value).waitFor();
    }
    // Chosen once more, by keyboard too, a client stays.
    const client = page.getByLabel('Cliente').first();
    await client.fill('Nord');
    await page.getByRole('option', { name: 'Nord GmbH' }).click();
    assert.equal(await client.inputValue(), 'Nord GmbH · DE136695976');
    await tax(0, '').waitFor();
    await client.press('ArrowDown');
    await client.press('Enter');
    assert.equal(await client.inputValue(), 'Nord GmbH · DE136695976');
    await tax(0, '').waitFor();
    await act(page, 'Añadir una línea');
    await page.getByLabel('Concepto').nth(1).fill('Catálogo');
    await page.getByLabel('Precio').nth(1).fill('10');
    await page.getByLabel('Impuesto').nth(1).selectOption('rate:4');
    await act(page, 'Guardar el borrador');
    await page.getByRole('heading', { level: 1, name: 'Borrador de factura' }).waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1);
    const taxes = async () => {
      const { lines } = (await app.get(`/v1/invoices/${id}`, { key })).body.data;
      return lines.map((line: Record<string, unknown>) => line.exemption_reason ?? line.tax_rate);
    };
    assert.deepEqual(await taxes(), ['E5', 4]);

    await page.getByRole('link', { name: 'Editar' }).click();
    await act(page, 'Añadir una línea');
    await tax(2, '').waitFor();
    const offers = (index: number) =>
      page.locator(`[data-path="lines.${index}.taxes_id"] option[value=""]`).count();
    // The service keeps the tax that a stored line has said.
    assert.deepEqual(await Promise.all([offers(0), offers(1), offers(2)]), [1, 0, 1]);
    await page.getByLabel('Concepto').nth(2).fill('Láminas');
    await page.getByLabel('Precio').nth(2).fill('5');
    await act(page, 'Guardar el borrador');
    await page.getByRole('heading', { level: 1, name: 'Borrador de factura' }).waitFor();
    assert.deepEqual(await taxes(), ['E5', 4, 'E5']);
    await close();
  },
]);

test('in a browser', async (t) => seeStories(t, await startApp(t), stories));
