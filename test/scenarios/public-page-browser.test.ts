import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { type PrintedLanguage, printedLanguages } from '../../src/domain/printing/printed-document.ts';
import { addDays, dayIn } from '../../src/kernel/dates.ts';
import { pageWords } from '../../src/surfaces/public/words.ts';
import { type App, startApp } from '../harness.ts';
import {
  accessibilityFaults,
  type Browser,
  colourFaults,
  openBrowser,
  sidewaysPixels,
  type Visit,
  visit,
} from '../support/browser.ts';
import { dressCompany, givenIssuer, issuePublic, tokenOf } from '../support/public-invoices.ts';

const widths = [360, 1280];
const logo =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const long_word = 'ABCDEFGHIJ0123456789'.repeat(6);
const lines = [
  {
    description: 'Azulejo artesano vidriado 15 × 15 cm, verde botella',
    quantity: 48,
    unit: 'm²',
    unit_price: 24.5,
    tax_rate: 21,
    discount_percent: 5,
  },
  {
    description: `Pieza ${long_word}`,
    quantity: 1234567.123456,
    unit: 'unidad de facturación de cuarenta letras',
    unit_price: 0.01234567,
    tax_rate: 10,
  },
  { description: 'Manual', quantity: 3, unit_price: 18, tax_rate: 4 },
];

type Seen = { name: string; path: string; status: number; says: string };

/** One page of each kind, with a text on it. */
async function givenPages(app: App, key: string, language: PrintedLanguage): Promise<Seen[]> {
  const surroundings = { language, colour: '#ffe94d', logo };
  await dressCompany(app, key, surroundings);
  const full = await issuePublic(app, key, {
    lines,
    notes: `Notas\n${long_word}`,
    operation_on: '2026-01-02',
  });
  const ticket = { type: 'F2', lines: [lines[2]], options: { issue: true } };
  const simplified = (await app.post('/v1/invoices', { key, body: ticket })).body.data;
  const payment = { amount: 56.16, payment_method: 'card' };
  const paid = await app.post(`/v1/invoices/${simplified.id}/payments`, { key, body: payment });
  assert.equal(paid.status, 201, paid.text);
  const corrective = await app.post(`/v1/invoices/${full.id}/corrective`, {
    key,
    body: {
      correction: { type: 'differences', reason: 'Rotura en el transporte' },
      lines: [{ ...lines[2], quantity: -1 }],
    },
  });
  assert.equal(corrective.status, 201, corrective.text);
  const withdrawn = (await app.post('/v1/invoices', { key, body: ticket })).body.data;
  assert.equal((await app.post(`/v1/invoices/${withdrawn.id}/annul`, { key })).status, 200);
  const path = (url: string) => `/i/${tokenOf(url)}`;
  return [
    { name: 'full', path: path(full.public_url), status: 200, says: full.number },
    { name: 'paid', path: path(simplified.public_url), status: 200, says: pageWords[language].paid },
    { name: 'corrective', path: path(corrective.body.data.public_url), status: 200, says: full.number },
    { name: 'annulled', path: path(withdrawn.public_url), status: 410, says: '' },
    { name: 'unknown', path: `/i/${language}`, status: 404, says: '' },
  ];
}

/** Without the browser's own message about a failing status. */
const own = (complaints: string[]) =>
  complaints.filter((text) => !/Failed to load resource: .* status of 4(04|10)/.test(text));

