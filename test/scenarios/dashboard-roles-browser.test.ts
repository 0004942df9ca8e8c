/** Each page and each action as each role: what its scopes close is absent, and the server refuses it as well. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catalog } from '../../src/modules/catalog.ts';
import { roles, type Role, scopesOfRole } from '../../src/modules/people/index.ts';
import { type App, startApp } from '../harness.ts';
import { openBrowser, type Page, visit } from '../support/browser.ts';
import { dashboardPages, go } from '../support/dashboard-pages.ts';
import { fillCompany, type FilledIds } from '../support/filled-company.ts';
import { enter, givenPerson } from '../support/person-browser.ts';
import { loopbackReceivers } from '../support/test-receiver.ts';

type Action = readonly [words: string, operation: string];
type Env = 'live' | 'test';

/** Clients have the same pages. */
const supplierActions: Readonly<Record<string, readonly Action[]>> = {
  '/suppliers': [['Nuevo proveedor', 'create_supplier']],
  '/suppliers/new': [['Crear el proveedor', 'create_supplier']],
  '/suppliers/$supplier': [
    ['Archivar', 'archive_supplier'],
    ['Editar', 'update_supplier'],
  ],
  '/suppliers/$supplier/edit': [['Guardar los cambios', 'update_supplier']],
};

const everywhere: Readonly<Record<string, readonly Action[]>> = {
  '/invoices': [['Crear una factura', 'create_invoice']],
  '/clients': [['Nuevo cliente', 'create_client']],
  '/products': [['Nuevo producto', 'create_product']],
  '/company': [['Guardar los cambios', 'update_company']],
  '/company/series': [['Crear una serie', 'create_series']],
  '/keys': [['Crear una clave', 'create_api_key']],
  '/keys/$api_key': [
    ['Cambiar el secreto', 'rotate_api_key_secret'],
    ['Revocar', 'revoke_api_key'],
  ],
  '/webhooks': [['Añadir un punto de recepción', 'create_webhook_endpoint']],
};

/** By the words of a button or link. */
const actions: Readonly<Record<Env, Readonly<Record<string, readonly Action[]>>>> = {
  test: {
    ...everywhere,
    ...supplierActions,
    '/clients/$client': [
      ['Archivar', 'archive_client'],
      ['Editar', 'update_client'],
      ['Nueva factura', 'create_invoice'],
    ],
    '/products/$product': [['Guardar los cambios', 'update_product']],
    '/company/series/$series': [['Guardar los cambios', 'update_series']],
    '/audit': [['Ver: Crear un proveedor', 'list_audit_log']],
    '/sandbox': [
      ['Parar el reloj', 'update_sandbox_clock'],
      ['Borrar los datos de prueba', 'delete_sandbox_data'],
    ],
    '/invoices/$invoice': [
      ['Duplicar', 'duplicate_invoice'],
      ['Enviar', 'send_invoice'],
      ['Registrar un cobro', 'register_invoice_payment'],
      ['Anular el cobro', 'reverse_invoice_payment'],
      ['Rectificar', 'create_corrective_invoice'],
      ['Anular', 'annul_invoice'],
    ],
    '/invoices/$invoice_draft/edit': [['Guardar el borrador', 'update_invoice']],
    '/invoices/$invoice_draft': [
      ['Eliminar', 'delete_invoice'],
      ['Editar', 'update_invoice'],
      ['Emitir', 'issue_invoice'],
    ],
    '/webhooks/$webhook_endpoint': [
      ['Cambiar el secreto', 'rotate_webhook_secret'],
      ['Detener', 'disable_webhook_endpoint'],
      ['Eliminar', 'delete_webhook_endpoint'],
      ['Comprobar la conexión', 'ping_webhook_endpoint'],
    ],
    '/webhooks/$webhook_endpoint/edit': [['Guardar los cambios', 'update_webhook_endpoint']],
    '/webhooks/$webhook_endpoint/deliveries/$delivery': [['Repetir el envío', 'replay_webhook_delivery']],
    '/verifactu/settings': [['Cambiar el modo', 'update_verifactu_settings']],
    '/verifactu/$record': [['Subsanar', 'subsanar_verifactu_record']],
  },
  live: {
    ...everywhere,
    '/invoices/new': [['Guardar el borrador', 'create_invoice']],
    '/products/new': [['Crear el producto', 'create_product']],
    '/company/series/new': [['Crear una serie', 'create_series']],
    '/keys/new': [['Crear una clave', 'create_api_key']],
    '/webhooks/new': [['Añadir un punto de recepción', 'create_webhook_endpoint']],
    '/applications': [['Registrar una aplicación', 'create_oauth_client']],
    '/applications/new': [['Registrar una aplicación', 'create_oauth_client']],
    '/applications/$oauth_client/edit': [['Guardar los cambios', 'update_oauth_client']],
    '/applications/$oauth_client': [
      ['Cambiar el secreto', 'rotate_oauth_client_secret'],
      ['Eliminar', 'delete_oauth_client'],
    ],
    '/applications/connected/$oauth_grant': [['Quitar el acceso', 'revoke_oauth_grant']],
  },
};

const operationOf = (name: string) => catalog.find((one) => one.name === name) ?? assert.fail(name);

/** From the table of roles, not from the pages. */
function isOpen(name: string, role: Role, environment: Env): boolean {
  const held = scopesOfRole(role, environment);
  const { scope: own, also_scopes } = operationOf(name);
  return [own ?? '*', ...also_scopes].every((scope) => held.includes('*') || held.includes(scope));
}

