/** What is typed in the dashboard while it is saved, numbers that are emptied, and answers of somebody on the way. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../harness.ts';
import type { Page } from '../support/browser.ts';
import { seeStories, type Story } from '../support/dashboard-turns.ts';
import { enter } from '../support/person-browser.ts';

/** They share a service and a page, and nothing else: each has a company, and its owner looks at the sandbox. */
const stories: Story[] = [];

const act = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

const lines = [{ description: 'Libros', quantity: 3, unit_price: 100, tax_rate: 21 }];
const asFromProxy = { status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' };

/** What changes something there waits until it is let go, or is answered by somebody on the way. */
async function holdChanges(page: Page, address: string) {
  let let_go = (_answer: 'on' | 'proxy') => {};
  const held = new Promise<'on' | 'proxy'>((resolve) => (let_go = resolve));
  await page.route(address, async (route) => {
    if (route.request().method() === 'GET') return route.fallback();
    if ((await held) === 'on') return route.fallback();
    return route.fulfill(asFromProxy);
  });
  return (answer: 'on' | 'proxy') => let_go(answer);
}

const isChange = (request: { method(): string }) => request.method() !== 'GET';

stories.push([
  'given a form that leads on, while it is saved, then its fields take no letter that would be lost; a refusal gives them back with the focus',
  async (turns) => {
    const { page, walk, close } = await turns.take();
    const answer = await holdChanges(page, '**/v1/clients');
    await walk('/clients/new');
    const name = page.getByLabel('Nombre o razón social');
    const phone = page.getByLabel('Teléfono');
    await name.fill('Talleres Ibáñez SL');
    const sent = page.waitForRequest(isChange);
    await name.press('Enter');
    await sent;
    assert.deepEqual([await name.isDisabled(), await phone.isDisabled()], [true, true]);
    assert.equal(await page.getByRole('button', { name: 'Cancelar' }).isEnabled(), true);
    answer('proxy');
    await page.getByRole('alert').getByText('El servicio ha fallado al responder.').waitFor();
    await name.and(page.locator(':focus')).waitFor();
    assert.equal(await name.inputValue(), 'Talleres Ibáñez SL');
    // By its button, the focus goes back there.
    await phone.fill('600 000 000');
    const refused = page.waitForResponse((response) => response.status() === 502);
    await act(page, 'Crear el cliente');
    await refused;
    const button = page.getByRole('button', { name: 'Crear el cliente', disabled: false });
    await button.and(page.locator(':focus')).waitFor();
    await page.unrouteAll();
    await act(page, 'Crear el cliente');
    await page.getByRole('heading', { level: 1, name: 'Talleres Ibáñez SL' }).waitFor();
    await page.getByText('600 000 000').waitFor();
    await close();
  },
]);

stories.push([
  'given a connection that is lost while a draft is saved, when it is saved again, then nothing is said of the try before',
  async (turns) => {
    const { page, walk, close } = await turns.take();
    await walk('/invoices/new');
    await page.getByLabel('Concepto').fill('Libros');
    await page.getByLabel('Precio').fill('100');
    // What is read in doubt is not there when the page goes on.
    const { promise: held, resolve: let_go } = Promise.withResolvers<void>();
    await page.route('**/v1/taxes?*', async (route) => {
      await held;
      await route.fallback();
    });
    await page.route('**/v1/invoices', (route) =>
      isChange(route.request()) ? route.abort() : route.fallback(),
    );
    await act(page, 'Guardar el borrador');
    await page.getByRole('alert').getByText('El servicio no responde').waitFor();
    await page.unroute('**/v1/invoices');
    await act(page, 'Guardar el borrador');
    await page.getByRole('heading', { level: 1, name: 'Borrador de factura' }).waitFor();
    let_go();
    await page.getByRole('link', { name: 'Editar' }).click();
    await page.getByLabel('Concepto').waitFor();
    assert.equal(await page.getByText('Lo que pidió antes').count(), 0);
    await page.unrouteAll();
    await close();
  },
]);

stories.push([
  'given a form that was accepted, while the page that it leads to is fetched, then it can be sent no second time',
  async (turns) => {
    const { app, key, page, load, close } = await turns.take();
    await load('/company/series/new');
    await page.getByLabel('Código').fill('T');
    await page.waitForLoadState('networkidle');
    let let_go = () => {};
    const held = new Promise<void>((resolve) => (let_go = resolve));
    await page.route('**/dashboard/assets/*.js', async (route) => {
      await held;
      await route.fallback();
    });
    const made = page.waitForResponse((response) => isChange(response.request()));
    await act(page, 'Crear una serie');
    await made;
    await page.getByRole('alert').getByText('La serie está creada').waitFor();
    assert.equal(await page.getByLabel('Código').isDisabled(), true);
    assert.equal(await page.getByRole('button', { name: 'Crear una serie' }).isDisabled(), true);
    let_go();
    await page.getByRole('heading', { level: 1, name: 'Serie T' }).waitFor();
    const { data } = (await app.get('/v1/series', { key })).body;
    assert.equal(data.filter(({ code }: { code: string }) => code === 'T').length, 1);
    await close();
  },
]);

stories.push([
  'given a question with fields, while its act runs, then they take no letter that would be lost',
  async (turns) => {
    const { page, made, walk, close } = await turns.take();
    const { id } = await made('/v1/invoices', { type: 'F2', lines, options: { issue: true } });
    const answer = await holdChanges(page, '**/payments');
    await walk(`/invoices/${id}`);
    await act(page, 'Registrar un cobro');
    const dialog = page.getByRole('dialog');
    const amount = dialog.getByLabel('Importe');
    await amount.fill('50');
    const sent = page.waitForRequest(isChange);
    await amount.press('Enter');
    await sent;
    assert.deepEqual(
      [await amount.isDisabled(), await dialog.getByLabel('Referencia').isDisabled()],
      [true, true],
    );
    answer('on');
    await page.getByText('Cobrado 50,00 €').waitFor();
    await close();
  },
]);

stories.push([
  'given a number that must be there, when it is emptied, then its field says so, and what is stored stays',
  async (turns) => {
    const { app, key, page, made, walk, close } = await turns.take();
    const refused = async (label: string, send: string) => {
      const field = page.getByLabel(label);
      await field.fill('');
      await act(page, send);
      await field.and(page.locator('[aria-invalid="true"]:focus')).waitFor();
    };
    const product = await made('/v1/products', { name: 'Hora de consultoría', unit_price: 75 });
    await walk(`/products/${product.id}`);
    await refused('Precio sin impuestos', 'Guardar los cambios');
    await page.getByText('Escriba el precio').waitFor();
    assert.equal((await app.get(`/v1/products/${product.id}`, { key })).body.data.unit_price, 75);
    // None is a price that somebody types.
    await page.getByLabel('Precio sin impuestos').fill('0');
    await act(page, 'Guardar los cambios');
    await page.getByText('El producto está guardado.').waitFor();
    assert.equal((await app.get(`/v1/products/${product.id}`, { key })).body.data.unit_price, 0);
    await walk('/products/new');
    await page.getByLabel('Nombre').fill('Muestra');
    await refused('Precio sin impuestos', 'Crear el producto');

    const series = await made('/v1/series', { code: 'Z', document_type: 'invoice', next_number: 40 });
    await walk(`/company/series/${series.id}`);
    await refused('Siguiente número', 'Guardar los cambios');
    assert.equal((await app.get(`/v1/series/${series.id}`, { key })).body.data.next_number, 40);
    const hook = { url: 'https://hooks.example.com/folio', enabled_events: ['*'], timeout_seconds: 20 };
    const endpoint = await made('/v1/webhook_endpoints', hook);
    await walk(`/webhooks/${endpoint.id}/edit`);
    await refused('Segundos de espera', 'Guardar los cambios');
    // Nor is what is too much made into another number unseen.
    await page.getByLabel('Segundos de espera').fill('60');
    await page.getByLabel('Segundos de espera').press('Tab');
    await act(page, 'Guardar los cambios');
    await page.getByText('El máximo es 30.').waitFor();
    assert.equal(await page.getByLabel('Segundos de espera').inputValue(), '60');
    await close();
  },
]);

stories.push([
  'given a proxy that answers a question about an invoice, then that is told, nothing is taken for known, and it goes on once the service answers',
  async (turns) => {
    const { app, key, page, made, walk, close } = await turns.take();
    const { id } = await made('/v1/invoices', { type: 'F2', lines });
    await page.route('**/can-issue', (route) => route.fulfill(asFromProxy));
    await walk(`/invoices/${id}`);
    await act(page, 'Emitir');
    const failed = page.getByRole('dialog', { name: 'Algo no ha ido bien' });
    await failed.getByText('El servicio ha fallado al responder.').waitFor();
    await page.unroute('**/can-issue');
    await failed.getByRole('button', { name: 'Reintentar' }).click();
    const question = page.getByRole('dialog', { name: '¿Emitir esta factura?' });
    await question.getByRole('button', { name: 'Emitir' }).click();
    await page.getByText(/^Factura .* emitida\.$/).waitFor();

    const [line] = (await app.get(`/v1/invoices/${id}`, { key })).body.data.lines;
    const undone = [{ original_line_id: line.id, quantity: -1 }];
    const corrective = await made(`/v1/invoices/${id}/corrective`, {
      correction: { type: 'differences', reason: 'Un libro de menos' },
      lines: undone,
    });
    const read = `**/v1/invoices/${corrective.id}`;
    await page.route(read, (route) => route.fulfill(asFromProxy));
    await page.reload();
    await act(page, 'Rectificar');
    const correct = page.getByRole('dialog');
    await correct.getByText('El servicio ha fallado al responder.').waitFor();
    const quantity = correct.getByLabel(/^Cantidad/);
    assert.equal(await quantity.count(), 0, 'what the corrective left is not known');
    await page.unroute(read);
    await correct.getByRole('button', { name: 'Ver lo que suma' }).click();
    await quantity.waitFor();
    assert.equal(await quantity.inputValue(), '2');
    await close();
  },
]);

stories.push([
  'given a proxy that answers who asks for their session, then they are told that, and not that there is none',
  async (turns) => {
    const { app, person, page, load, close } = await turns.alone();
    await load('/products/new');
    await page.getByLabel('Nombre').fill('Muestra');
    await page.getByLabel('Precio sin impuestos').fill('1');
    await page.context().clearCookies();
    await act(page, 'Crear el producto');
    const ended = page.getByRole('dialog', { name: 'Su sesión ha terminado' });
    await ended.waitFor();
    await enter(page, app.url, person.browser);
    const session = '**/dashboard/api/session';
    await page.route(session, (route) => route.fulfill(asFromProxy));
    await ended.getByRole('button', { name: 'Ya he entrado' }).click();
    await ended.getByRole('alert').getByText('El servicio ha fallado al responder.').waitFor();
    await page.unroute(session);
    await ended.getByRole('button', { name: 'Ya he entrado' }).click();
    await ended.waitFor({ state: 'detached' });

    // A company that was made opens once it is among theirs.
    await page.goto(`${app.url}/dashboard/new-company`);
    await page.getByLabel('Nombre o razón social').fill('Segunda SL');
    await page.getByLabel('NIF').fill('B12345674');
    await act(page, 'Añadir una empresa');
    const secret = page.getByRole('dialog');
    await secret.locator('[data-secret]').waitFor();
    await page.route(session, (route) => route.fulfill(asFromProxy));
    await act(page, 'Lo he guardado');
    await secret.getByRole('alert').getByText('El servicio ha fallado al responder.').waitFor();
    await page.unroute(session);
    await act(page, 'Lo he guardado');
    await page.getByRole('button', { name: /Segunda SL/ }).waitFor();
    await close();
  },
]);

stories.push([
  'given a client that is typed on the way, when its dialog is closed by a key, then that is asked first, and who stays has what was typed',
  async (turns) => {
    const { page, walk, close } = await turns.take();
    await walk('/invoices/new');
    await act(page, 'Nuevo cliente');
    const dialog = page.getByRole('dialog', { name: 'Nuevo cliente' });
    const name = dialog.getByLabel('Nombre o razón social');
    const question = page.getByRole('dialog', { name: '¿Salir sin guardar?' });
    await name.fill('Clínica Robles SL');
    await name.press('Escape');
    await question.locator(':focus').waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    assert.equal(await name.inputValue(), 'Clínica Robles SL');
    await name.press('Escape');
    await question.getByRole('button', { name: 'Salir' }).click();
    await dialog.waitFor({ state: 'detached' });
    // With nothing typed there is nothing to ask.
    await act(page, 'Nuevo cliente');
    await dialog.locator(':focus').waitFor();
    assert.equal(await name.inputValue(), '');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await close();
  },
]);

stories.push([
  'given a keyboard, when a button has done its act and stays, then it has the focus again',
  async (turns) => {
    const { page, made, walk, close } = await turns.take();
    const { id } = await made('/v1/products', { name: 'Hora de consultoría', unit_price: 75 });
    const focused = (name: string) =>
      page.getByRole('button', { name, exact: true }).and(page.locator(':focus')).waitFor();
    await walk(`/products/${id}`);
    await page.getByLabel('Referencia').fill('H-1');
    await page.getByRole('button', { name: 'Guardar los cambios' }).press('Enter');
    await page.getByText('El producto está guardado.').waitFor();
    await focused('Guardar los cambios');
    const client = await made('/v1/clients', { name: 'Talleres Ibáñez SL' });
    await walk(`/clients/${client.id}`);
    await page.getByRole('button', { name: 'Archivar' }).press('Enter');
    await focused('Recuperar');
    await close();
  },
]);

test('in a browser', async (t) => seeStories(t, await startApp(t), stories));
