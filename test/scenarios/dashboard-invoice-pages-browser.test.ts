/** The pages of invoices and VeriFactu in a real browser: what they show, what they offer, where the focus is. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../harness.ts';
import { type Page, see } from '../support/browser.ts';
import { seeStories, type Story } from '../support/dashboard-turns.ts';

/** They share a service and a page, and nothing else: each has a company, and looks at its sandbox. */
const stories: Story[] = [];

const oneLine = { description: 'Libros', quantity: 1, unit_price: 100, tax_rate: 21 };

const issued = (lines: object[] = [oneLine], more: object = {}) => ({
  type: 'F2',
  lines,
  options: { issue: true },
  ...more,
});

stories.push([
  'given a client with a VAT number alone who pays by card, then the invoice shows that number, and card is proposed for its payment',
  async (turns) => {
    const { page, made, walk, close } = await turns.take();
    const payment_preferences = { method: 'card' };
    const client = await made('/v1/clients', {
      name: 'Nord',
      vat_id: 'DE811907980',
      payment_preferences,
    });
    const { id } = await made('/v1/invoices', issued([oneLine], { type: 'F1', client_id: client.id }));
    // What is proposed does not change under the hand of who opened the question before the client is read.
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route(`**/clients/${client.id}`, async (route) => {
      await held;
      await route.continue();
    });
    await walk(`/invoices/${id}`);
    await page.getByRole('main').getByRole('button', { name: 'Registrar un cobro' }).click();
    const dialog = page.getByRole('dialog');
    const method = dialog.getByLabel('Forma de pago');
    assert.equal(await method.inputValue(), '');
    release();
    await method.locator('option:checked', { hasText: 'Tarjeta' }).waitFor({ state: 'attached' });
    await page.getByText('DE811907980', { exact: true }).waitFor({ state: 'attached' });
    await dialog.getByRole('button', { name: 'Registrar un cobro' }).click();
    await page.getByText('121,00 € · Tarjeta').waitFor();
    await close();
  },
]);

/** Whether two boxes meet, and which of them is seen where they do. */
const onTop = (page: Page, notice: string, dialog: string) =>
  page.evaluate(`(() => {
    const [notice, dialog] = ${JSON.stringify([notice, dialog])}.map((selector) => document.querySelector(selector));
    const [a, b] = [notice, dialog].map((box) => box.getBoundingClientRect());
    const [x, y] = [(Math.max(a.left, b.left) + Math.min(a.right, b.right)) / 2, (Math.max(a.top, b.top) + Math.min(a.bottom, b.bottom)) / 2];
    const meet = Math.max(a.top, b.top) < Math.min(a.bottom, b.bottom);
    const seen = document.elementFromPoint(x, y);
    return { meet, seen: dialog.contains(seen) ? 'dialog' : notice.contains(seen) ? 'notice' : 'neither' };
  })()`);

