/** What a dashboard asks and tells in passing: questions that open again, what is gone meanwhile, names of buttons, telephones. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, startApp } from '../harness.ts';
import type { Page } from '../support/browser.ts';
import { codeAt, readBase32, stepAt } from '../../src/modules/people/rules/totp.ts';
import { certificateFile, filePassword } from '../support/company-certificates.ts';
import { seeStories, type Story } from '../support/dashboard-turns.ts';
import { enter, PersonBrowser, type TestPerson } from '../support/person-browser.ts';
import { yearAt } from '../support/this-year.ts';

/** They share a service and a page, and nothing else: each has a company, and its owner looks at the sandbox. */
const stories: Story[] = [];

async function signedInAgain(app: App, { email, password }: TestPerson): Promise<PersonBrowser> {
  const again = new PersonBrowser(app);
  assert.equal((await again.submit('/sign-in', { email, password })).status, 303);
  return again;
}

const act = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const inDialog = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true });

async function cancel(page: Page): Promise<void> {
  await inDialog(page, 'Cancelar').click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
}

const draft = { type: 'F2', lines: [{ description: 'Libros', unit_price: 100, tax_rate: 21 }] };

stories.push([
  'given a payment that was typed and not registered, when the question opens again, then it is as at first',
  async (turns) => {
    const { app, person, page, made, walk, close } = await turns.alone();
    const { id } = await made('/v1/invoices', { ...draft, options: { issue: true } });
    await walk(`/invoices/${id}`);
    await act(page, 'Registrar un cobro');
    const amount = page.getByLabel('Importe');
    await amount.fill('nada');
    await page.getByLabel('Referencia').fill('Recibo 7');
    await inDialog(page, 'Registrar un cobro').click();
    await page.getByText('Escriba un importe').waitFor();
    // What the service refuses is told at its field; what no field tells, beside the button that was pressed.
    await amount.fill('12,345');
    await inDialog(page, 'Registrar un cobro').click();
    await amount.and(page.locator('[aria-invalid="true"]:focus')).waitFor();
    // It is Spanish, whatever the language of the page.
    assert.equal(
      await page.locator('[lang="es"]', { hasText: /^Admite 2 decimales como máximo\.$/ }).count(),
      1,
    );
    await amount.fill('1.000');
    await inDialog(page, 'Registrar un cobro').press('Enter');
    await page.getByText('el cobro supera lo pendiente').first().waitFor();
    await page.locator('[role="dialog"] :focus').waitFor();
    await cancel(page);
    await act(page, 'Registrar un cobro');
    assert.equal(await amount.inputValue(), '121');
    assert.equal(await page.getByLabel('Referencia').inputValue(), '');
    assert.equal(await page.getByText('Escriba un importe').count(), 0);

    // A session that ends takes nothing of it, and no key does.
    await page.getByLabel('Referencia').fill('Recibo 8');
    await page.context().clearCookies();
    await inDialog(page, 'Registrar un cobro').click();
    const ended = page.getByRole('dialog', { name: 'Su sesión ha terminado' });
    await ended.locator(':focus').waitFor();
    await page.keyboard.press('Escape');
    await enter(page, app.url, person.browser);
    await ended.getByRole('button', { name: 'Ya he entrado' }).click();
    await ended.waitFor({ state: 'detached' });
    assert.equal(await page.getByLabel('Referencia').inputValue(), 'Recibo 8');

    // Who has signed in anew in another tab goes on in this one.
    await enter(page, app.url, await signedInAgain(app, person));
    await inDialog(page, 'Registrar un cobro').click();
    await page.getByText(/· Recibo 8/).waitFor();
    await close();
  },
]);

