/** What is typed in the dashboard while it is saved, numbers that are emptied, and answers of somebody on the way. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../harness.ts';
import { openBrowser, type Page } from '../support/browser.ts';
import { Turns } from '../support/dashboard-turns.ts';

/** They share a service and a page, and nothing else: each has a company, and its owner looks at the sandbox. */
const stories: [name: string, run: (turns: Turns) => Promise<void>][] = [];

const act = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** What changes something there waits until it is let go, or is answered by somebody on the way. */
async function holdChanges(page: Page, address: string) {
  let let_go = (_answer: 'on' | 'proxy') => {};
  const held = new Promise<'on' | 'proxy'>((resolve) => (let_go = resolve));
  await page.route(address, async (route) => {
    if (route.request().method() === 'GET') return route.fallback();
    if ((await held) === 'on') return route.fallback();
    return route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' });
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
    const lines = [{ description: 'Libros', unit_price: 100, tax_rate: 21 }];
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
    await close();
  },
]);

test('in a browser', async (t) => {
  const app = await startApp(t);
  const browser = await openBrowser(t);
  if (!browser) return;
  const turns = new Turns({ app, browser }, stories.length);
  for (const [name, run] of stories) await t.test(name, () => run(turns));
});
