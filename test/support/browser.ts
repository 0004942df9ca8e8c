/** Visits by a real browser. A page may cause neither requests to other hosts nor console output, so each visit notes them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, type TestContext } from 'node:test';
import type axe from 'axe-core';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { inAscii } from '../../scripts/test-run/in-ascii.ts';
import { launchBrowser, type Launched, noBrowser, thriftyArgs } from './launch-browser.ts';

export type { Browser, Page };

/** One for all tests of the process, which run one after the other. A visit has cookies and cache of its own. */
let shared: Promise<Launched | undefined> | undefined;

after(async () => (await shared)?.close());

/** Skips the test and returns undefined without a browser. What it opened is closed when it ends. */
export async function openBrowser(t: TestContext): Promise<Browser | undefined> {
  shared ??= launchBrowser(thriftyArgs);
  const launched = await shared;
  if (!launched) {
    t.skip(noBrowser);
    return undefined;
  }
  const { browser } = launched;
  t.after(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
  });
  return browser;
}

export type Visit = {
  page: Page;
  /** Requested addresses outside the service. */
  strangers: string[];
  complaints: string[];
  close(): Promise<void>;
};

export type VisitOptions = {
  width: number;
  language?: string;
  is_dark?: boolean;
  /** False: a reader without JavaScript. Axe cannot run then. */
  has_script?: boolean;
};

/** What a browser asks nobody for. The parts of its viewer of PDFs are an extension's. */
const ownAddress = /^(data|blob|about|chrome|chrome-extension):/;

/** For anything that is awaited on a page: on a busy machine a page is slow to be there. */
const patienceMs = 120_000;

/** Without cookies or cache. */
export async function visit(browser: Browser, origin: string, options: VisitOptions): Promise<Visit> {
  const { width, language = 'es', is_dark = false, has_script = true } = options;
  const context: BrowserContext = await browser.newContext({
    viewport: { width, height: 800 },
    locale: language,
    colorScheme: is_dark ? 'dark' : 'light',
    javaScriptEnabled: has_script,
    acceptDownloads: true,
    // A service worker could ask other hosts.
    serviceWorkers: 'block',
  });
  context.setDefaultTimeout(patienceMs);
  const strangers: string[] = [];
  const complaints: string[] = [];
  const page = await context.newPage();
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !ownAddress.test(url)) strangers.push(url);
  });
  page.on('console', (message) =>
    complaints.push(`${message.type()}: ${message.text()} ${message.location().url}`.trim()),
  );
  page.on('pageerror', (error) => complaints.push(String(error)));
  return { page, strangers, complaints, close: () => context.close() };
}

let axeSource: string | undefined;
const sessions = new WeakMap<Page, CDPSession>();

/** Past the page's policy, which allows no script. Sent without Playwright the browser compiles it once for all loads. */
async function injectAxe(page: Page): Promise<void> {
  axeSource ??= inAscii(
    readFileSync(join(import.meta.dirname, '../../node_modules/axe-core/axe.min.js'), 'utf8'),
  );
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page));
  sessions.set(page, session);
  await session.send('Runtime.evaluate', { expression: axeSource, returnByValue: true });
}

/** The rules of axe that read colours. A scheme changes nothing that another rule reads. */
const colourRules: readonly string[] = ['color-contrast', 'link-in-text-block'];

/** What axe finds by these rules, or by all. Null where it is not in the page yet. */
const axeFaults = (page: Page, rules?: readonly string[]): Promise<string[] | null> =>
  page.evaluate(async (named) => {
    const { axe: tool } = globalThis as unknown as { axe?: typeof axe };
    if (!tool) return null;
    // Nobody reads the elements' source.
    tool.configure({ noHtml: true });
    // No rule that runs reads style sheets.
    const preload = { assets: ['media'] };
    const chosen = named ? { runOnly: { type: 'rule', values: named } } : {};
    const options = { resultTypes: ['violations'], preload, ...chosen };
    const { violations } = await tool.run(options as axe.RunOptions);
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.target.join(' ')} (${node.failureSummary ?? ''})`),
    );
  }, rules);

/** Faults by axe's rules for WCAG A and AA and for good practice, as `rule: element`, and edges of fields, which axe leaves to the eye. */
export const accessibilityFaults = (page: Page): Promise<string[]> => faultsBy(page);

/** Those that another scheme may add to a page which is judged at this width, and has not changed since. */
export const colourFaults = (page: Page): Promise<string[]> => faultsBy(page, colourRules);

async function faultsBy(page: Page, rules?: readonly string[]): Promise<string[]> {
  let found = await axeFaults(page, rules);
  if (found === null) {
    await injectAxe(page);
    found = await axeFaults(page, rules);
  }
  if (found === null) throw new Error('axe does not come into the page');
  return [...found, ...(await faintFields(page))];
}

/** Fields whose edge or ground has less than 3:1 against what surrounds them (WCAG 2.2, 1.4.11). */
function faintFields(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const ink = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    // What is painted, over what lies below.
    const paint = (...colours) => {
      for (const colour of colours) { ink.fillStyle = colour; ink.fillRect(0, 0, 1, 1); }
      return [...ink.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    const grounds = (e) => (e ? [...grounds(e.parentElement), getComputedStyle(e).backgroundColor] : ['#fff']);
    const light = ([r, g, b]) => {
      const [R, G, B] = [r, g, b].map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * R + 0.7152 * G + 0.0722 * B;
    };
    const ratio = (a, b) => {
      const [darker, lighter] = [light(a), light(b)].sort((x, y) => x - y);
      return (lighter + 0.05) / (darker + 0.05);
    };
    const kinds = 'input:not([type=hidden], [type=submit], [type=file]), textarea, select, .mantine-Switch-track';
    return [...document.querySelectorAll(kinds)]
      // A search dialog is its own field's edge. What the browser itself draws is not judged.
      .filter((e) => !e.matches('.mantine-Spotlight-search') && !(/^(checkbox|radio)$/.test(e.type) && getComputedStyle(e).appearance === 'auto'))
      .filter((e) => !e.matches(':disabled') && e.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
      .filter((e) => e.offsetWidth > 8)
      // A field with a button in it has its edge around both.
      .map((e) => e.closest('.mantine-Input-input') ?? e)
      .flatMap((e) => {
        const style = getComputedStyle(e);
        const around = grounds(e.parentElement);
        const outside = paint(...around);
        const has_edge = style.borderTopStyle !== 'none' && parseFloat(style.borderTopWidth) > 0;
        const best = Math.max(
          ratio(outside, paint(...around, style.backgroundColor)),
          has_edge ? ratio(outside, paint(...around, style.borderTopColor)) : 0,
        );
        return best < 3 ? ['edge of ' + e.tagName + ' ' + e.outerHTML.slice(0, 240) + ': ' + best.toFixed(2)] : [];
      });
  })()`);
}

