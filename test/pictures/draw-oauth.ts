/** `npm run draw:oauth` draws what a person sees when an application asks for permission into docs/images/oauth. */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startApp } from '../harness.ts';
import { openBrowser, type Page, visit } from '../support/browser.ts';
import { authorizeQuery, givenClient, newVerifier } from '../support/oauth.ts';
import { enter, givenPerson } from '../support/person-browser.ts';

const folder = join(import.meta.dirname, '../../docs/images/oauth');

/** Each language in both schemes, and both widths in each scheme. */
const views = [
  { language: 'es', width: 1100, is_dark: false },
  { language: 'es', width: 320, is_dark: true },
  { language: 'en', width: 320, is_dark: false },
  { language: 'en', width: 1100, is_dark: true },
] as const;

/** With some that an accountant may not grant, and one that is sensitive. */
const scope = 'contacts.read invoices.read invoices.write invoices.void webhooks.write';

async function refuseSignIn(page: Page): Promise<void> {
  await page.fill('#email', 'ana@norte.example');
  await page.fill('#password', 'no es esta clave');
  await page.click('main button[type=submit]');
  await page.getByRole('alert').waitFor();
}

test('draws', async (t) => {
  const browser = await openBrowser(t);
  if (!browser) return;
  const app = await startApp(t, { fresh: true });
  const company = await app.given.company({ name: 'Librería Norte SL', tax_id: 'B12345674' });
  const client = await givenClient(app, company, 'public', 'http://127.0.0.1/cb');
  const person = await givenPerson(app, company, 'accountant');
  const addressOf = (changes: Record<string, string> = {}) =>
    `${app.url}/oauth/authorize?${authorizeQuery(client, newVerifier().code_challenge, { scope, ...changes })}`;
  mkdirSync(folder, { recursive: true });
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.jpg'))) rmSync(join(folder, file));
  for (const view of views) {
    const { language, width, is_dark } = view;
    await app.sql`update users set language = ${language} where id = ${person.user_id}`;
    const { page, close } = await visit(browser, app.url, view);
    const draw = (name: string) => {
      const file = `${name}-${language}-${is_dark ? 'dark' : 'light'}-${width}.jpg`;
      return page.screenshot({ path: join(folder, file), type: 'jpeg', quality: 60, fullPage: true });
    };
    await page.goto(addressOf());
    await draw('sign-in');
    await refuseSignIn(page);
    await draw('sign-in-refused');
    await enter(page, app.url, person.browser);
    await page.goto(addressOf());
    await draw('consent');
    await page.goto(addressOf({ prompt: 'login' }));
    await draw('confirm');
    await page.goto(addressOf({ redirect_uri: 'https://otra.example/cb' }));
    await draw('wrong-address');
    await close();
  }
});
