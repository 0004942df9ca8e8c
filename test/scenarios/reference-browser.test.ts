/** The pages under /docs as people use them. One service and one browser for all of it. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { catalog } from '../../src/modules/catalog.ts';
import { type App, startApp } from '../harness.ts';
import {
  accessibilityFaults,
  type Browser,
  colourFaults,
  openBrowser,
  ownComplaints,
  type Page,
  see,
  visit,
  widthFaults,
} from '../support/browser.ts';

const compressedMax = 150_000;

test('the pages of the reference, in a browser', async (t) => {
  const app = await startApp(t);
  const browser = await openBrowser(t);
  if (!browser) return;
  const { test_key: key, live_key } = await app.given.company();
  const { page, strangers, complaints } = await visit(browser, app.url, { width: 1280 });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const parts: [string, (parts: Parts) => Promise<void>][] = [
    ['search finds what the catalogue and the guides have, by both of its keys', searchesAll],
    ['a language of the samples and a theme stay chosen', keepsChoices],
    ['a sample is copied as it is read', copiesSample],
    ['request and answer stand side by side where there is room', standsBeside],
    ['a call is tried with a test key, which stays out of every storage', triesCall],
    ['pages have their neighbours, and an older version says what changed', followsLinks],
  ];
  for (const [name, work] of parts) await t.test(name, () => work({ app, page, key, live_key }));
  await t.test('pages please axe at both widths and in both schemes', () => judge(app, page));
  await t.test('below a path of the host every address is below it too', (own) =>
    worksBelowPath(own, browser),
  );
  await t.test('without script everything is read', (own) => readsWithoutScript(own, app, browser));
  assert.deepEqual(strangers, []);
  assert.deepEqual(ownComplaints(complaints), []);
});

type Parts = { app: App; page: Page; key: string; live_key: string };

async function searchesAll({ app, page }: Parts): Promise<void> {
  await page.goto(`${app.url}/docs/reference/events`);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const find = async (words: string) => {
    await page.locator('dialog.search input').fill(words);
    await page.locator('dialog.search [role=status]').filter({ hasText: 'resultados' }).waitFor();
    return page.locator('dialog.search li').allTextContents();
  };
  await page.keyboard.press('/');
  assert.ok((await find('create_invoice')).some((text) => /^operación.*Crea una factura/.test(text)));
  assert.ok((await find('surcharge_rate')).some((text) => /^camposurcharge_rate/.test(text)));
  assert.ok((await find('idempotency_key_reused'))[0]?.startsWith('error'));
  assert.ok((await find('invoice.rectified')).some((text) => text.startsWith('evento')));
  // Without accents, and with a letter missing.
  assert.ok((await find('numeracion')).some((text) => text.includes('numeración')));
  assert.ok((await find('rectficativa')).some((text) => /rectificativa/i.test(text)));
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await find('list_events');
  await page.keyboard.press('Enter');
  await page.waitForURL(/reference\/events#list_events/);
  assert.deepEqual(asked.toSorted(), ['/docs/minisearch.js', '/docs/search.js', '/docs/search.json']);
}

async function keepsChoices({ app, page }: Parts): Promise<void> {
  await page.goto(`${app.url}/docs/reference/events`);
  await page.locator('.choices').first().getByLabel('PHP').check();
  await page.locator('[data-theme-switch]').click();
  await page.goto(`${app.url}/docs/reference/webhooks`);
  const shown = page.locator('.example').first().locator('pre.sample:visible');
  assert.deepEqual(await shown.evaluateAll((all) => all.map((each) => each.dataset.language)), ['php']);
  assert.equal(await page.evaluate('document.documentElement.dataset.theme'), 'light');
  assert.deepEqual(await stored(page), { 'folio.docs.language': 'php', 'folio.docs.theme': 'light' });
}

const stored = (page: Page) => page.evaluate('({ ...localStorage, ...sessionStorage })');

async function copiesSample({ page }: Parts): Promise<void> {
  const frame = page.locator('.copied:visible').first();
  // It says so for two seconds alone.
  const is_told = frame.getByRole('button', { name: 'Copiado' }).waitFor();
  await Promise.all([is_told, frame.getByRole('button', { name: 'Copiar' }).click()]);
  const copied = await page.evaluate('navigator.clipboard.readText()');
  assert.equal(copied, await frame.locator('code').textContent());
}

async function standsBeside({ app, page }: Parts): Promise<void> {
  await page.goto(`${app.url}/docs/reference/clients`);
  const boxes = async () => {
    const example = page.locator('#create_client .example').first();
    const [request, answer] = [example.locator('.request'), example.locator('.answer')];
    return [await request.boundingBox(), await answer.boundingBox()] as const;
  };
  const [request, answer] = await boxes();
  assert.ok(request && answer && request.x + request.width <= answer.x, 'side by side');
  assert.ok(Math.abs(request.y - answer.y) < 4, `${request.y} ${answer.y}`);
  await page.setViewportSize({ width: 360, height: 800 });
  const [above, below] = await boxes();
  assert.ok(above && below && above.y + above.height <= below.y, 'one below the other');
  await page.setViewportSize({ width: 1280, height: 800 });
}

async function triesCall({ app, page, key, live_key }: Parts): Promise<void> {
  await page.goto(`${app.url}/docs/reference/clients`);
  await page.locator('#create_client [data-try]').first().click();
  const dialog = page.locator('dialog.try');
  const send = async (secret: string) => {
    await dialog.getByLabel('Clave de pruebas').fill(secret);
    await dialog.getByRole('button', { name: 'Enviar' }).click();
  };
  await send(live_key);
  await dialog.getByText('solo valen claves de pruebas').waitFor();
  await send(key);
  await dialog.getByText(/^201 · /).waitFor();
  assert.match((await dialog.locator('pre').textContent()) ?? '', /"object": "client"/);
  assert.deepEqual(await accessibilityFaults(page), []);
  await dialog.getByRole('button', { name: 'Cerrar' }).click();
  // Within the page it is still known.
  await page.locator('#list_clients [data-try]').first().click();
  assert.equal(await dialog.getByLabel('Clave de pruebas').inputValue(), key);
  const kept = await page.evaluate(
    `(async () => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, await indexedDB.databases(), await caches.keys(), location.href, history.state]))()`,
  );
  assert.ok(!String(kept).includes('svc_'), String(kept));
  await page.reload();
  await page.locator('#create_client [data-try]').first().click();
  assert.equal(await dialog.getByLabel('Clave de pruebas').inputValue(), '');
}

async function followsLinks({ app, page }: Parts): Promise<void> {
  await page.goto(`${app.url}/docs/reference/verifactu`);
  await page.getByRole('navigation', { name: 'Versión' }).getByText('2026-06-01').click();
  await page.waitForURL(/version=2026-06-01/);
  const section = page.locator('#subsanar_verifactu_record');
  assert.match((await section.locator('.note').textContent()) ?? '', /subsanar responde el registro nuevo/);
  assert.match(
    (await section.locator('pre.sample').first().textContent()) ?? '',
    /Service-Version: 2026-06-01/,
  );
  assert.equal(await page.locator('#list_verifactu_events .note').count(), 0);
  // The examples were answered by the latest version, which answers other members.
  assert.equal(await section.locator('.answer').count(), 0);
  assert.equal(await page.locator('#retry_verifactu_record .answer').count(), 1);
  await page.locator('a[rel=next]').click();
  await page.waitForURL(/reference\/\w+\?version=2026-06-01/);
  await page.locator('a[rel=prev]').click();
  await page.waitForURL(/reference\/verifactu\?version=2026-06-01/);
  const agents = page.locator('link[rel=alternate][type="text/markdown"]');
  const markdown = await app.get((await agents.getAttribute('href')) ?? '');
  assert.match(markdown.text, /Service-Version: 2026-06-01/);
  assert.match(markdown.text, /new_record_id/);
  await page.keyboard.press('/');
  await page.locator('dialog.search input').fill('list_events');
  await page.locator('dialog.search [role=status]').filter({ hasText: 'resultados' }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/reference\/events\?version=2026-06-01#list_events/);
  assert.deepEqual(
    await page
      .locator('header.top a')
      .evaluateAll((links) =>
        links.map((link) => link.getAttribute('href')).filter((to) => to?.includes('2026')),
      ),
    ['/docs?version=2026-06-01', '/docs?version=2026-06-01', '/openapi/2026-06-01.json'],
  );
}

async function judge(app: App, page: Page): Promise<void> {
  const faults: string[] = [];
  await page.evaluate('localStorage.clear()');
  for (const path of ['/docs', '/docs/reference/events', '/docs/guides/es/first-invoice', '/docs/scopes']) {
    await page.goto(`${app.url}${path}`);
    for (const [width, scheme] of [
      [360, 'light'],
      [1280, 'dark'],
      [1280, 'light'],
      [360, 'dark'],
    ] as const) {
      await see(page, width, scheme);
      faults.push(...(await widthFaults(page, `${path} ${width}`)));
      // Contrast is all that a scheme can change.
      if (width === 1280 && scheme === 'light') continue;
      const is_seen_in_light = width === 360 && scheme === 'dark';
      const found = await (is_seen_in_light ? colourFaults : accessibilityFaults)(page);
      faults.push(...found.map((fault) => `${path} ${width} ${scheme}: ${fault}`));
    }
  }
  assert.deepEqual(faults, []);
}

async function readsWithoutScript(t: TestContext, app: App, browser: Browser): Promise<void> {
  const { page, close } = await visit(browser, app.url, { width: 360, has_script: false });
  t.after(close);
  await page.goto(`${app.url}/docs/reference/events`);
  const section = page.locator('#list_events');
  assert.deepEqual(await widthFaults(page, 'without script'), []);
  assert.equal(await page.locator('button:visible').count(), 0);
  assert.equal(await section.locator('pre.sample:visible').count(), 1);
  await section.getByLabel('Python').check();
  assert.match((await section.locator('pre.sample:visible').textContent()) ?? '', /urllib/);
  assert.ok(await section.locator('.answer pre').isVisible());
  assert.ok(await section.locator('.fields').first().isVisible());
}

/** Stands for the proxy that serves `/casa` and takes it away. Nothing else of the host is ours. */
async function worksBelowPath(t: TestContext, browser: Browser): Promise<void> {
  const root = 'https://folio.example/casa';
  const app = await startApp(t, { env: { FOLIO_PUBLIC_URL: root } });
  const { test_key: key } = await app.given.company();
  const { page, strangers, complaints, close } = await visit(browser, root, { width: 1280 });
  t.after(close);
  await page.route(`${root}/**`, async (route) =>
    route.fulfill({
      response: await route.fetch({ url: route.request().url().replace(root, app.url), maxRedirects: 0 }),
    }),
  );
  await page.goto(`${root}/docs/reference/events?version=2026-06-01`);
  assert.equal(await page.evaluate('document.styleSheets.length'), 1);
  await page.locator('#list_events [data-try]').first().click();
  await page.getByLabel('Clave de pruebas').fill(key);
  await page.getByRole('button', { name: 'Enviar' }).click();
  await page.getByText(/^200 · /).waitFor();
  await page.getByRole('button', { name: 'Cerrar' }).click();
  await page.keyboard.press('/');
  await page.locator('dialog.search input').fill('create_client');
  await page.locator('dialog.search [role=status]').filter({ hasText: 'resultados' }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`${root}/docs/reference/clients?version=2026-06-01#create_client`);
  await page.locator('a[rel=next]').click();
  await page.waitForURL(/reference\/\w+\?version=2026-06-01$/);
  assert.deepEqual([strangers, complaints], [[], []]);
  const { headers } = await app.get('/docs/guides');
  assert.equal(headers.location, '/casa/docs/guides/es');
  const outside = /(?:href="|\]\()\/(?!casa\/)[^")]*/g;
  for (const path of [
    '/docs',
    '/docs/guides/es/webhooks',
    '/docs/errors',
    '/docs/errors/invalid_api_key',
    '/docs/x',
  ])
    for (const ending of path === '/docs/x' ? [''] : ['', '.md'])
      assert.deepEqual((await app.get(`${path}${ending}`)).text.match(outside), null, `${path}${ending}`);
}

test('no page weighs more than it may before the first search', async (t) => {
  const app = await startApp(t);
  const size = async (path: string) => gzipSync((await app.get(path)).text).length;
  const shared = (await size('/docs/style.css')) + (await size('/docs/page.js'));
  const tags = [...new Set(catalog.map(({ tag }) => tag))];
  for (const path of ['/docs', ...tags.map((tag) => `/docs/reference/${tag}`)]) {
    const weight = shared + (await size(path));
    assert.ok(weight <= compressedMax, `${path}: ${weight}`);
  }
});