stories.push([
  'given payments registered and reversed, then the focus is on what opened the dialog, or on the heading',
  async (turns) => {
    const { app, page, made, walk, load, close } = await turns.take();
    const { id } = await made('/v1/invoices', issued());
    app.clock.advance(1000);
    await walk(`/invoices/${id}`);
    const register = page.getByRole('main').getByRole('button', { name: 'Registrar un cobro' });
    const dialog = page.getByRole('dialog');
    const confirm = (name: string) => dialog.getByRole('button', { name }).click();
    const focused = page.locator(':focus');

    await page.getByRole('link', { name: 'Una factura ha recibido su número al emitirse.' }).waitFor();
    await register.click();
    await dialog.getByLabel('Importe').fill('21');
    await confirm('Registrar un cobro');
    await page.getByText('21,00 € · Transferencia').waitFor();
    await register.and(focused).waitFor();
    // On a telephone what was told does not cover the question that comes next. It stays while the mouse is over it.
    await page.setViewportSize({ width: 360, height: 420 });
    const told = page.locator('.mantine-Notification-root');
    await told.hover();
    await register.press('Enter');
    assert.equal(await dialog.getByLabel('Importe').inputValue(), '100');
    await dialog.getByRole('button', { name: 'Registrar un cobro' }).scrollIntoViewIfNeeded();
    assert.deepEqual(await onTop(page, '.mantine-Notification-root', '[role="dialog"]'), {
      meet: true,
      seen: 'dialog',
    });
    await page.setViewportSize({ width: 1280, height: 800 });
    await confirm('Registrar un cobro');
    await page.getByText('100,00 € · Transferencia').waitFor();
    await register.waitFor({ state: 'detached' });
    await page.getByRole('heading', { level: 1 }).and(focused).waitFor();

    await page.getByRole('button', { name: 'Anular el cobro' }).first().click();
    await confirm('Anular el cobro');
    await page.getByText('Anulado', { exact: true }).first().waitFor();
    await page.getByRole('heading', { level: 1 }).and(focused).waitFor();

    // Nothing is pending but what the client is owed.
    await made(`/v1/invoices/${id}/payments`, { amount: 21, payment_method: 'card' });
    await made(`/v1/invoices/${id}/corrective`, { correction: { type: 'differences' } });
    await load(`/invoices/${id}`);
    await page.getByText('Pendiente -121,00 €').waitFor();
    await page.getByRole('main').getByRole('button', { name: 'Registrar una devolución' }).click();
    assert.equal(await dialog.getByLabel('Importe').inputValue(), '121');
    assert.deepEqual(
      [await dialog.getByLabel('Fecha de la devolución').count(), await dialog.getByText('cobro').count()],
      [1, 0],
    );
    await confirm('Registrar una devolución');
    await page.getByText('-121,00 € · Transferencia').waitFor();
    await page.getByText('Pendiente 0,00 €').waitFor();
    await page.getByRole('button', { name: 'Anular la devolución' }).click();
    assert.match(await dialog.innerText(), /se deberá de nuevo al cliente/);
    await confirm('Anular la devolución');
    await page.getByText('Pendiente -121,00 €').waitFor();
    await close();
  },
]);

stories.push([
  'given a corrective and an invoice that it partly corrected, then only what the service would do is offered',
  async (turns) => {
    const { page, made, walk, close } = await turns.take();
    const { id } = await made('/v1/invoices', issued());
    const act = (name: string) => page.getByRole('main').getByRole('button', { name, exact: true });
    await walk(`/invoices/${id}`);
    for (const name of ['Rectificar', 'Invalidar', 'Anular', 'Duplicar']) await act(name).waitFor();

    const body = {
      correction: { type: 'differences' },
      lines: [{ ...oneLine, quantity: -1, unit_price: 10 }],
    };
    const corrective = await made(`/v1/invoices/${id}/corrective`, body);
    const asked = page.waitForResponse(/can-annul/);
    await page.reload();
    await asked;
    await page.getByRole('link', { name: corrective.number, exact: true }).waitFor();
    await act('Rectificar').waitFor();
    for (const name of ['Invalidar', 'Anular']) await act(name).waitFor({ state: 'detached' });

    await walk(`/invoices/${corrective.id}`);
    await act('Anular').waitFor();
    assert.equal(await act('Duplicar').count(), 0);
    await close();
  },
]);