stories.push([
  'given a question that is closed, or a page that is left, while its act runs, when that is refused, then it is told all the same',
  async (turns) => {
    const { page, made, walk, load, close } = await turns.take();
    const { id } = await made('/v1/invoices', { ...draft, options: { issue: true } });
    await walk(`/invoices/${id}`);
    const refusing = async (leave: () => Promise<void>) => {
      let let_go = () => {};
      const left = new Promise<void>((resolve) => (let_go = resolve));
      await page.route('**/payments', async (route) => {
        await left;
        await route.fulfill({ status: 500 });
      });
      await act(page, 'Registrar un cobro');
      await inDialog(page, 'Registrar un cobro').click();
      await leave();
      let_go();
      await page.getByRole('alert').getByText('Lo que pidió antes no ha ido bien').waitFor();
      await page.unroute('**/payments');
    };
    await refusing(() => cancel(page));

    // The answer to the first does not close the question that was opened again meanwhile.
    let let_go = () => {};
    const held = new Promise<void>((resolve) => (let_go = resolve));
    await page.route('**/payments', async (route) => {
      await held;
      await route.continue();
    });
    await act(page, 'Registrar un cobro');
    await page.getByLabel('Importe').fill('21');
    await inDialog(page, 'Registrar un cobro').click();
    await cancel(page);
    await act(page, 'Registrar un cobro');
    await page.getByLabel('Referencia').fill('Recibo 9');
    let_go();
    await page.getByText('Cobrado 21,00 €').waitFor();
    await page.getByRole('alert').getByText('Cobro registrado').waitFor();
    assert.equal(await page.getByLabel('Referencia').inputValue(), 'Recibo 9');
    await page.unroute('**/payments');
    await page.reload();
    await refusing(async () => {
      await cancel(page);
      await page.getByRole('link', { name: 'Clientes' }).click();
      await page.getByRole('heading', { level: 1, name: 'Clientes' }).waitFor();
    });

    // A list of which the address names a row that is gone.
    await load('/clients?after=01a20431-889e-7000-8710-b578ce84b835');
    await act(page, 'Ver la lista desde el principio');
    await page.getByText('Todavía no hay').first().waitFor();
    assert.equal(new URL(page.url()).search, '');
    // And one of which the rows are gone.
    const only = await made('/v1/clients', { name: 'Talleres Ibáñez SL' });
    await load(`/clients?after=${only.id}`);
    await act(page, 'Ver la lista desde el principio');
    await page.getByRole('link', { name: only.name }).waitFor();
    await close();
  },
]);

stories.push([
  'given a search for clients that fails, then it says so; of one that is made on the way, when another was chosen before the answer, then that one stays',
  async (turns) => {
    const { page, made, walk, close } = await turns.take();
    await made('/v1/clients', { name: 'Clínica Robles SL' });
    await walk('/invoices/new');
    const client = page.getByRole('combobox', { name: 'Cliente' });
    await page.route('**/v1/clients?**q=**', (route) => route.fulfill({ status: 500 }));
    await client.fill('Talleres');
    await page.getByRole('listbox').getByText('El servicio ha fallado al responder.').waitFor();
    await client.fill('');
    // It lies over what is below it.
    await client.press('Escape');
    await page.getByRole('listbox').waitFor({ state: 'hidden' });

    let let_go = () => {};
    const held = new Promise<void>((resolve) => (let_go = resolve));
    await page.route('**/v1/clients', async (route) => {
      await held;
      await route.continue();
    });
    await act(page, 'Nuevo cliente');
    await page.getByRole('dialog').getByLabel('Nombre o razón social').fill('Talleres Ibáñez SL');
    await inDialog(page, 'Crear el cliente').click();
    await cancel(page);
    await client.click();
    await page.getByRole('option', { name: 'Clínica Robles SL' }).click();
    let_go();
    await page.getByRole('alert').getByText('El cliente está creado.').waitFor();
    assert.equal(await client.inputValue(), 'Clínica Robles SL');
    await close();
  },
]);

