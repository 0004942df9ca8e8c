/**
 * A real browser for tests of pages: the one of CHROME_PATH, the system's Chromium, or the one that npm brings. One for
 * a test file; each visit has a context of its own, watched for what a page must never do: ask anybody but the service,
 * or say something on the console.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import axe from 'axe-core';

export type { Browser, Page };

const systemBrowser = '/usr/bin/chromium';

/** Starts the browser and ends it with the test. @returns undefined where there is none, and the test says so */
export async function openBrowser(t: TestContext): Promise<Browser | undefined> {
  const named = process.env.CHROME_PATH ?? (existsSync(systemBrowser) ? systemBrowser : undefined);
  if (named === undefined && (process.platform !== 'linux' || process.arch !== 'x64')) {
    t.skip('no browser: npm has one for linux x64; set CHROME_PATH elsewhere');
    return undefined;
  }
  const folder = mkdtempSync(join(tmpdir(), 'folio-browser-'));
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const found = named === undefined ? await unpackBrowser(folder) : { executablePath: named, env: {} };
  const browser = await chromium.launch({
    executablePath: found.executablePath,
    env: { ...(process.env as Record<string, string>), ...found.env, FONTCONFIG_FILE: writeFonts(folder) },
    // Root has no sandbox, and in CI everybody is root.
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--font-render-hinting=none'],
  });
  t.after(() => browser.close());
  return browser;
}

/** The fonts of the printed documents, wherever the test runs: a machine without any would show no text at all. */
function writeFonts(folder: string): string {
  const fonts = join(import.meta.dirname, '../../node_modules/@expo-google-fonts');
  const file = join(folder, 'fonts.conf');
  writeFileSync(
    file,
    `<fontconfig><dir>${fonts}</dir><cachedir>${join(folder, 'font-cache')}</cachedir></fontconfig>`,
  );
  return file;
}

/** The package unpacks to the folder for temporary files, and leaves it to us to have one that nobody else uses. */
async function unpackBrowser(
  folder: string,
): Promise<{ executablePath: string; env: Record<string, string> }> {
  const names = ['TMPDIR', 'AWS_LAMBDA_JS_RUNTIME', 'FONTCONFIG_PATH', 'LD_LIBRARY_PATH', 'HOME'] as const;
  const before = names.map((name) => [name, process.env[name]] as const);
  // Asks for its own copies of the libraries that a slim machine lacks; it looks when it is loaded.
  Object.assign(process.env, { TMPDIR: folder, AWS_LAMBDA_JS_RUNTIME: 'nodejs24.x' });
  try {
    const { default: packed } = await import('@sparticuz/chromium');
    const executablePath = await packed.executablePath();
    return { executablePath, env: { LD_LIBRARY_PATH: process.env.LD_LIBRARY_PATH ?? '' } };
  } finally {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  }
}

export type Visit = {
  page: Page;
  /** Addresses that were asked for, other than of the service and within the page itself. */
  strangers: string[];
  /** What the console said, and errors that nobody caught. */
  complaints: string[];
  close(): Promise<void>;
};

export type VisitOptions = {
  width: number;
  language?: string;
  is_dark?: boolean;
  /** False as for readers who have none; axe is a script, so it needs one. */
  has_script?: boolean;
};

/** A window onto the service at `origin`, as a stranger to it: no cookie, no cache. */
export async function visit(browser: Browser, origin: string, options: VisitOptions): Promise<Visit> {
  const { width, language = 'es', is_dark = false, has_script = true } = options;
  const context: BrowserContext = await browser.newContext({
    viewport: { width, height: 800 },
    locale: language,
    colorScheme: is_dark ? 'dark' : 'light',
    javaScriptEnabled: has_script,
    acceptDownloads: true,
    // Of a page under test only the service itself may be asked.
    serviceWorkers: 'block',
  });
  const strangers: string[] = [];
  const complaints: string[] = [];
  const page = await context.newPage();
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !/^(data|blob|about):/.test(url)) strangers.push(url);
  });
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(String(error)));
  return { page, strangers, complaints, close: () => context.close() };
}

/** What axe finds, by all its rules for WCAG A and AA and good practice: `rule: element`; empty when all is well. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // Put in from outside, past the page's own policy, which lets no script in; once for each page that is opened.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe: tool } = globalThis as unknown as { axe: typeof axe };
    const { violations } = await tool.run({ resultTypes: ['violations'] });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.target.join(' ')} (${node.failureSummary ?? ''})`),
    );
  });
}

/** How many pixels the page is wider than its window: what a reader would have to scroll sideways. */
export function sidewaysPixels(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { document, innerWidth } = globalThis as unknown as {
      document: { documentElement: { scrollWidth: number } };
      innerWidth: number;
    };
    return document.documentElement.scrollWidth - innerWidth;
  });
}