stories.push([
  'given an invoice, when it is corrected as a whole, then each way says what it does, and the corrective says which it was',
  async (turns) => {
    const { page, made, walk, close } = await turns.take();
    const { id } = await made('/v1/invoices', issued());
    await walk(`/invoices/${id}`);
    await page.getByRole('main').getByRole('button', { name: 'Rectificar', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/Diga qué se rectifica y vea lo que suma/).waitFor();
    const way = dialog.getByRole('combobox', { name: 'Cómo' });
    const told = async () => (await dialog.innerText()).replace(/\s+/g, ' ');
    assert.match(await told(), /Deshace las líneas que elija: las repite con la cantidad en negativo\./);
    await way.selectOption({ label: 'Por sustitución' });
    assert.match(await told(), /con las mismas líneas y los datos que el cliente tiene hoy/);
    await dialog.getByLabel('Motivo').fill('Domicilio equivocado');
    await dialog.getByRole('button', { name: 'Ver lo que suma' }).click();
    await dialog.getByText('Lo que dirá la rectificativa').waitFor();
    await dialog.getByRole('button', { name: 'Rectificar' }).click();
    await page.getByText('Rectificativa de simplificada (R5)').waitFor();
    await page.route('**/pdf', (route) => route.fulfill({ status: 503 }));
    await page.reload();
    await page.getByRole('alert').getByText('El servicio ha fallado al responder').waitFor();
    await page.unroute('**/pdf');
    await page.getByRole('button', { name: 'Reintentar' }).click();
    await page.getByTitle(/PDF/).waitFor();
    const facts = (await page.getByRole('main').innerText()).replace(/\s+/g, ' ');
    assert.match(facts, /Cómo Por sustitución Motivo Domicilio equivocado/);
    await close();
  },
]);

stories.push([
  'given some lines of an invoice, when they are corrected, then their sums are shown before it is issued, and no others are undone',
  async (turns) => {
    const { app, key, page, made, walk, load, close } = await turns.take();
    const lines = [
      { ...oneLine, description: 'Mesa', quantity: 2 },
      { ...oneLine, description: 'Silla', quantity: 4, unit_price: 33.33, tax_rate: 10 },
    ];
    const { id } = await made('/v1/invoices', issued(lines));
    await walk(`/invoices/${id}`);
    await page.getByRole('main').getByRole('button', { name: 'Rectificar', exact: true }).click();
    const dialog = page.getByRole('dialog');
    const check = dialog.getByRole('button', { name: 'Ver lo que suma' });
    const quantity = dialog.getByLabel('Cantidad de la línea 2: Silla');
    const told = async () => (await dialog.getByRole('status').innerText()).replace(/\s+/g, ' ').trim();

    assert.equal(await quantity.inputValue(), '4');
    await check.click();
    await dialog.getByText('Lo que dirá la rectificativa').waitFor();
    assert.match(await told(), /Base -333,32 € Impuestos -55,33 € Total -388,65 €/);

    // Another choice has other sums, which are asked for anew.
    await dialog.getByRole('checkbox', { name: 'Mesa' }).uncheck();
    assert.equal(await told(), '');
    await quantity.fill('dos');
    await check.click();
    await dialog.getByText('Escriba una cantidad, por ejemplo 1,5.').waitFor();
    await dialog.getByRole('checkbox', { name: 'Silla' }).uncheck();
    await dialog.getByText('Elija al menos una línea.').waitFor();
    await dialog.getByRole('checkbox', { name: 'Silla' }).check();
    await quantity.fill('1,5');
    await check.click();
    await dialog.getByText('Lo que dirá la rectificativa').waitFor();
    assert.match(await told(), /Base -50,00 € Impuestos -5,00 € Total -55,00 €/);
    assert.deepEqual((await app.get(`/v1/invoices/${id}`, { key })).body.data.corrective_ids, []);

    // An answer that is lost does not make two of it, though the page is read again.
    await page.route('**/corrective', async (route) => {
      await route.fetch();
      await route.abort();
    });
    const look = page.waitForResponse((answer) => answer.url().endsWith(`/v1/invoices/${id}`));
    await dialog.getByRole('button', { name: 'Rectificar' }).click();
    await look;
    await dialog.getByText('El servicio no responde.').waitFor();
    await page.unroute('**/corrective');
    await dialog.getByRole('button', { name: 'Rectificar' }).click();
    await page.getByText('Rectificativa de simplificada (R5)').waitFor();
    const { data: original } = (await app.get(`/v1/invoices/${id}`, { key })).body;
    const [corrective, ...more] = original.corrective_ids;
    assert.deepEqual(more, []);
    const { data } = (await app.get(`/v1/invoices/${corrective}`, { key })).body;
    assert.deepEqual(
      [data.total, data.lines.map((one: typeof oneLine) => [one.description, one.quantity])],
      [-55, [['Silla', -1.5]]],
    );

    // Of another one only what is left is offered.
    await load(`/invoices/${id}`);
    await page.getByRole('link', { name: data.number, exact: true }).waitFor();
    const begin = page.getByRole('main').getByRole('button', { name: 'Rectificar', exact: true });
    const warned = dialog.getByRole('alert').getByText('Ya tiene una rectificativa.');
    await begin.click();
    await warned.waitFor();
    assert.equal(await quantity.inputValue(), '2,5');

    // What somebody else did since then is told, and nothing is corrected.
    await check.click();
    await dialog.getByText('Lo que dirá la rectificativa').waitFor();
    await app.post(`/v1/invoices/${corrective}/annul`, { key, body: {} });
    await made(`/v1/invoices/${id}/payments`, { amount: 1, payment_method: 'cash' });
    await dialog.getByRole('button', { name: 'Rectificar' }).click();
    await dialog.getByText('La factura ha cambiado y no se ha rectificado.').waitFor();
    // One that was annulled undoes nothing.
    await warned.waitFor({ state: 'detached' });
    assert.equal(await quantity.inputValue(), '4');
    await check.click();
    await dialog.getByRole('button', { name: 'Rectificar' }).click();
    await page.getByText('Rectificativa de simplificada (R5)').waitFor();
    assert.equal((await app.get(`/v1/invoices/${id}`, { key })).body.data.corrective_ids.length, 2);
    await close();
  },
]);

stories.push([
  'given another currency, a retention, a discount and a long price, then fields, lines and sums are told as they are',
  async (turns) => {
    const { page, made, walk, close } = await turns.take();
    const line = { ...oneLine, unit_price: 123.456789, discount_percent: 10, retention_rate: 15 };
    const foreign = { currency: 'CHF', exchange_rate: 1.06 };
    const other = await made('/v1/invoices', issued([oneLine], foreign));
    await walk(`/invoices/${other.id}`);
    await page.getByRole('button', { name: 'Registrar un cobro' }).click();
    await page.getByRole('dialog').getByText('CHF', { exact: true }).waitFor();
    const draft = await made('/v1/invoices', { type: 'F2', lines: [line], ...foreign });
    await walk(`/invoices/${draft.id}/edit`);
    await page.getByText('CHF', { exact: true }).waitFor();
    assert.equal(await page.getByText('€', { exact: true }).count(), 0);

    const of = await made('/v1/invoices', { type: 'F2', lines: [line] });
    await walk(`/invoices/${of.id}`);
    const shown = page.getByRole('main');
    await shown.getByRole('cell').getByText('123,456789 €').waitFor();
    await shown.getByText(/Descuento del 10\s%/).waitFor();
    const text = (await shown.innerText()).replace(/\s+/g, ' ');
    assert.match(text, /Total 134,44 € Retención -16,67 € A pagar 117,77 €/);
    // A telephone has no columns of quantities and prices.
    await page.setViewportSize({ width: 375, height: 800 });
    assert.match((await shown.innerText()).replace(/\s+/g, ' '), /Libros 1 × 123,456789 € IVA 21 %/);
    await close();
  },
]);

stories.push([
  'given a draft whose tax is out of use and whose series is archived, then its form tells both, and offers the series of its type',
  async (turns) => {
    const { app, key, page, made, walk, close } = await turns.take();
    const seriesOf = (code: string, document_type: string) =>
      made('/v1/series', { code, document_type, format: '{code}{year}-{number:4}', reset: 'year' });
    const tax = await made('/v1/taxes', { name: 'Exenta vieja', kind: 'vat', exemption_reason: 'E1' });
    const old = await seriesOf('VIEJA', 'invoice');
    await seriesOf('TICKETS', 'simplified_invoice');
    const lines = [{ description: 'Libros', unit_price: 100, taxes_id: tax.id }];
    const { id } = await made('/v1/invoices', { type: 'F1', series_id: old.id, lines });
    await app.put(`/v1/taxes/${tax.id}`, { key, body: { is_active: false } });
    await app.post(`/v1/series/${old.id}/archive`, { key, body: {} });
    await walk(`/invoices/${id}/edit`);
    const told = (label: string) => page.getByLabel(label).locator('option:checked');
    const offered = (code: string) => page.getByLabel('Serie').locator('option', { hasText: code });
    await page.getByText('IVA 10').first().waitFor({ state: 'attached' });
    assert.deepEqual(
      [await told('Impuesto').textContent(), await told('Serie').textContent()],
      ['Exenta (E1)', 'VIEJA'],
    );
    await page.getByLabel('Tipo').selectOption('F2');
    await offered('TICKETS').waitFor({ state: 'attached' });
    assert.deepEqual(
      [await told('Serie').textContent(), await offered('VIEJA').count()],
      ['La predeterminada', 0],
    );
    await close();
  },
]);

stories.push([
  'given a narrow screen, then each draft in the list names its client, and its pager keeps the focus; on paper nothing lies over the list, and all is light',
  async (turns) => {
    const { page, made, walk, close } = await turns.take(390);
    const client = await made('/v1/clients', { name: 'Clínica Robles SL' });
    await made('/v1/invoices', { client_id: client.id, lines: [oneLine] });
    // A second page like the first, which is the last.
    await page.route(/v1\/invoices\?/, async (route) => {
      const url = new URL(route.request().url());
      const has_more = !url.searchParams.has('starting_after');
      url.searchParams.delete('starting_after');
      const response = await route.fetch({ url: url.href });
      await route.fulfill({ response, json: { ...(await response.json()), has_more } });
    });
    await walk('/invoices');
    await page.getByRole('link', { name: 'Borrador Clínica Robles SL' }).waitFor();
    await page.getByRole('button', { name: 'Siguiente' }).press('Enter');
    await page.getByRole('button', { name: 'Anterior', disabled: false }).waitFor();
    await page.getByRole('button', { name: 'Siguiente', disabled: true }).waitFor();
    await see(page, 390, 'light');
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Siguiente');
    await page.setViewportSize({ width: 794, height: 1123 });
    await page.emulateMedia({ media: 'print' });
    const fixed = await page.evaluate<string[]>(`[...document.querySelectorAll('body *')]
      .filter((e) => getComputedStyle(e).position === 'fixed' && e.checkVisibility() && e.offsetHeight > 0)
      .map((e) => e.className)`);
    assert.deepEqual(fixed, []);
    await see(page, 794, 'dark');
    const schemes = await page.evaluate<string[]>(`['beforeprint', 'afterprint'].map((told) => {
      dispatchEvent(new Event(told));
      return getComputedStyle(document.body).colorScheme;
    })`);
    assert.deepEqual(schemes, ['light', 'dark'], 'paper is light');
    await close();
  },
]);

stories.push([
  'given a search that was not sent yet, when the filters are taken away, then it goes with them',
  async (turns) => {
    const { page, load, close } = await turns.take();
    await load('/invoices?status=draft');
    const search = page.getByLabel('Buscar por número, cliente o NIF');
    await search.fill('Robles');
    await page.getByRole('button', { name: 'Quitar los filtros' }).click();
    await page.waitForURL(/\/invoices$/);
    await page.waitForFunction("document.querySelector('[data-list-search]').value === ''");

    // What the service refuses to search for is not asked.
    await page.getByText('Todavía no hay ninguna factura').waitFor();
    // An order takes no row away.
    const ordered = page.waitForResponse(/sort=-total/);
    await page.getByLabel('Orden').selectOption('-total');
    await ordered;
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    await page.getByText('Todavía no hay ninguna factura').waitFor();
    await search.fill('Ro');
    await page.getByText('Escriba al menos 3 caracteres.').waitFor();
    const asked = page.waitForResponse(/q=Rob/);
    await page.waitForTimeout(400);
    assert.equal(await page.getByRole('alert').count(), 0);
    await search.fill('Rob');
    await asked;
    await page.getByText('Nada coincide con los filtros').waitFor();
    await close();
  },
]);

stories.push([
  'given records accepted with errors, then the counts of VeriFactu name them',
  async (turns) => {
    const { page, walk, close } = await turns.take();
    await walk('/verifactu');
    await page.getByRole('link', { name: 'Aceptado con errores' }).click();
    await page.waitForURL(/status=accepted_with_errors/);
    await page.getByText('Nada coincide con los filtros').waitFor();
    // Whoever comes back to a list by its name finds it as they left it; the menu leads to all of it.
    await page.getByRole('link', { name: 'Ajustes y certificado' }).click();
    await page.getByRole('main').getByRole('link', { name: 'VeriFactu' }).click();
    await page.waitForURL(/\/verifactu\?status=accepted_with_errors$/);
    await page.getByRole('navigation').getByRole('link', { name: 'VeriFactu' }).click();
    await page.waitForURL(/\/verifactu$/);
    await close();
  },
]);

stories.push([
  'given a rejected record that was amended, then it tells of the later one, and nothing asks for attention; one that cannot be amended still does',
  async (turns) => {
    const { app, acme, key, page, made, walk, load, close } = await turns.take();
    await app.put('/v1/verifactu/settings', { key, body: { enabled: true } });
    const answered = async () => {
      await app.put('/v1/sandbox/clock', { key, body: { now: null, frozen: true } });
      await app.service.worker.runDue(acme.sandbox_company_id);
      await app.put('/v1/sandbox/clock', { key, body: { now: null, frozen: false } });
    };
    const lastOf = async (id: string) => (await app.get(`/v1/invoices/${id}/verifactu`, { key })).body.data;
    // The sandbox rejects this total, and accepts what amends it.
    const { id } = await made('/v1/invoices', issued([{ ...oneLine, unit_price: 2469.52 }]));
    await answered();
    const rejected = await lastOf(id);
    assert.equal(rejected.status, 'rejected', JSON.stringify(rejected));
    await walk('');
    await page.getByRole('link', { name: '1 registro rechazado por la Agencia Tributaria' }).click();
    await page.waitForURL(/\/verifactu\?status=rejected$/);
    await page.getByRole('link', { name: rejected.invoice.number }).click();
    await page.getByText(/Corrija los datos y subsánelo/).waitFor();
    await made(`/v1/verifactu/records/${rejected.id}/subsanar`, {});
    await answered();

    await load('');
    await page.getByText('Todo está en orden.').waitFor();
    await walk(`/verifactu/${rejected.id}`);
    await page
      .getByText('La factura tiene un registro posterior: con este ya no hay que hacer nada.')
      .waitFor();
    assert.doesNotMatch(await page.getByRole('main').innerText(), /Qué hacer|emítala de nuevo/);
    await page.getByRole('link', { name: 'Ver el último' }).click();
    await page.getByText('Aceptado', { exact: true }).waitFor();

    await app.sql`
      update verifactu_sendings set status = 'rejected', aeat_error_code = '1104'
       where company_id = ${acme.sandbox_company_id} and record_id = ${(await lastOf(id)).id}`;
    await load('');
    await page.getByRole('link', { name: '1 registro rechazado por la Agencia Tributaria' }).waitFor();
    await walk(`/verifactu/${(await lastOf(id)).id}`);
    await page
      .getByText(
        /no se puede subsanar\. Con VeriFactu activado, si la factura sigue en vigor, anúlela y emítala de nuevo/,
      )
      .waitFor();
    await close();
  },
]);

stories.push([
  'given VeriFactu off and on, then the question before issuing promises a record only where there will be one, and the oldest is told by its clock',
  async (turns) => {
    const { app, key, page, made, walk, load, close } = await turns.take();
    const { id } = await made('/v1/invoices', { type: 'F2', lines: [oneLine] });
    const asked = async () => {
      await page.getByRole('button', { name: 'Emitir', exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('¿Emitir esta factura?').waitFor();
      await dialog.getByText('Recibirá su número').waitFor();
      return dialog.innerText();
    };
    await walk(`/invoices/${id}`);
    assert.doesNotMatch(await asked(), /Agencia Tributaria/);
    const on = await app.put('/v1/verifactu/settings', { key, body: { enabled: true } });
    assert.equal(on.status, 200, on.text);
    await load(`/invoices/${id}`);
    assert.match(await asked(), /su registro para la Agencia Tributaria/);

    // A moment of the sandbox's clock is no distance from that of the browser.
    const year = app.clock.now().getUTCFullYear() + 2;
    const moved = { now: `${year}-05-04T10:00:00.000Z` };
    assert.equal((await app.put('/v1/sandbox/clock', { key, body: moved })).status, 200);
    await made('/v1/invoices', issued());
    await walk('/verifactu');
    await page.getByText(`El más antiguo de los pendientes: 4 may ${year}`).waitFor();
    await walk('/verifactu/settings');
    await page.getByRole('button', { name: 'Comprobar ahora' }).click();
    await page.getByText('Sin faltas: 1 registro comprobado.').waitFor();
    await close();
  },
]);

/** @returns what brings the browser back. The next page is loaded there. */
async function goFarAway(page: Page): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setTimezoneOverride', { timezoneId: 'Pacific/Auckland' });
  return async () => {
    await session.detach();
    await page.goto('about:blank');
  };
}

stories.push([
  'given a browser far away, then a list tells moments in the zone of the company',
  async (turns) => {
    const { page, made, load, close } = await turns.take();
    const comeHome = await goFarAway(page);
    await made('/v1/invoices', issued());
    const wanted = new Intl.DateTimeFormat('es-ES', {
      dateStyle: 'medium',
      timeStyle: 'short',
      timeZone: 'Europe/Madrid',
    });
    await load('/events');
    const moment = page.getByRole('main').locator('time').first();
    const at = (await moment.getAttribute('datetime')) ?? '';
    assert.equal(await moment.innerText(), wanted.format(new Date(at)));
    await comeHome();
    await close();
  },
]);

stories.push([
  'given a browser far away, when a moment is typed, then it is one of the company, as it is shown later',
  async (turns) => {
    const { app, key, page, walk, load, close } = await turns.take();
    const comeHome = await goFarAway(page);
    const year = app.clock.now().getUTCFullYear() + 1;
    await load('/keys/new');
    await page.getByLabel('Nombre').fill('Hasta fin de año');
    await page.getByRole('button', { name: 'Todos los de consulta' }).click();
    await page.getByLabel('Caduca').fill(`${year}-12-31T23:59`);
    await page.getByRole('button', { name: 'Crear una clave' }).click();
    await page.getByRole('dialog').waitFor();
    const keys = (await app.get('/v1/account/api-keys', { key })).body.data;
    const [{ expires_at }] = keys.filter((one: { name: string }) => one.name === 'Hasta fin de año');
    assert.equal(expires_at, `${year}-12-31T22:59:00.000Z`);

    await walk('/sandbox');
    await page.getByLabel('Avanzar hasta').fill(`${year}-01-01T00:30`);
    await page.getByRole('button', { name: 'Avanzar', exact: true }).click();
    await page
      .getByRole('dialog')
      .getByText(new RegExp(`1 de enero de ${year}, 0:30:00`))
      .waitFor();
    await comeHome();
    await close();
  },
]);

/** Of an answer that is late, and of the keys that choose. */
async function seeSearch(page: Page): Promise<void> {
  const client = page.getByRole('combobox', { name: 'Cliente' });
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/clients?*', async (route) => {
    await held;
    await route.continue();
  });
  await client.fill('iente 7');
  // What is shown is not what was searched for: it is not chosen, and the form is not sent without a client either.
  await client.press('ArrowDown');
  await client.press('Enter');
  assert.deepEqual([await client.inputValue(), page.url().split('/').at(-1)], ['iente 7', 'new']);
  assert.equal(await page.locator('[role="option"]').count(), 0);
  release();
  await page.getByRole('option', { name: 'Cliente 7' }).waitFor();
  await client.press('Enter');
  await client.press('ArrowDown');
  await client.press('Enter');
  await page.getByRole('listbox').waitFor({ state: 'hidden' });
  assert.equal(await client.inputValue(), 'Cliente 7');
  await page.unrouteAll();
}