type Walk = { app: App; page: Page; role: Role; environment: Env; company_id: string; ids: FilledIds };

async function walkMenu({ page, role, environment, company_id }: Walk): Promise<void> {
  await go(page, `/dashboard/${company_id}/me`);
  const shown = await page.locator('nav a').allInnerTexts();
  const expected = (await dashboardPages())
    .filter((one) => (one.environment ?? environment) === environment)
    .filter(({ asks }) => asks === undefined || isOpen(asks, role, environment));
  assert.deepEqual(shown.sort(), expected.map(({ title }) => title.es).sort(), `${role} ${environment}`);
}

/** On the page of the start. The way to the first invoice is by a program for those alone who may make a key. */
async function walkSteps({ page, role, environment }: Walk): Promise<void> {
  if (environment !== 'live' || !isOpen('create_invoice', role, environment)) return;
  await page.getByRole('heading', { name: 'Hasta su primera factura' }).waitFor();
  const text = await page.getByRole('main').innerText();
  const has_program = isOpen('create_api_key', role, environment);
  assert.equal(text.includes('FOLIO_API_KEY'), has_program, role);
  const create = page.getByRole('main').getByRole('link', { name: 'Crear una factura' });
  assert.equal(await create.count(), has_program ? 0 : 1, role);
}

const fill = (path: string, ids: FilledIds) =>
  path.replaceAll(/[$:](\w+)/g, (_, name: string) => ids[name] ?? name);

type Shown = { innerText: string; getAttribute(name: string): string | null };

/** What buttons and links say, on their face or to readers. */
const wordsOf = (page: Page): Promise<string[]> =>
  page
    .locator('main :is(button, a)')
    .evaluateAll((all) =>
      (all as unknown as Shown[]).flatMap((one) => [one.innerText, one.getAttribute('aria-label') ?? '']),
    );

async function walkActions(walk: Walk): Promise<void> {
  const { page, role, environment, company_id, ids } = walk;
  const closed: string[] = [];
  for (const [path, listed] of Object.entries(actions[environment])) {
    await go(page, `/dashboard/${company_id}${fill(path, ids)}`);
    // What somebody else connected is shown to owners alone.
    if (path.includes('$oauth_grant') && role !== 'owner') {
      await page.getByText('resource_not_found').waitFor();
      continue;
    }
    const shown = await wordsOf(page);
    for (const [words, operation] of listed) {
      const is_open = isOpen(operation, role, environment);
      assert.equal(shown.includes(words), is_open, `${role} ${environment} ${path} ${words}`);
      if (!is_open) closed.push(operation);
    }
  }
  await refuseAll(walk, closed);
}

async function refuseAll({ page, company_id, ids, role }: Walk, closed: readonly string[]): Promise<void> {
  const calls = closed.map((name) => {
    const { method, path } = operationOf(name);
    return [name, method, `/dashboard/api/${company_id}${fill(path, ids)}`];
  });
  const answers = await page.evaluate(async (all) => {
    const { data } = (await (await fetch('/dashboard/api/session')).json()) as { data: { csrf: string } };
    const headers = { 'X-Folio-CSRF': data.csrf, 'Content-Type': 'application/json' };
    return Promise.all(
      all.map(async ([name, method, address]) => {
        const { status } = await fetch(address!, {
          method: method!,
          headers,
          ...(method === 'GET' ? {} : { body: '{}' }),
        });
        return `${name} ${status}`;
      }),
    );
  }, calls);
  assert.deepEqual(
    answers,
    closed.map((name) => `${name} 403`),
    role,
  );
}

async function walkAs(
  { app, page }: { app: App; page: Page },
  role: Role,
  filled: Awaited<ReturnType<typeof fillCompany>>,
) {
  const { company } = filled;
  const person = await givenPerson(app, company, role);
  // The page of the person before would ask on, signed out.
  await page.goto('about:blank');
  await page.context().clearCookies();
  await enter(page, app.url, person.browser);
  await page.goto(`${app.url}/dashboard/${company.company_id}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  for (const environment of ['live', 'test'] as const) {
    const company_id = environment === 'live' ? company.company_id : company.sandbox_company_id;
    const walk = { app, page, role, environment, company_id, ids: filled[environment] };
    await walkSteps(walk);
    await walkMenu(walk);
    await walkActions(walk);
  }
  await go(page, `/dashboard/${company.company_id}/people`);
  assert.equal(await page.getByRole('button', { name: 'Invitar' }).count(), role === 'owner' ? 1 : 0);
}

test('in a browser', async (t) => {
  const browser = await openBrowser(t);
  if (!browser) return;
  const app = await startApp(t, { fresh: true, ...loopbackReceivers() });
  const company = await app.given.company();
  const plain = 'Talleres Ibáñez SL';
  const names = {
    company: plain,
    client: plain,
    line: plain,
    key: plain,
    product: plain,
    hook: plain,
    application: plain,
  };
  const filled = await fillCompany({ app, company, names }, t);
  // It keeps the compiled parts of the dashboard from one person to the next.
  const { page } = await visit(browser, app.url, { width: 1280 });
  for (const role of roles)
    await t.test(`given the role ${role}, then pages and actions are those of its scopes`, () =>
      walkAs({ app, page }, role, filled),
    );
});
