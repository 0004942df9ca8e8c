/**
 * Every page of the dashboard with names that are hard on it, in both schemes and languages, on a telephone, a desk
 * and at twice the size.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../harness.ts';
import { accessibilityFaults, openBrowser, type Page, see, visit, widthFaults } from '../support/browser.ts';
import { addressOf, allRoutes, go } from '../support/dashboard-pages.ts';
import { fillCompany } from '../support/filled-company.ts';
import { enter, givenPerson } from '../support/person-browser.ts';
import { loopbackReceivers } from '../support/test-receiver.ts';

const long = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(8).slice(0, 250);
const markup = '<img src=x onerror=alert(1)> & <b>Ñuño</b>';
const turned = 'א‮ABC שלום 👩‍👩‍👧‍👦 مرحبا';
const names = {
  company: `${markup} SL`,
  client: long.slice(0, 120),
  line: `${turned} ${long}`.slice(0, 250),
  key: markup,
  product: long.slice(0, 200),
  hook: long.slice(0, 200),
  application: `${markup} 😀`,
};

const languages = ['es', 'en'] as const;
type Language = (typeof languages)[number];

/** Where axe looks, which takes longest. */
const sights = { es: [320, 'light'], en: [1280, 'dark'] } as const;
/** A window of 1280 at 200 per cent is 640 wide. */
const widths = [320, 640, 1280];

/** Begins with the last width of the page before: each change of width draws the whole page. */
async function judge(page: Page, what: string, language: Language, faults: string[]): Promise<void> {
  const [sight, colorScheme] = sights[language];
  const is_wide = (page.viewportSize()?.width ?? 0) > 640;
  for (const width of is_wide ? widths.toReversed() : widths) {
    if (width === sight) await see(page, width, colorScheme);
    else await page.setViewportSize({ width, height: 800 });
    faults.push(...(await widthFaults(page, `${what} ${width}`)));
    if (width !== sight) continue;
    faults.push(...(await accessibilityFaults(page)).map((f) => `${what} ${width} ${colorScheme}: ${f}`));
  }
}

/** What asks before it acts, by its page and the words of its button. Every other one is seen in each language. */
const dialogs: Readonly<Record<string, readonly (readonly [es: string, en: string])[]>> = {
  '/applications/$oauth_client': [
    ['Cambiar el secreto', 'Change the secret'],
    ['Eliminar', 'Delete'],
  ],
  '/applications/connected/$oauth_grant': [['Quitar el acceso', 'Take the access away']],
  '/invoices/$invoice_draft': [
    ['Eliminar', 'Delete'],
    ['Duplicar', 'Duplicate'],
    ['Emitir', 'Issue'],
  ],
  '/invoices/$invoice': [
    ['Enviar', 'Send'],
    ['Registrar un cobro', 'Register a payment'],
    ['Anular el cobro', 'Reverse the payment'],
    ['Rectificar', 'Correct'],
    ['Anular', 'Annul'],
  ],
  '/keys/$api_key': [
    ['Cambiar el secreto', 'Change the secret'],
    ['Revocar', 'Revoke'],
  ],
  '/me': [['Añadir una aplicación', 'Add an app']],
  '/people': [
    ['Invitar', 'Invite'],
    ['Cambiar el papel', 'Change the role'],
    ['Dejar la empresa', 'Leave the company'],
  ],
  '/verifactu/settings': [['Cambiar el modo', 'Change the mode']],
  '/verifactu/$record': [['Subsanar', 'Amend']],
  '/webhooks/$webhook_endpoint': [
    ['Cambiar el secreto', 'Change the secret'],
    ['Eliminar', 'Delete'],
    ['Evento de prueba', 'Test event'],
  ],
};

let opened = 0;

/** It takes the focus, and gives it back to its button. */
async function judgeDialogs(page: Page, path: string, language: Language, faults: string[]): Promise<void> {
  for (const names of dialogs[path] ?? []) {
    opened += 1;
    if (opened % 2 === (language === 'es' ? 0 : 1)) continue;
    const [es, en] = names;
    const name = language === 'es' ? es : en;
    // Beside others that say the same, a button also tells of whom.
    const opener = page.locator('main').getByRole('button', { name: new RegExp(`^${name}($|:)`) });
    const [width, colorScheme] = sights[language];
    await see(page, width, colorScheme);
    await opener.click();
    await page.getByRole('dialog').and(page.locator(':focus-within')).waitFor();
    const what = `${language} ${path} ${name}`;
    faults.push(...(await accessibilityFaults(page)).map((fault) => `${what}: ${fault}`));
    faults.push(...(await widthFaults(page, what)));
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await opener.and(page.locator(':focus')).waitFor();
  }
}

/** What is said on hovering is part of the page as well. */
async function judgeTip(page: Page, what: string, faults: string[]): Promise<void> {
  await see(page, 1280, 'light');
  await page.locator('main time').first().hover();
  await page.getByRole('tooltip').waitFor();
  faults.push(...(await accessibilityFaults(page)).map((fault) => `${what}, hovered: ${fault}`));
  await page.mouse.move(0, 0);
  await page.getByRole('tooltip').waitFor({ state: 'detached' });
}

test('given names that are hard on a page, then every page is whole in both languages, schemes and widths', async (t) => {
  const browser = await openBrowser(t);
  if (!browser) return;
  const app = await startApp(t, { fresh: true, ...loopbackReceivers() });
  const company = await app.given.company({ name: names.company });
  const filled = await fillCompany({ app, company, names }, t);
  const person = await givenPerson(app, company, 'owner');
  const seen = await visit(browser, app.url, { width: 1280 });
  const { page } = seen;
  await enter(page, app.url, person.browser);
  const faults: string[] = [];
  for (const language of languages) {
    opened = 0;
    await app.sql`update users set language = ${language}, name = ${turned} where id = ${person.user_id}`;
    const first = await page.goto(`${app.url}/dashboard`);
    assert.doesNotMatch(first?.headers()['content-security-policy'] ?? 'unsafe-', /unsafe-/);
    await page.getByRole('heading', { level: 1 }).waitFor();
    for (const route of await allRoutes()) {
      await go(page, addressOf(route, filled));
      assert.equal(await page.getAttribute('html', 'lang'), language);
      // The receiver answered without a word.
      if (route.path.endsWith('/$delivery') && language === 'es')
        assert.match(await page.getByRole('main').innerText(), /Todavía no hay respuesta, o está vacía\./);
      await judge(page, `${language} ${route.path}`, language, faults);
      await judgeDialogs(page, route.path, language, faults);
      if (route.path === '/keys/$api_key' && language === 'es') await judgeTip(page, route.path, faults);
    }
  }
  faults.push(...seen.strangers, ...seen.complaints);
  assert.deepEqual(faults, []);
});
