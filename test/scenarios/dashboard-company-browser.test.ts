/** The pages of the company, the sandbox, clients and suppliers, in a browser: what is typed stays, and what is sent is what was changed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { magicValues } from 'aeat-simulator';
import { type App, randomTaxId, startApp, type TestCompany } from '../harness.ts';
import { type Browser, judgePage, openBrowser, ownComplaints, type Page, visit } from '../support/browser.ts';
import { certificateFile, certificatePath } from '../support/company-certificates.ts';
import { go } from '../support/dashboard-pages.ts';
import { Turns } from '../support/dashboard-turns.ts';
import { enter, givenPerson } from '../support/person-browser.ts';
import { writePng } from '../support/png.ts';

type Around = { app: App; browser: Browser; turns: Turns };
type Role = Parameters<typeof givenPerson>[2];

/** They share a service and a browser, and nothing else. */
const stories: [name: string, run: (around: Around) => Promise<void>][] = [];

async function opened({ app, browser }: Around, acme: TestCompany, role: Role = 'owner') {
  const { browser: person, user_id } = await givenPerson(app, acme, role);
  const seen = await visit(browser, app.url, { width: 1280 });
  await enter(seen.page, app.url, person);
  const load = (company_id: string, path: string) =>
    seen.page.goto(`${app.url}/dashboard/${company_id}${path}`);
  /** What the page told before is still there. */
  const walk = (company_id: string, path: string) => go(seen.page, `/dashboard/${company_id}${path}`);
  return { ...seen, load, walk, user_id };
}

const logo = writePng(2, 2, new Uint8Array(16).fill(200));

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const act = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

async function chooseProduct(page: Page, name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Producto' }).fill(name.slice(0, 6));
  await page.getByRole('option', { name }).click();
}

async function wide(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 800 });
}