stories.push([
  'given a form that is left while it is saved, then that is what is asked, and the answer leads nobody away',
  async (turns) => {
    const { page, walk, load, close } = await turns.take();
    const begun = async (name: string) => {
      let let_go = () => {};
      const held = new Promise<void>((resolve) => (let_go = resolve));
      await page.route('**/v1/clients', async (route) => {
        if (route.request().method() === 'POST') await held;
        await route.continue();
      });
      await load('/clients/new');
      await page.getByLabel('Nombre o razón social').fill(name);
      const sent = page.waitForRequest((request) => request.method() === 'POST');
      await act(page, 'Crear el cliente');
      await sent;
      await page.getByRole('link', { name: 'Productos' }).click();
      await page.getByRole('dialog').getByText('¿Salir mientras se guarda?').waitFor();
      return let_go;
    };
    const let_first = await begun('Talleres Ibáñez SL');
    await inDialog(page, 'Salir').click();
    await page.getByRole('heading', { level: 1, name: 'Productos' }).waitFor();
    let_first();
    await page.getByRole('alert').getByText('El cliente está creado').waitFor();
    await page.waitForLoadState('networkidle');
    assert.match(page.url(), /\/products$/);

    const let_second = await begun('Hotel Miramar SA');
    let_second();
    await page.getByRole('heading', { level: 1, name: 'Hotel Miramar SA' }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });

    // What is typed meanwhile, in a form that stays, is not saved yet.
    let let_third = () => {};
    const third = new Promise<void>((resolve) => (let_third = resolve));
    await page.route('**/dashboard/api/me', async (route) => {
      await third;
      await route.continue();
    });
    await walk('/me');
    await page.getByLabel('Nombre').first().fill('Ana Ruiz Gil');
    await act(page, 'Guardar');
    await page.getByLabel('Nombre').first().fill('Ana Ruiz Gil de Haro');
    let_third();
    await page.getByRole('alert').getByText('Guardado.').waitFor();
    await page.getByRole('link', { name: 'Productos' }).click();
    await page.getByRole('dialog').getByText('¿Salir sin guardar?').waitFor();
    await close();
  },
]);

stories.push([
  'given a secret that is being changed, when the page is left, then it is asked first, and the new one is shown to who stays',
  async (turns) => {
    const { acme, page, load, close } = await turns.take();
    // The way back leads to where a page of the browser's own history was.
    await load('/keys', acme.company_id);
    await page.getByRole('link', { name: 'Primera clave', exact: true }).click();
    let let_go = () => {};
    const held = new Promise<void>((resolve) => (let_go = resolve));
    await page.route('**/rotate_secret', async (route) => {
      await held;
      await route.continue();
    });
    await act(page, 'Cambiar el secreto');
    await inDialog(page, 'Cambiar el secreto').click();
    await page.goBack();
    await page.getByText('¿Salir sin ver el secreto?').waitFor();
    await inDialog(page, 'Seguir aquí').click();
    let_go();
    await page.locator('[data-secret]').waitFor();
    await close();
  },
]);

stories.push([
  'given second factors whose answer is lost, when the page shows them, then it tells that the answer is missing',
  async (turns) => {
    const { app, page, walk, close } = await turns.take();
    await page.route('**/me/totp/confirm', async (route) => {
      await route.fetch();
      await route.abort();
    });
    const begun = page.waitForResponse('**/me/totp');
    await walk('/me');
    await act(page, 'Añadir una aplicación');
    const { secret } = (await (await begun).json()).data;
    await page.getByLabel('Código de seis cifras').fill(codeAt(readBase32(secret), stepAt(app.clock.now())));
    await inDialog(page, 'Activar').click();
    // Its form is gone with it.
    await page.getByRole('button', { name: 'Retirar la aplicación' }).waitFor();
    await page.getByRole('alert').getByText('Lo que pidió antes no ha ido bien').waitFor();
    await close();
  },
]);

stories.push([
  'given another mode of VeriFactu that was chosen and not confirmed, when the question opens again, then the present one is chosen',
  async (turns) => {
    const { app, key, page, walk, close } = await turns.take();
    await app.put('/v1/verifactu/settings', { key, body: { enabled: true } });
    await walk('/verifactu/settings');
    await act(page, 'Cambiar el modo');
    const mode = page.getByRole('dialog').getByRole('combobox');
    await mode.selectOption('no_verifactu');
    await cancel(page);
    await act(page, 'Cambiar el modo');
    assert.equal(await mode.inputValue(), 'verifactu');
    await close();
  },
]);

