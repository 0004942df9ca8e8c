/** From the link of an empty installation to a webhook that arrives twice, by keyboard alone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSetupLink } from '../../src/modules/people/index.ts';
import { randomTaxId, onOwnDatabase } from '../harness.ts';
import { openBrowser, ownComplaints, type Page, pressInTurn, visit } from '../support/browser.ts';
import { loopbackReceivers, TestReceiver } from '../support/test-receiver.ts';

const startApp = onOwnDatabase();

type Locator = ReturnType<Page['locator']>;
const password = 'un caballo correcto';

/** Hands on a keyboard: nothing here points. */
function keyboardOf(page: Page) {
  const { keyboard } = page;
  const isFocused = (target: Locator) =>
    target.evaluate(
      (node) => node === (node as { ownerDocument: { activeElement: unknown } }).ownerDocument.activeElement,
    );
  const reach = async (target: Locator) => {
    await target.waitFor();
    for (let steps = 0; steps < 90; steps++) {
      if (await isFocused(target)) return;
      await keyboard.press('Tab');
    }
    throw new Error(`the keyboard does not reach ${String(target)}`);
  };
  const press = async (role: 'button' | 'link', name: string, within: Page | Locator = page) => {
    await reach(within.getByRole(role, { name, exact: true }).first());
    await keyboard.press('Enter');
  };
  const type = async (label: string, text: string) => {
    await reach(page.getByLabel(new RegExp(`^${label}( \\*)?$`)).and(page.locator('input, textarea')));
    await keyboard.press('ControlOrMeta+A');
    await keyboard.type(text);
  };
  const go = async (letter: string, heading: string) => {
    // Under a dialog single keys do nothing, also while the next page hides it.
    await page.locator('[aria-modal="true"]').waitFor({ state: 'detached' });
    await pressInTurn(page, 'g', letter);
    await page.getByRole('heading', { level: 1, name: heading }).and(page.locator(':focus')).waitFor();
  };
  return { keyboard, reach, press, type, go, dialog: page.getByRole('dialog') };
}

/** A browser with a viewer of PDFs hides what that was given, so it is asked for again. */
async function checkPaper(page: Page, url: string): Promise<void> {
  const { 'content-type': media, 'content-security-policy': policy } = (
    await page.request.get(url)
  ).headers();
  assert.deepEqual([media, policy], ['application/pdf', "frame-ancestors 'self'"]);
}

test('given a set-up link and a keyboard, then there is a company, a key, a paid invoice and a webhook that arrives twice', async (t) => {
  const browser = await openBrowser(t);
  if (!browser) return;
  const app = await startApp(t, { fresh: true, ...loopbackReceivers() });
  const receiver = await TestReceiver.listen(t);
  const seen = await visit(browser, app.url, { width: 1280 });
  const { page } = seen;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const { keyboard, press, type, go, dialog } = keyboardOf(page);

  await page.goto(`${app.url}/setup/${await makeSetupLink(app.db.index, app.clock.now())}`);
  await page.keyboard.press('Tab');
  for (const text of ['Ana Ruiz', 'ana@norte.example', password, 'Librería Norte SL', randomTaxId()]) {
    await keyboard.type(text);
    await keyboard.press('Tab');
  }
  await Promise.all([page.waitForNavigation(), keyboard.press('Enter')]);
  await page.getByRole('heading', { level: 1, name: 'Librería Norte SL está lista' }).waitFor();
  await press('link', 'Abrir el panel');
  await page.getByRole('heading', { level: 1 }).waitFor();
  const companyOf = (address: string) => address.split('/dashboard/')[1]?.split('/')[0] ?? '';
  const company_id = companyOf(page.url());
  await keyboard.press('Escape');
  await keyboard.press('t');
  await page.getByText('PRUEBAS', { exact: true }).waitFor();
  assert.notEqual(companyOf(page.url()), company_id);
  await keyboard.press('t');
  await page.getByText('PRUEBAS', { exact: true }).waitFor({ state: 'detached' });
  assert.equal(companyOf(page.url()), company_id);

  await go('k', 'Claves');
  await press('link', 'Crear una clave');
  await type('Nombre', 'ERP');
  await press('button', 'Todos los de consulta');
  await press('button', 'Crear una clave');
  const secret = (await page.locator('[data-secret]').textContent()) ?? '';
  assert.equal((await app.get('/v1/account/company', { key: secret })).status, 200);
  await press('button', 'Lo he guardado', dialog);

  const key = await app.given.apiKey({ company_id }, { scopes: ['*'], environment: 'live' });
  const client = {
    name: 'Talleres Ibáñez SL',
    tax_id: 'B00000018',
    address: { line1: 'Calle Mayor 1', city: 'Getafe', postal_code: '28901', country: 'ES' },
  };
  assert.equal((await app.post('/v1/clients', { key, body: client })).status, 201);

  await go('w', 'Webhooks');
  await press('link', 'Añadir un punto de recepción');
  await type('Dirección', `${receiver.url}/folio`);
  await press('button', 'Añadir un punto de recepción');
  await press('button', 'Lo he guardado', dialog);
  await page.getByRole('heading', { level: 2, name: 'Entregas' }).waitFor();

  await go('i', 'Facturas');
  await press('link', 'Crear una factura');
  await type('Cliente', 'Ibáñez');
  await page.getByRole('option', { name: /Ibáñez/ }).waitFor();
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await type('Concepto', 'Libros de texto');
  await type('Precio', '1.250,50');
  await press('button', 'Guardar el borrador');
  await page.getByRole('heading', { level: 1, name: 'Borrador de factura' }).waitFor();
  await press('button', 'Emitir');
  await page.getByText('¿Emitir esta factura?').waitFor();
  const paper = page.waitForRequest((request) => request.url().endsWith('/pdf'));
  await press('button', 'Emitir', dialog);
  await page.getByRole('heading', { level: 1, name: /^Factura / }).waitFor();
  await checkPaper(page, (await paper).url());
  assert.equal(
    await page.locator('iframe').getAttribute('title'),
    (await page.locator('h1').innerText()).replace('Factura', 'PDF de'),
  );
  await press('button', 'Registrar un cobro');
  await press('button', 'Registrar un cobro', dialog);
  await page.getByText('Cobrada', { exact: true }).first().waitFor();

  await app.service.deliveries.runDue(company_id);
  const types = receiver.at('/folio').map(({ event }) => event.type as string);
  assert.ok(types.includes('invoice.paid'), types.join(' '));
  await go('w', 'Webhooks');
  await page.locator('[data-row]').waitFor();
  await keyboard.press('j');
  await keyboard.press('Enter');
  await page.getByRole('heading', { level: 2, name: 'Entregas' }).waitFor();
  await page.locator('[data-row]').first().waitFor();
  await keyboard.press('j');
  await keyboard.press('Enter');
  await page.getByRole('heading', { level: 2, name: 'Respuesta' }).waitFor();
  const before = receiver.received.length;
  await press('button', 'Repetir el envío');
  await page.getByText('La entrega está otra vez en cola.').waitFor();
  await app.service.deliveries.runDue(company_id);
  assert.equal(receiver.received.length, before + 1);

  assert.deepEqual(seen.strangers, []);
  assert.deepEqual(ownComplaints(seen.complaints), []);
});