stories.push([
  'given an owner, then a refused save keeps what was typed, each fault at its field, and the next one sends what changed',
  async (around) => {
    const { app } = around;
    const acme = await app.given.company({ name: 'Talleres Ñandú SL' });
    const key = acme.live_key;
    await app.put('/v1/account/company', { key, body: { phone: '600 000 000', address: { city: 'Soria' } } });
    const { page, complaints, close, load, walk } = await opened(around, acme);
    const faults: string[] = [];
    const company = async () => (await app.get('/v1/account/company', { key })).body.data;

    await load(acme.company_id, '/company');
    await heading(page, 'Empresa');
    await page.getByLabel('Calle', { exact: true }).fill('Rúa do Sol, 4');
    await page.getByLabel('IBAN').fill('ES00 1234');
    await page.getByLabel('Correo electrónico').fill('nadie');
    await act(page, 'Guardar los cambios');
    await page.locator('input[aria-invalid="true"][type="email"]:focus').waitFor();
    assert.equal(await page.locator('input[aria-invalid="true"]').count(), 2);
    assert.equal(await page.getByLabel('Calle', { exact: true }).inputValue(), 'Rúa do Sol, 4');
    await judgePage(page, 'company', faults);
    await wide(page);

    const file = page.locator('input[type="file"]');
    await file.setInputFiles({ name: 'a.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') });
    await page.getByText('Un SVG no se admite: guárdelo como PNG y elija ese archivo.').waitFor();
    await file.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: logo });
    await page.getByAltText('Logotipo de la empresa').waitFor();
    // Another's change of what nobody touched here stays.
    await app.put('/v1/account/company', { key, body: { phone: '611 111 111' } });
    await page.getByLabel('IBAN').fill('ES91 2100 0418 4502 0005 1332');
    await page.getByLabel('Correo electrónico').fill('hola@norte.example');
    await page.getByLabel('Facturas', { exact: true }).fill('10,5');
    await act(page, 'Guardar los cambios');
    await page.getByText('Los datos de la empresa están guardados.').waitFor();
    const saved = await company();
    assert.deepEqual([saved.address.line1, saved.address.city], ['Rúa do Sol, 4', 'Soria']);
    assert.deepEqual([saved.phone, saved.email], ['611 111 111', 'hola@norte.example']);
    assert.deepEqual([saved.iban, saved.default_vat.invoice], ['ES9121000418450200051332', 10.5]);
    assert.match(saved.logo, /^data:image\/png;base64,/);

    // What is typed while it is saved stays, and is asked about.
    let let_go = () => {};
    const held = new Promise<void>((resolve) => (let_go = resolve));
    const sent = page.waitForRequest((request) => request.method() === 'PUT');
    await page.route('**/account/company', async (route) => {
      await held;
      await route.continue();
    });
    await page.getByLabel('Correo electrónico').fill('adios@norte.example');
    await act(page, 'Guardar los cambios');
    await sent;
    await page.getByLabel('Teléfono').fill('622');
    let_go();
    await page.locator('button[type="submit"]:not([data-loading])').waitFor();
    assert.equal(await page.getByLabel('Teléfono').inputValue(), '622');
    assert.equal((await company()).email, 'adios@norte.example');
    await page.getByRole('link', { name: 'Series', exact: true }).click();
    await page.getByRole('dialog', { name: '¿Salir sin guardar?' }).waitFor();
    await act(page, 'Salir');
    await page.getByRole('link', { name: 'Crear una serie' }).click();
    await page.getByLabel('Código').fill('T');
    await page.getByLabel('Formato del número').fill('sin cifras');
    await act(page, 'Crear una serie');
    await page.locator('input[aria-invalid="true"]:focus').waitFor();
    await page.getByLabel('Formato del número').fill('{code}{year}-{number:4}');
    await act(page, 'Crear una serie');
    await heading(page, 'Serie T');
    await act(page, 'Hacer predeterminada');
    await page.getByText('Predeterminada', { exact: true }).waitFor();

    await walk(acme.company_id, '/audit');
    await page.getByRole('button', { name: 'Ver: Modificar la empresa' }).nth(1).click();
    await page.getByRole('dialog', { name: 'Modificar la empresa' }).getByText('"default_vat"').waitFor();
    await judgePage(page, 'audit entry', faults);
    await wide(page);
    await page.keyboard.press('Escape');
    await page.getByText('Ahora es miembro de la empresa', { exact: true }).waitFor();
    await load(acme.company_id, '/company');
    await act(page, 'Quitar el logotipo');
    await act(page, 'Guardar los cambios');
    await page.getByText('Los datos de la empresa están guardados.').waitFor();
    assert.equal((await company()).logo, null);

    await load(acme.company_id, '/company/plan');
    await page.getByRole('link', { name: 'Añadir una empresa' }).click();
    await page.getByLabel('Nombre o razón social').fill('Segunda SL');
    await page.getByLabel('NIF').fill('B12345674');
    await act(page, 'Añadir una empresa');
    const secret = (await page.locator('[data-secret]').textContent()) ?? '';
    const second = await app.get('/v1/account/company', { key: secret });
    assert.equal(second.body.data.name, 'Segunda SL');
    // The way back does not take it along.
    await page.goBack();
    await page.waitForURL('**/company/new', { waitUntil: 'commit' });
    await act(page, 'Lo he guardado');
    await page.waitForURL(`**/dashboard/${second.body.data.id}`);
    assert.deepEqual([faults, ownComplaints(complaints)], [[], []]);
    await close();
  },
]);