stories.push([
  'given records that were sent, when VeriFactu is left on 1 January, then that is planned, and the question opens with it',
  async (turns) => {
    const { app, key, page, made, walk, close } = await turns.take();
    await app.put('/v1/verifactu/settings', { key, body: { enabled: true } });
    await made('/v1/invoices', { ...draft, options: { issue: true } });
    await walk('/verifactu/settings');
    await act(page, 'Cambiar el modo');
    const mode = page.getByRole('dialog').getByRole('combobox');
    const from = page.getByRole('dialog').getByLabel('Desde');
    await mode.selectOption('off');
    await inDialog(page, 'Cambiar el modo').click();
    await page.getByRole('dialog').getByText('dura hasta el 31 de diciembre').waitFor();
    const new_year = `${yearAt(app.clock.now()) + 1}-01-01`;
    await from.fill(new_year);
    await inDialog(page, 'Cambiar el modo').click();
    await page.getByText('Cambio previsto.').waitFor();
    await page.locator(`time[datetime="${new_year}"]`).waitFor();
    await act(page, 'Cambiar el modo');
    assert.deepEqual([await mode.inputValue(), await from.inputValue()], ['off', new_year]);
    await close();
  },
]);

stories.push([
  'given a draft that was deleted elsewhere, when it is issued or its form is sent, then it is told that it is gone, nothing is offered, and what was typed stays',
  async (turns) => {
    const { app, key, page, made, walk, load, close } = await turns.take();
    const remove = (id: string) => app.delete(`/v1/invoices/${id}`, { key });
    const first = await made('/v1/invoices', draft);
    await walk(`/invoices/${first.id}`);
    await page.getByRole('button', { name: 'Emitir' }).waitFor();
    await remove(first.id);
    await act(page, 'Emitir');
    await page.getByRole('main').getByText('Esto ya no existe').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    for (const name of ['Emitir', 'Eliminar', 'Editar'])
      assert.equal(await page.getByRole('button', { name }).count(), 0);
    const second = await made('/v1/invoices', draft);
    await load(`/invoices/${second.id}/edit`);
    await page.getByLabel('Concepto').fill('Cuadernos');
    await remove(second.id);
    await act(page, 'Guardar el borrador');
    // The form tells it, and so does the page, once it has read the draft again.
    await page.getByRole('alert').getByText('Esto ya no existe').last().waitFor();
    assert.equal(await page.getByLabel('Concepto').inputValue(), 'Cuadernos');
    await close();
  },
]);

stories.push([
  'given a draft that was issued elsewhere, when it is deleted, then that is refused, and the page tells what it is once the question is closed',
  async (turns) => {
    const { app, key, page, made, walk, close } = await turns.take();
    const { id } = await made('/v1/invoices', draft);
    await walk(`/invoices/${id}`);
    await act(page, 'Eliminar');
    const { number } = (await app.post(`/v1/invoices/${id}/issue`, { key, body: {} })).body.data;
    await inDialog(page, 'Eliminar').click();
    await page.getByRole('dialog').getByText('El estado actual no permite').waitFor();
    await cancel(page);
    await page.getByRole('heading', { level: 1, name: `Factura ${number}` }).waitFor();
    await close();
  },
]);

stories.push([
  'given a date of which a part was typed, when the form is sent, then its field tells it, and nothing is kept without it',
  async (turns) => {
    const { app, key, page, walk, close } = await turns.take();
    await walk('/invoices/new');
    await page.getByLabel('Tipo').selectOption('F2');
    await page.getByLabel('Concepto').fill('Libros');
    await page.getByLabel('Precio').fill('5');
    const due_on = page.getByLabel('Vencimiento');
    await due_on.pressSequentially('12');
    await act(page, 'Guardar el borrador');
    await page.getByText('Escriba la fecha entera').waitFor();
    await due_on.and(page.locator(':focus')).waitFor();
    assert.deepEqual((await app.get('/v1/invoices', { key })).body.data, []);
    await due_on.fill(`${new Date().getUTCFullYear() + 1}-12-31`);
    await act(page, 'Guardar el borrador');
    await page.getByRole('heading', { name: 'Borrador' }).waitFor();
    await close();
  },
]);