stories.push([
  'given more clients than the field shows at a time, when it is left by keyboard, then the focus is on what follows it, and on a line that is added, and lines keep their products',
  async (turns) => {
    const { page, made, walk, load, close } = await turns.take();
    await Promise.all(Array.from({ length: 20 }, (_, n) => made('/v1/clients', { name: `Cliente ${n}` })));
    await walk('/invoices/new');
    await page.getByRole('combobox', { name: 'Cliente' }).focus();
    await page.getByRole('option').nth(19).waitFor({ state: 'attached' });
    await page.keyboard.press('Tab');
    const focused = page.locator(':focus');
    await page.getByRole('button', { name: 'Nuevo cliente' }).and(focused).waitFor();

    await seeSearch(page);
    // The list tells the client of a draft with its tax id, and takes nothing of what is typed in its place.
    const known = await made('/v1/clients', { name: 'Nord', tax_id: 'B00000018' });
    const draft = await made('/v1/invoices', { type: 'F1', client_id: known.id, lines: [oneLine] });
    await load(`/invoices/${draft.id}/edit`);
    const client = page.getByRole('combobox', { name: 'Cliente' });
    const third = page.locator('[role="option"]').nth(2);
    await client.click();
    await third.waitFor({ state: 'attached' });
    await client.fill('iente 7');
    await third.waitFor({ state: 'detached' });
    await page.getByRole('option', { name: 'Cliente 7' }).waitFor();
    assert.equal(await client.inputValue(), 'iente 7');
    await page.getByRole('option', { name: 'Cliente 7' }).click();
    assert.equal(await client.inputValue(), 'Cliente 7');
    await load('/invoices/new');

    const description = (line: number) =>
      page
        .getByRole('group', { name: `Línea ${line}` })
        .getByLabel('Concepto')
        .and(focused);
    for (const line of [2, 3]) {
      await page.getByRole('button', { name: 'Añadir una línea' }).click();
      await description(line).fill(`Tarea ${line}`);
    }
    await page.getByRole('button', { name: 'Quitar la línea 2' }).click();
    assert.equal(await description(2).inputValue(), 'Tarea 3');
    await page.getByRole('button', { name: 'Quitar la línea 2' }).click();
    await description(1).waitFor();

    // Products that the first answer does not have are named by their line, wherever that moves.
    for (const name of ['Zapata', 'Zócalo']) await made('/v1/products', { name, unit_price: 1 });
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => made('/v1/products', { name: `Pieza ${n}`, unit_price: 1 })),
    );
    await page.reload();
    const product = page.getByRole('combobox', { name: 'Producto' });
    for (const [at, name] of ['Zapata', 'Zócalo'].entries()) {
      if (at > 0) await page.getByRole('button', { name: 'Añadir una línea' }).click();
      await product.nth(at).fill(name);
      await page.getByRole('option', { name }).click();
    }
    await page.getByRole('button', { name: 'Quitar la línea 1' }).click();
    await product.nth(1).waitFor({ state: 'detached' });
    assert.equal(await product.inputValue(), 'Zócalo');
    await close();
  },
]);