async function look(
  app: App,
  browser: Browser,
  language: string,
  pages: readonly Seen[],
  faults: string[],
): Promise<void> {
  const seen: Visit = await visit(browser, app.url, { width: widths[0]!, language });
  const { page } = seen;
  for (const { name, path, status, says } of pages) {
    const answer = await page.goto(`${app.url}${path}`);
    const what = `${language} ${name}`;
    assert.equal(answer?.status(), status, what);
    assert.equal(await page.getAttribute('html', 'lang'), language, what);
    assert.ok((await page.innerText('main')).includes(says), what);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      const wider = await sidewaysPixels(page);
      if (wider > 0) faults.push(`${what} ${width}: ${wider} pixels to scroll sideways`);
      faults.push(...(await accessibilityFaults(page)).map((fault) => `${what} ${width}: ${fault}`));
    }
    if (name !== 'full') continue;
    await page.emulateMedia({ colorScheme: 'dark' });
    faults.push(...(await colourFaults(page)).map((fault) => `${what} dark: ${fault}`));
    await page.emulateMedia({ colorScheme: 'light' });
  }
  faults.push(...seen.strangers.map((url) => `${language} asks ${url}`));
  faults.push(...own(seen.complaints).map((text) => `${language} says ${text}`));
  await seen.close();
}

async function download(
  t: TestContext,
  app: App,
  browser: Browser,
  path: string,
  number: string,
): Promise<void> {
  const { page, close, strangers } = await visit(browser, app.url, { width: 360, has_script: false });
  t.after(close);
  await page.goto(`${app.url}${path}`);
  assert.ok(await page.getByRole('heading', { level: 1 }).isVisible());
  const table = page.getByRole('table').first();
  assert.equal(
    await table.getByRole('row').count(),
    1 + lines.length,
    'a telephone, too, has a table by ear',
  );
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: /PDF/ }).click(),
  ]);
  assert.equal(file.suggestedFilename(), `${number}.pdf`);
  assert.equal(
    readFileSync(await file.path())
      .subarray(0, 5)
      .toString(),
    '%PDF-',
  );
  assert.deepEqual(strangers, []);
}

/** By keyboard. On plain http the browser has no clipboard of its own, but for this host. */
async function copyAccount(t: TestContext, app: App, browser: Browser, path: string): Promise<void> {
  const { page, close } = await visit(browser, app.url, { width: 360 });
  t.after(close);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: app.url });
  await page.goto(`${app.url}${path}`);
  const copied = async () => {
    const button = page.getByRole('button');
    await button.focus();
    // It says so for four seconds alone.
    const is_told = page.getByRole('status').getByText(pageWords.es.copied).waitFor({ state: 'attached' });
    await Promise.all([is_told, page.keyboard.press('Enter')]);
    return page.evaluate('navigator.clipboard.readText()');
  };
  assert.equal(await copied(), 'ES9121000418450200051332');
  await page.evaluate("navigator.clipboard.writeText('another')");
  // As on an address without TLS.
  await page.evaluate(
    "Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined, configurable: true, writable: true })",
  );
  await page.getByRole('button').click();
  await page.goto(`${app.url}${path}?lang=en`);
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), 'ES9121000418450200051332');
}

/** What somebody wrote on several lines is on several lines, as on paper. */
async function keepLineEnds(t: TestContext, app: App, browser: Browser, key: string): Promise<void> {
  const exempt = {
    description: 'Curso',
    unit_price: 10,
    tax_rate: null,
    exemption_reason: 'E6',
    exemption_reason_text: 'Artículo 20\nde la Ley',
  };
  const works = { description: 'Reforma:\n- montaje\n- transporte', unit_price: 100, tax_rate: 21 };
  const { token } = await issuePublic(app, key, { lines: [works, exempt] });
  const { page, close } = await visit(browser, app.url, { width: widths[0]! });
  t.after(close);
  await page.goto(`${app.url}/i/${token}?lang=es`);
  const rows = page.locator('.lines tbody tr');
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    assert.match(await rows.nth(0).innerText(), /Reforma:\n- montaje\n- transporte/, `${width}`);
    assert.match(await rows.nth(1).innerText(), /Curso\nArtículo 20\nde la Ley/, `${width}`);
    assert.match(await page.innerText('.mentions'), /exenta de IVA: Artículo 20\nde la Ley/, `${width}`);
  }
}

