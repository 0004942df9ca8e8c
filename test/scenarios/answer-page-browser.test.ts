/** A quote is answered in a real browser: by keyboard, on a telephone, in each language, without a script. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PrintedLanguage, printedLanguages } from '../../src/domain/printing/printed-document.ts';
import { answerWords } from '../../src/surfaces/public/answer-words.ts';
import { type App, startApp } from '../harness.ts';
import {
  accessibilityFaults,
  type Browser,
  colourFaults,
  openBrowser,
  type Page,
  sidewaysPixels,
  visit,
} from '../support/browser.ts';
import { dressCompany, givenIssuer } from '../support/public-invoices.ts';
import { givenOffer } from '../support/public-offers.ts';

const widths = [390, 1280];

/** Without the browser's own message about a refusal. */
const own = (complaints: string[]) =>
  complaints.filter((text) => !/Failed to load resource: .* status of 422/.test(text));

/** Colours, places and fields are the same in each language: others than the first are judged once, and by their width. */
async function judge(page: Page, what: string, faults: string[]): Promise<void> {
  const is_first = what.startsWith('es ');
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    const wider = await sidewaysPixels(page);
    if (wider > 0) faults.push(`${what} ${width}: ${wider} pixels to scroll sideways`);
    if (!is_first && (width !== widths[0] || !what.endsWith(' pending'))) continue;
    for (const colorScheme of is_first ? (['light', 'dark'] as const) : (['light'] as const)) {
      await page.emulateMedia({ colorScheme });
      const found = await (colorScheme === 'dark' ? colourFaults : accessibilityFaults)(page);
      faults.push(...found.map((fault) => `${what} ${width} ${colorScheme}: ${fault}`));
    }
  }
  await page.setViewportSize({ width: widths[0]!, height: 800 });
}

/** From the field that has the focus on, in the order of the tabulator. */
async function fillByKeyboard(page: Page, texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(text);
    await page.keyboard.press('Tab');
  }
}

async function acceptIn(
  app: App,
  browser: Browser,
  key: string,
  language: PrintedLanguage,
  faults: string[],
): Promise<void> {
  await dressCompany(app, key, { language, colour: '#ffe94d' });
  const quote = await givenOffer(app, key);
  const words = answerWords[language];
  const seen = await visit(browser, app.url, { width: widths[0]!, language });
  const { page } = seen;
  assert.equal((await page.goto(`${app.url}${quote.page}`))?.status(), 200);
  assert.equal(await page.getAttribute('html', 'lang'), language);
  assert.ok(await page.getByRole('button', { name: words.accept, exact: true }).isVisible());
  await judge(page, `${language} pending`, faults);

  await page.getByRole('link', { name: words.jump, exact: true }).press('Enter');
  await page.waitForURL(/#/);
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate('document.activeElement.id'), 'name', 'the link leads to the first field');
  // What a browser takes and the service does not.
  await fillByKeyboard(page, ['  ', 'ana@norte', '12345678Z', 'Una\nlínea']);
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  const [refused] = await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
  assert.equal(refused?.status(), 422);
  assert.deepEqual(await page.getByRole('alert').getByRole('link').allInnerTexts(), [
    words.faults.name,
    words.faults.email,
  ]);
  assert.equal(await page.inputValue('#note'), 'Una\nlínea', 'what was typed is still there');
  await judge(page, `${language} refused`, faults);

  await page.getByRole('link', { name: words.faults.name }).press('Enter');
  await page.focus('#name');
  await fillByKeyboard(page, ['Ana Ruiz', 'ana@norte.example']);
  await page.check('#agree');
  await page.focus('#name');
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
  assert.equal(page.url(), `${app.url}${quote.page}#answer`);
  assert.match(await page.innerText('#answer'), /Ana Ruiz/);
  assert.equal(await page.locator('form').count(), 0);
  await judge(page, `${language} accepted`, faults);
  assert.equal((await app.get(`/v1/quotes/${quote.id}`, { key })).body.data.status, 'accepted');
  faults.push(...seen.strangers.map((url) => `${language} asks ${url}`));
  faults.push(...own(seen.complaints).map((text) => `${language} says ${text}`));
  await seen.close();
}

test('given a quote in each language, when it is accepted in a browser, then by keyboard, and axe finds nothing', async (t) => {
  const browser = await openBrowser(t);
  if (!browser) return;
  const app = await startApp(t);
  const acme = await givenIssuer(app);
  const faults: string[] = [];
  for (const language of printedLanguages) await acceptIn(app, browser, acme.test_key, language, faults);
  assert.deepEqual(faults, []);

  const rejected = await givenOffer(app, acme.live_key);
  const { page, close } = await visit(browser, app.url, { width: 390, has_script: false });
  await page.goto(`${app.url}${rejected.page}`);
  await page.fill('#reason', 'Demasiado caro');
  await page.getByRole('button', { name: answerWords.es.reject, exact: true }).click();
  assert.match(await page.innerText('main'), /Rechazado/);
  const { status, rejection } = (await app.get(`/v1/quotes/${rejected.id}`, { key: acme.live_key })).body
    .data;
  assert.deepEqual([status, rejection.reason], ['rejected', 'Demasiado caro']);

  // As a mail scanner does, with a browser.
  const scanned = await givenOffer(app, acme.live_key);
  const before = (await app.get(`/v1/quotes/${scanned.id}`, { key: acme.live_key })).body.data;
  const events = await app.eventTypes(acme, scanned.id);
  for (let i = 0; i < 100; i++) {
    if (i % 50 === 0) app.clock.advance(61_000);
    const address = [scanned.page, `${scanned.page}/accept`, `${scanned.page}/reject`][i % 3];
    assert.equal((await page.goto(`${app.url}${address}`))?.status(), 200);
  }
  await close();
  assert.deepEqual((await app.get(`/v1/quotes/${scanned.id}`, { key: acme.live_key })).body.data, before);
  assert.deepEqual(await app.eventTypes(acme, scanned.id), events);
});