stories.push([
  'given a live company, then the sandbox is found, its clock moved, its mail read and its data deleted by name',
  async (around) => {
    const { app } = around;
    const acme = await app.given.company({ name: 'Talleres Ñandú SL' });
    const key = acme.test_key;
    const body = { type: 'F2', lines: [{ description: 'x', unit_price: 10, tax_rate: 21 }] };
    const { id } = (await app.post('/v1/invoices', { key, body })).body.data;
    await app.post(`/v1/invoices/${id}/send`, { key, body: { to: ['ana@example.com'] } });
    const { page, complaints, close, load, walk } = await opened(around, acme);
    const faults: string[] = [];
    const clock = async () => (await app.get('/v1/sandbox/clock', { key })).body.data;

    await load(acme.company_id, '/sandbox');
    await act(page, 'Ir al entorno de pruebas');
    await page.getByRole('heading', { level: 2, name: 'Reloj' }).waitFor();
    await act(page, 'Parar el reloj');
    await page.getByText('Parado', { exact: true }).waitFor();
    const before = await clock();
    assert.equal(before.frozen, true);
    await act(page, 'Avanzar un día');
    await page.getByRole('dialog').getByRole('button', { name: 'Avanzar el reloj' }).click();
    await page.getByText('El reloj ha avanzado.').waitFor();
    const after = await clock();
    assert.deepEqual([Date.parse(after.now) - Date.parse(before.now), after.frozen], [86_400_000, true]);
    const shown = await page.getByRole('table', { name: 'Valores mágicos' }).innerText();
    for (const { recipient_nif } of magicValues) assert.ok(shown.includes(recipient_nif), recipient_nif);
    await judgePage(page, 'sandbox', faults);
    await wide(page);

    await page.getByRole('table', { name: 'Correos' }).getByRole('link').click();
    await page.getByText('En pruebas no se envía correo').waitFor();
    await page.getByRole('region', { name: 'Mensaje' }).getByText('Talleres Ñandú SL').first().waitFor();
    await walk(acme.sandbox_company_id, '/verifactu/settings');
    const upload = page.getByRole('button', { name: 'Subir el certificado' });
    const choose = async (name: string, buffer: Buffer) => {
      const mimeType = 'application/x-pkcs12';
      await page.locator('input[type="file"]').setInputFiles({ name, mimeType, buffer });
    };
    // The field is a button for those who see the page, and an empty box looks like one for text.
    await page.getByText('Elegir un fichero').waitFor();
    await choose('grande.p12', Buffer.alloc(5_000_000));
    await page.getByText('El fichero pasa de 100 kB').waitFor();
    assert.ok(await upload.isDisabled());
    await choose('nuestro.p12', Buffer.from(certificateFile(acme), 'base64'));
    await page.getByLabel('Contraseña del fichero').fill('otra');
    await upload.click();
    await page.getByText('La contraseña no es la del fichero.').waitFor();
    assert.equal((await app.get(certificatePath, { key })).status, 404);

    await page.getByRole('link', { name: 'Pruebas' }).first().click();
    await act(page, 'Borrar los datos de prueba');
    const question = page.getByRole('dialog');
    const remove = question.getByRole('button', { name: 'Borrar los datos de prueba' });
    assert.ok(await remove.isDisabled());
    await question.getByLabel(/^Escriba/).fill('Talleres Ñandú SL');
    await remove.click();
    await page.getByText('Los datos de prueba están borrados.').waitFor();
    assert.deepEqual((await app.get('/v1/invoices', { key })).body.data, []);
    assert.deepEqual([faults, ownComplaints(complaints)], [[], []]);
    await close();
  },
]);

/** A client of another state may have its VAT number alone, and its regime decides how its lines are taxed. */
async function showsClientOfAnotherState(
  { app, page }: { app: App; page: Page },
  key: string,
  walk: (path: string) => Promise<void>,
): Promise<void> {
  const abroad = {
    name: 'Dublin Ltd',
    vat_id: 'IE6388047V',
    preferred_operation_regime: 'intra_community',
  };
  assert.equal((await app.post('/v1/clients', { key, body: abroad })).status, 201);
  await walk('/clients');
  await page.getByRole('cell', { name: 'IE6388047V' }).waitFor();
  await page.getByRole('link', { name: 'Dublin Ltd' }).click();
  await heading(page, 'Dublin Ltd');
  assert.deepEqual(await page.getByText(/^(NIF|NIF-IVA|IE6388047V|Intracomunitario)$/).allTextContents(), [
    'NIF-IVA',
    'IE6388047V',
    'Intracomunitario',
  ]);
}