stories.push([
  'given a session that ended in another tab, when it is ended here, then it is no longer shown',
  async (turns) => {
    const { app, person, page, walk, close } = await turns.alone();
    const other = await signedInAgain(app, person);
    await walk('/me');
    const end = page.getByRole('button', { name: /^Cerrar: / });
    await end.waitFor();
    assert.equal((await other.submit('/sign-in', {}, '/sign-out')).status, 303);
    await end.click();
    await end.waitFor({ state: 'detached' });
    await close();
  },
]);

stories.push([
  'given the account, then what is refused has the focus; of two more sessions of one browser the button of each says which it ends',
  async (turns) => {
    const { app, person, page, walk, load, close } = await turns.alone();
    await walk('/me');
    // What is refused has the focus.
    const refused = (label: string) =>
      page.getByLabel(label).and(page.locator('[aria-invalid="true"]:focus'));
    await page.getByLabel('Contraseña nueva').fill('corta');
    await act(page, 'Cambiar la contraseña');
    await refused('Contraseña nueva').waitFor();
    await act(page, 'Añadir una aplicación');
    await page.getByLabel('Código de seis cifras').fill('ninguno');
    await inDialog(page, 'Activar').click();
    await refused('Código de seis cifras').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const first = app.clock.now().getTime();
    for (const minutes of [5, 10]) {
      app.clock.set(new Date(first + minutes * 60_000).toISOString());
      await signedInAgain(app, person);
    }
    await load('/me');
    const ends = page.getByRole('button', { name: /^Cerrar: / });
    await ends.first().waitFor();
    const names = await ends.evaluateAll((all) => all.map((one) => (one as never as Named).ariaLabel));
    assert.equal(new Set(names).size, names.length);
    assert.ok(names.length >= 2);
    await close();
  },
]);

type Named = { ariaLabel: string };

stories.push([
  'given a telephone, then the people of a company, their roles and what may be done with them are on the screen',
  async (turns) => {
    const { page, walk, close } = await turns.take(375);
    await walk('/people');
    await page.getByRole('button', { name: /^Dejar la empresa/ }).waitFor();
    await page.getByRole('rowheader').getByText('Propietario').waitFor();
    const cut = await page.evaluate(`(() => {
      const part = document.querySelector('main table').parentElement;
      return part.scrollWidth - part.clientWidth;
    })()`);
    assert.equal(cut, 0);
    await close();
  },
]);

stories.push([
  'given a representation, when it is registered, then its form is empty again',
  async (turns) => {
    const { app, acme, page, walk, close } = await turns.take();
    await app.put('/v1/verifactu/settings', { key: acme.test_key, body: { enabled: true } });
    await walk('/verifactu/settings');
    const until = page.getByLabel('Hasta');
    const end = new Date(app.clock.now().getTime() + 300 * 86_400_000).toISOString().slice(0, 10);
    await until.fill(end);
    await act(page, 'Registrar la representación');
    await page.locator(`time[datetime="${end}"]`).waitFor();
    assert.equal(await until.inputValue(), '');
    await close();
  },
]);

stories.push([
  'given a certificate, when it is uploaded, then neither its file nor its password stays in the page',
  async (turns) => {
    const { acme, page, walk, close } = await turns.take();
    await walk('/verifactu/settings');
    const password = page.getByLabel('Contraseña del fichero');
    const upload = page.getByRole('button', { name: 'Subir el certificado' });
    const buffer = Buffer.from(certificateFile(acme), 'base64');
    const file = { name: 'nuestro.p12', mimeType: 'application/x-pkcs12', buffer };
    await page.locator('input[type="file"]').setInputFiles(file);
    await password.fill(filePassword);
    await upload.click();
    await page.getByText('Certificado guardado.').waitFor();
    await page.getByText('nuestro.p12').waitFor({ state: 'hidden' });
    assert.equal(await password.inputValue(), '');
    await close();
  },
]);

test('in a browser', async (t) => seeStories(t, await startApp(t), stories));