/** A sum that is broken within its figures reads as another one. */
async function keepSumsWhole(t: TestContext, app: App, browser: Browser, key: string): Promise<void> {
  const { page, close } = await visit(browser, app.url, { width: 320 });
  t.after(close);
  const due_on = addDays(dayIn('Europe/Madrid', app.clock.now()), 30);
  for (const unit_price of [1020304.05, 123456789012.34]) {
    const works = { description: 'Reforma', unit_price, tax_rate: 21 };
    const { token } = await issuePublic(app, key, { lines: [works], due_on });
    await page.goto(`${app.url}/i/${token}?lang=es`);
    const pieces = await page.evaluate(
      "[...document.querySelectorAll('.due strong')].map((e) => e.getClientRects().length)",
    );
    assert.deepEqual(pieces, [1, 1], `${unit_price}`);
    assert.ok((await sidewaysPixels(page)) <= 0, `${unit_price}`);
  }
}

/** On paper there is what the document says, and nothing to click. */
async function print(t: TestContext, app: App, browser: Browser, path: string): Promise<void> {
  const { page, close } = await visit(browser, app.url, { width: 1280 });
  t.after(close);
  await page.goto(`${app.url}${path}`);
  const shown = () => page.locator('button:visible, .bar:visible, footer:visible').count();
  assert.ok((await shown()) >= 3, 'it would tell');
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  assert.equal(await shown(), 0);
  assert.ok(await page.getByRole('heading', { level: 1 }).isVisible());
  const colours = await page.evaluate(`(() => {
    const { color, backgroundColor } = getComputedStyle(document.querySelector('main'));
    return [color, backgroundColor, getComputedStyle(document.body).backgroundColor];
  })()`);
  assert.match(
    String(colours),
    /^rgb\((\d{1,2}, ){2}\d{1,2}\),/,
    'dark letters on white, whatever the screen has',
  );
  const pdf = await page.pdf({ format: 'A4' });
  assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');
}

/** Proves that the checks report each fault. */
async function assertJudged(app: App, browser: Browser): Promise<void> {
  const { page, close, strangers, complaints } = await visit(browser, app.url, { width: 360 });
  // Nobody's name server is asked: it may take its time.
  await page.route('http://stranger.invalid/**', (route) => route.abort());
  await page.setContent(
    '<p style="color:#bbb;width:500px">Pálido</p><img src="http://stranger.invalid/x.png"><script>console.log("a")</script>',
  );
  const found = await accessibilityFaults(page);
  for (const rule of [
    'color-contrast',
    'image-alt',
    'html-has-lang',
    'landmark-one-main',
    'page-has-heading-one',
  ])
    assert.ok(
      found.some((fault) => fault.startsWith(`${rule}:`)),
      rule,
    );
  assert.ok((await sidewaysPixels(page)) > 0);
  assert.deepEqual(strangers, ['http://stranger.invalid/x.png']);
  assert.ok(own(complaints).length > 0);
  await close();
}

test('given each document and language, when its page is opened in a browser, then all can read it and it asks nobody else', async (t) => {
  const browser = await openBrowser(t);
  if (!browser) return;
  const app = await startApp(t);
  const acme = await givenIssuer(app);
  const key = acme.test_key;
  assert.equal((await app.put('/v1/verifactu/settings', { key, body: { enabled: true } })).status, 200);
  const faults: string[] = [];
  let first: Seen | undefined;
  for (const language of printedLanguages) {
    const pages = await givenPages(app, key, language);
    first ??= pages[0];
    await look(app, browser, language, pages, faults);
  }
  assert.deepEqual(faults, []);
  await assertJudged(app, browser);
  await download(t, app, browser, first!.path, first!.says);
  await copyAccount(t, app, browser, first!.path);
  await keepLineEnds(t, app, browser, key);
  await keepSumsWhole(t, app, browser, key);
  await print(t, app, browser, first!.path);
});