stories.push([
  'given no client, then a new invoice makes one on the way, and takes a product; clients and suppliers are changed',
  async (around) => {
    const { turns } = around;
    const { app, acme, page, complaints, load, close, walk: walkTo } = await turns.take();
    const key = acme.live_key;
    const walk = (path: string) => walkTo(path, acme.company_id);

    await walk('/invoices/new');
    await page.getByLabel('Concepto').fill('Consultoría');
    await page.getByLabel('Precio').fill('1.234,50');
    await act(page, 'Nuevo cliente');
    const dialog = page.getByRole('dialog', { name: 'Nuevo cliente' });
    await dialog.getByRole('button', { name: 'Crear el cliente' }).click();
    await dialog.locator('input[aria-invalid="true"]:focus').waitFor();
    await dialog.getByLabel('Nombre o razón social').fill('Clínica Robles SL');
    await dialog.getByLabel('NIF').fill('B12345674');
    await dialog.getByLabel('Calle', { exact: true }).fill('Mayor, 1');
    await dialog.getByRole('button', { name: 'Crear el cliente' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Nuevo cliente' }).and(page.locator(':focus')).waitFor();
    assert.match(await page.getByRole('combobox', { name: 'Cliente' }).inputValue(), /Clínica Robles SL/);
    await act(page, 'Guardar el borrador');
    await page.waitForURL(/\/invoices\/[0-9a-f-]{36}$/);
    const [draft] = (await app.get('/v1/invoices', { key })).body.data;
    assert.deepEqual([draft.client.name, draft.subtotal], ['Clínica Robles SL', 1234.5]);

    await walk(`/clients/${draft.client.id}/edit`);
    await page.getByLabel('Correo electrónico').fill('robles@example.com');
    await act(page, 'Guardar los cambios');
    await heading(page, 'Clínica Robles SL');
    const { email, tax_id } = (await app.get(`/v1/clients/${draft.client.id}`, { key })).body.data;
    assert.deepEqual([email, tax_id], ['robles@example.com', 'B12345674']);

    await walk('/products/new');
    await page.getByLabel('Nombre').fill('Hora de consultoría');
    await page.getByLabel('Precio sin impuestos').fill('12,50');
    await act(page, 'Crear el producto');
    await heading(page, 'Hora de consultoría');
    const [product] = (await app.get('/v1/products', { key })).body.data;
    assert.equal(product.unit_price, 12.5);

    // What the product says, the service fills in; another product is another line.
    const [tax] = (await app.get('/v1/taxes', { key, query: { kind: 'vat' } })).body.data.filter(
      ({ rate }: { rate: number }) => rate === 4,
    );
    const manual = { name: 'Manual impreso', unit_price: 9, taxes_id: tax.id };
    await app.post('/v1/products', { key, body: manual });
    await walk('/invoices/new');
    await chooseProduct(page, 'Hora de consultoría');
    await act(page, 'Guardar el borrador');
    await page.waitForURL(/\/invoices\/[0-9a-f-]{36}$/);
    const billed = page.url().split('/').at(-1);
    const line = async () => (await app.get(`/v1/invoices/${billed}`, { key })).body.data.lines[0];
    const first = await line();
    assert.deepEqual([first.product.id, first.description], [product.id, product.name]);
    assert.deepEqual([first.unit_price, first.tax_rate], [12.5, 21]);
    await load(`/invoices/${billed}/edit`, acme.company_id);
    await page.getByLabel('Precio').fill('');
    await act(page, 'Guardar el borrador');
    await page.getByLabel('Precio').and(page.locator('[aria-invalid="true"]:focus')).waitFor();
    await chooseProduct(page, 'Manual impreso');
    await act(page, 'Guardar el borrador');
    await page.getByText('Borrador guardado.').waitFor();
    const second = await line();
    assert.deepEqual([second.product.name, second.description], ['Manual impreso', 'Manual impreso']);
    assert.deepEqual([second.unit_price, second.tax_rate], [9, 4]);

    await showsClientOfAnotherState({ app, page }, key, walk);

    await walk('/suppliers');
    await page.getByText('Todavía no hay ningún proveedor').waitFor();
    assert.equal(await page.getByRole('link', { name: 'Nuevo proveedor' }).count(), 1);
    await page.getByRole('link', { name: 'Nuevo proveedor' }).click();
    await page.getByLabel('Nombre o razón social').fill('Papelera del Sur');
    await page.getByLabel('NIF', { exact: true }).fill('X');
    await act(page, 'Crear el proveedor');
    await page.locator('input[aria-invalid="true"]:focus').waitFor();
    await page.getByLabel('NIF', { exact: true }).fill('B00000018');
    await act(page, 'Crear el proveedor');
    await heading(page, 'Papelera del Sur');
    await page.getByRole('link', { name: 'Editar' }).click();
    await page.getByLabel('Forma de pago').selectOption('bank_transfer');
    await page.getByLabel('Días para pagar').fill('1');
    await page.getByLabel('Retención habitual').fill('7,5');
    await act(page, 'Guardar los cambios');
    await page.getByText('Transferencia, a 1 día', { exact: true }).waitFor();
    await page.getByText(/^7,5\s%$/).waitFor();
    const [supplier] = (await app.get('/v1/suppliers', { key })).body.data;
    assert.deepEqual([supplier.tax_id, supplier.payment_preferences.terms_days], ['B00000018', 1]);
    await act(page, 'Archivar');
    await page.getByText('Archivado', { exact: true }).waitFor();
    assert.deepEqual((await app.get('/v1/clients', { key, query: { q: 'Papelera' } })).body.data, []);

    assert.deepEqual(ownComplaints(complaints), []);
    await close();
  },
]);

stories.push([
  'given an endpoint and an application, then they are changed; a reader sees facts alone',
  async (around) => {
    const { turns } = around;
    const { app, acme, page, complaints, close, walk: walkTo } = await turns.take();
    const key = acme.live_key;
    const walk = (path: string) => walkTo(path, acme.company_id);

    const endpoint = { url: 'https://hooks.example.com/a', enabled_events: ['invoice.paid'] };
    const hook = (await app.post('/v1/webhook_endpoints', { key, body: endpoint })).body.data;
    await walk(`/webhooks/${hook.id}/edit`);
    await page.getByLabel('Eventos').fill('invoice.*\nclient.created');
    // What somebody else changed meanwhile stays.
    const other = await app.put(`/v1/webhook_endpoints/${hook.id}`, { key, body: { description: 'ERP' } });
    assert.equal(other.status, 200, other.text);
    await act(page, 'Guardar los cambios');
    await page.getByText('El punto de recepción está guardado.').waitFor();
    const kept = (await app.get(`/v1/webhook_endpoints/${hook.id}`, { key })).body.data;
    const wanted = [endpoint.url, ['invoice.*', 'client.created'], 'ERP'];
    assert.deepEqual([kept.url, kept.enabled_events, kept.description], wanted);

    const described = { name: 'ERP', type: 'public', redirect_uris: ['https://erp.example/back'] };
    const client = (await app.post('/v1/oauth/clients', { key, body: described })).body.data;
    await walk(`/applications/${client.id}/edit`);
    await page.getByLabel('Nombre').fill('ERP Norte');
    const website = 'https://erp.example/';
    const same = await app.put(`/v1/oauth/clients/${client.id}`, { key, body: { website } });
    assert.equal(same.status, 200, same.text);
    await act(page, 'Guardar los cambios');
    await heading(page, 'ERP Norte');
    assert.equal((await app.get(`/v1/oauth/clients/${client.id}`, { key })).body.data.website, website);
    assert.deepEqual(ownComplaints(complaints), []);
    await close();

    const reader = await opened(around, acme, 'reader');
    await reader.load(acme.company_id, '/company');
    await reader.page.getByRole('heading', { level: 2, name: 'Identidad' }).waitFor();
    assert.equal(await reader.page.locator('main input, main button').count(), 0);
    await reader.close();
  },
]);

stories.push([
  'given somebody without a company, then they see their account, as a message about it leads there, and make a company',
  async (around) => {
    const { app } = around;
    const acme = await app.given.company();
    const { page, complaints, close, user_id } = await opened(around, acme, 'reader');
    const account = `${app.url}/dashboard/account`;
    await page.goto(account);
    await heading(page, 'Mi cuenta');
    assert.match(page.url(), new RegExp(`/dashboard/${acme.company_id}/me$`));

    await app.sql`delete from members where company_id = ${acme.company_id} and user_id = ${user_id}`;
    await app.sql`delete from user_companies where user_id = ${user_id}`;
    const faults: string[] = [];
    await page.goto(account);
    await heading(page, 'Mi cuenta');
    await page.getByRole('heading', { level: 2, name: 'Sesiones abiertas' }).waitFor();
    await judgePage(page, 'account without a company', faults);
    await page.goto(`${app.url}/dashboard`);
    await heading(page, 'Todavía no tiene ninguna empresa');
    await judgePage(page, 'no company', faults);
    await page.getByRole('link', { name: 'Mi cuenta' }).click();
    await heading(page, 'Mi cuenta');
    await page.getByRole('link', { name: 'Volver' }).click();
    await page.getByRole('link', { name: 'Añadir una empresa' }).click();
    await heading(page, 'Añadir una empresa');
    await judgePage(page, 'a first company', faults);
    await page.getByLabel('Nombre o razón social').fill('Norte Nueva SL');
    await page.getByLabel('NIF').fill(randomTaxId());
    await act(page, 'Añadir una empresa');
    const shown = await page.locator('[data-secret]').textContent();
    app.given.secrets.push(shown!);
    const test_key = /svc_test_\w{24}/.exec(await page.getByRole('dialog').innerText());
    app.given.secrets.push(test_key![0]);
    await act(page, 'Lo he guardado');
    await page.waitForURL(/\/dashboard\/[\w-]{36}$/);
    await page.getByRole('button', { name: 'Norte Nueva SL' }).first().waitFor();
    assert.deepEqual(faults, []);
    assert.deepEqual(ownComplaints(complaints), []);
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