export function sidewaysPixels(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { document, innerWidth } = globalThis as unknown as {
      document: { documentElement: { scrollWidth: number } };
      innerWidth: number;
    };
    return document.documentElement.scrollWidth - innerWidth;
  });
}

export async function widthFaults(page: Page, what: string): Promise<string[]> {
  const wider = await sidewaysPixels(page);
  return wider > 0 ? [`${what}: ${wider} pixels to scroll sideways: ${await widestElements(page)}`] : [];
}

/** Those that reach furthest to the right, but for what a scrolling part holds. */
function widestElements(page: Page): Promise<string> {
  return page.evaluate(`(() => {
    const isCut = (e) => e !== null && (getComputedStyle(e).overflowX !== 'visible' || isCut(e.parentElement));
    return [...document.body.querySelectorAll('*')]
      .map((e) => [Math.round(e.getBoundingClientRect().right), e])
      .filter(([right, e]) => right > innerWidth && !isCut(e.parentElement))
      .sort(([a], [b]) => b - a)
      .slice(0, 4)
      .map(([right, e]) => right + ' ' + e.tagName + '.' + e.className + ' ' + (e.textContent ?? '').slice(0, 30))
      .join(' | ');
  })()`);
}

/** Without the browser's own message about a refusal. */
export const ownComplaints = (complaints: string[]) =>
  complaints.filter((text) => !/Failed to load resource: .* status of 4\d\d/.test(text));

/** One key right after the other: the page forgets a first key when the second is late. */
export async function pressInTurn(page: Page, ...keys: readonly string[]): Promise<void> {
  await Promise.all(keys.map((key) => page.keyboard.press(key)));
}

type Scheme = 'light' | 'dark';

const isInScheme = (page: Page, scheme: Scheme) =>
  page.evaluate<boolean>(`matchMedia('(prefers-color-scheme: ${scheme})').matches`);

/** At a width and in a scheme. A page with script answers to the change before it is drawn again. */
export async function see(page: Page, width: number, colorScheme: Scheme): Promise<void> {
  const is_as_wide = page.viewportSize()?.width === width;
  const is_alike = await isInScheme(page, colorScheme);
  // What stays as it is would be drawn again all the same.
  if (!is_as_wide) await page.setViewportSize({ width, height: 800 });
  if (!is_alike) await page.emulateMedia({ colorScheme });
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
}

/** Both schemes and a telephone, first the one that the page is in. FOLIO_TEST_PICTURES: a folder for pictures, to look at. */
export async function judgePage(page: Page, what: string, faults: string[]): Promise<void> {
  const sights = [
    [320, 'light'],
    [1280, 'dark'],
  ] as const;
  const is_last = page.viewportSize()?.width === 1280 && (await isInScheme(page, 'dark'));
  for (const [width, colorScheme] of is_last ? sights.toReversed() : sights) {
    await see(page, width, colorScheme);
    // The rows of before are pale until those that were asked for come.
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    faults.push(...(await widthFaults(page, `${what} ${width}`)));
    const found = await accessibilityFaults(page);
    faults.push(...found.map((fault) => `${what} ${width} ${colorScheme}: ${fault}`));
    const folder = process.env.FOLIO_TEST_PICTURES;
    if (folder) await page.screenshot({ path: join(folder, `${what}-${width}.png`), fullPage: true });
  }
}
