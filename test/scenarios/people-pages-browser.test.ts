/** The pages for people in a real browser: by keyboard alone, on a telephone, in both languages and schemes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inviteByOperator, makeSetupLink, resetByOperator } from '../../src/modules/people/index.ts';
import { peopleWords } from '../../src/surfaces/people/words.ts';
import { randomTaxId, onOwnDatabase } from '../harness.ts';
import { judgePage, openBrowser, ownComplaints, type Page, visit } from '../support/browser.ts';

const startApp = onOwnDatabase();

const languages = ['es', 'en'] as const;
const password = 'un caballo correcto';

/** From the page's beginning: each text in the next field, null for one that stays, then the button. */
async function sendByKeyboard(page: Page, texts: readonly (string | null)[]): Promise<number | undefined> {
  await page.locator('form input:visible').first().focus();
  for (const text of texts) {
    if (text !== null) {
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type(text);
    }
    await page.keyboard.press('Tab');
  }
  assert.equal(
    await page.evaluate('document.activeElement.type'),
    'submit',
    'the button comes after the fields',
  );
  const [response] = await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
  return response?.status();
}

for (const language of languages) {
  test(`given the pages in ${language}, when they are used by keyboard, then people come in, and axe finds nothing`, async (t) => {
    const browser = await openBrowser(t);
    if (!browser) return;
    const app = await startApp(t);
    await app.sql`truncate users, user_emails, user_companies, members, sessions, account_links`;
    const words = peopleWords[language];
    const faults: string[] = [];
    const seen = await visit(browser, app.url, { width: 320, language });
    const { page } = seen;
    const open = async (path: string, what: string) => {
      await page.goto(`${app.url}${path}`);
      assert.equal(await page.getAttribute('html', 'lang'), language);
      await judgePage(page, `${language}-${what}`, faults);
    };

    await open(`/setup/${await makeSetupLink(app.db.index, app.clock.now())}`, 'setup');
    const person = ['Ana Ruiz', 'ana@norte.example'];
    // The second language finds the company of the first, and could take it over.
    const choice = (await page.locator('select').count()) > 0 ? [null] : [];
    assert.equal(
      await sendByKeyboard(page, [...person, 'aaaaaaaaaaaa', ...choice, 'Librería Norte SL', 'B00000001']),
      422,
    );
    assert.deepEqual(await page.getByRole('alert').getByRole('link').allInnerTexts(), [
      words.faults.password_repeated,
      words.faults.tax_id,
    ]);
    assert.equal(await page.inputValue('#name'), 'Ana Ruiz', 'what was typed is still there');
    await judgePage(page, `${language}-setup-refused`, faults);
    assert.equal(
      await sendByKeyboard(page, [...person, password, ...choice, 'Librería Norte SL', randomTaxId()]),
      200,
    );
    assert.match(await page.innerText('main'), /svc_live_\w{24}/);
    await judgePage(page, `${language}-ready`, faults);

    await open('/sign-in', 'account');
    await page.getByRole('button', { name: words.sign_out }).focus();
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
    await judgePage(page, `${language}-sign-in`, faults);
    assert.equal(await sendByKeyboard(page, ['ana@norte.example', 'otra cosa']), 422);
    await judgePage(page, `${language}-sign-in-refused`, faults);
    await page.goto(`${app.url}/sign-in?return_to=/confirm`);
    assert.equal(await sendByKeyboard(page, ['ana@norte.example', password]), 200);
    assert.equal(page.url(), `${app.url}/confirm`);
    await judgePage(page, `${language}-confirm`, faults);
    assert.equal(await sendByKeyboard(page, [password]), 200);
    // The dashboard may have gone on to the company.
    assert.match(page.url(), new RegExp(`^${app.url}/dashboard(/|$)`));

    const { company_id } = (await app.sql<{ company_id: string }[]>`select company_id from members`)[0]!;
    const eva = { company_id, email: 'eva@norte.example', role: 'accountant' } as const;
    const invited = await inviteByOperator(app.db, eva, app.clock.now());
    // At rest: without its cookie the dashboard would go to sign in, and be in the way of the next page.
    await page.waitForLoadState('networkidle');
    await page.goto('about:blank');
    await page.context().clearCookies();
    await open(`/invitation/${'link' in invited ? invited.link : ''}`, 'invitation');
    assert.equal(await sendByKeyboard(page, ['Eva Soler', password]), 200);
    await page.goto(`${app.url}/sign-in`);
    assert.match(await page.innerText('h1'), /Eva Soler/);
    await open(`/reset/${await resetByOperator(app.db, eva.email, app.clock.now())}`, 'reset');
    assert.equal(await sendByKeyboard(page, ['una clave del todo nueva']), 200);
    assert.equal(await page.getByRole('status').innerText(), words.reset_done);
    await open('/reset/nothing', 'gone');
    faults.push(...seen.strangers.map((url) => `${language} asks ${url}`));
    faults.push(...ownComplaints(seen.complaints).map((text) => `${language} says ${text}`));
    await seen.close();
    assert.deepEqual(faults, []);
  });
}