/** On how many lines such an element has the text that it begins with. */
const linesOf = (page: Page, selector: string, text: string) =>
  page.evaluate<number>(`(() => {
    const begins = (one) => one.textContent.startsWith(${JSON.stringify(text)}) && one.checkVisibility();
    const found = [...document.querySelectorAll('${selector}')].find(begins);
    const range = document.createRange();
    range.selectNodeContents(document.createTreeWalker(found, NodeFilter.SHOW_TEXT).nextNode());
    return new Set([...range.getClientRects()].map(({ top }) => top)).size;
  })()`);

stories.push([
  'given names that are long, then tax ids, numbers and heads of columns stay on one line',
  async (turns) => {
    const { page, made, walk, load, close } = await turns.take(375);
    const name = 'Construcciones y Reformas Hermanos Fernández de la Vega y Asociados, S. L.';
    const client = await made('/v1/clients', { name, tax_id: 'B00000018' });
    await walk('/clients');
    await page.getByRole('cell', { name: 'B00000018' }).waitFor();
    assert.equal(await linesOf(page, 'td', 'B00000018'), 1);

    await made('/v1/products', { name: name.repeat(2), code: 'CARP-ALU-RPT-4164-BE', unit_price: 0.0125 });
    for (const path of ['/clients', '/products']) {
      for (const first of ['Alvarado', 'Zapata', 'Álvarez'])
        await made(`/v1${path}`, { name: first, ...(path === '/products' ? { unit_price: 1 } : {}) });
      await load(path);
      await page.getByLabel('Orden').selectOption({ label: 'Por nombre' });
      await page.waitForURL(/sort=name/);
      const names = page.locator('tbody a').filter({ hasNotText: name });
      await names.filter({ hasText: 'Alvarado' }).and(names.first()).waitFor();
      assert.deepEqual(await names.allInnerTexts(), ['Alvarado', 'Álvarez', 'Zapata']);
    }
    const { number } = await made('/v1/invoices', issued([oneLine], { type: 'F1', client_id: client.id }));
    for (const [path, width, there, ...whole] of [
      ['/invoices', 1280, number, ['tbody a', number], ['th', 'Vencimiento']],
      // The name of the client is below the number.
      ['/invoices', 768, number, ['tbody a', number], ['tbody small', name], ['th', 'Expedición']],
      // A price is not rounded to an amount.
      ['/products', 1280, /^0,0125\s€$/, ['th', 'Referencia']],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await walk(path);
      await page.getByText(there).first().waitFor();
      for (const [selector, text] of whole)
        assert.ok((await linesOf(page, selector, text)) <= (text === name ? 3 : 1), text);
    }
    await close();
  },
]);

stories.push([
  'given no mail server, then the question before sending says of the sandbox and of the live company that nothing goes out',
  async (turns) => {
    const { app, acme, page, walk, close } = await turns.take();
    for (const [key, company, said] of [
      [acme.test_key, acme.sandbox_company_id, /En pruebas no sale ningún correo/],
      [acme.live_key, acme.company_id, /no tiene servidor de correo: el mensaje se guarda, pero no sale/],
    ] as const) {
      const of = await app.post('/v1/invoices', { key, body: issued() });
      await walk(`/invoices/${of.body.data.id}`, company);
      await page.getByRole('main').getByRole('button', { name: 'Enviar', exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText(said).waitFor();
      assert.equal(await dialog.getByText('El cliente la recibirá por correo').count(), 0);
    }
    await close();
  },
]);

test('in a browser', async (t) => seeStories(t, await startApp(t), stories));
