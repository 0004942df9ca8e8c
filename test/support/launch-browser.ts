/** Starts a real browser: CHROME_PATH, the system's Chromium or the one from npm. */
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type LaunchOptions } from 'playwright-core';

const systemBrowser = '/usr/bin/chromium';

export type Launched = { browser: Browser; close: () => Promise<void> };

/**
 * Tests look at what a page says and how it is laid out, not at how fast it is drawn. They share few cores, so theirs
 * compiles nothing beside the page, optimises no program for long, and draws and fetches within its own process.
 */
export const thriftyArgs = [
  '--in-process-gpu',
  '--enable-features=NetworkServiceInProcess2',
  '--js-flags=--single-threaded --no-turbofan',
];

/** Why what needs a browser is left out. */
export const noBrowser = 'no browser: npm has one for linux x64; set CHROME_PATH elsewhere';

/** Chromium has fallen at its start: by SIGSEGV in the C library, before any page was open. It is rare. */
const startsMax = 2;

const namedBrowser = () => process.env.CHROME_PATH ?? (existsSync(systemBrowser) ? systemBrowser : undefined);

/** Undefined without a browser. @param named a path, in place of the browser that is looked for */
export async function launchBrowser(
  more_args: readonly string[] = [],
  named = namedBrowser(),
): Promise<Launched | undefined> {
  if (named === undefined && (process.platform !== 'linux' || process.arch !== 'x64')) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'folio-browser-'));
  const removeFolder = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  try {
    const found = named === undefined ? await findBrowser(folder) : { executablePath: named, env: {} };
    const browser = await launchStanding({
      executablePath: found.executablePath,
      // Playwright would close the browser and go on, so a run that is told to stop would not. The browser ends with this process.
      handleSIGTERM: false,
      // A busy machine may take more than the usual half minute.
      timeout: 240_000,
      env: { ...(process.env as Record<string, string>), ...found.env, FONTCONFIG_FILE: writeFonts(folder) },
      // Chromium has no sandbox for root, and CI runs as root.
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-dev-shm-usage',
        '--font-render-hinting=none',
        ...more_args,
      ],
    });
    const close = async () => {
      await browser.close();
      removeFolder();
    };
    return { browser, close };
  } catch (error) {
    removeFolder();
    throw error;
  }
}

/** Another start for one that fell. Any other fault stays as it is. */
async function launchStanding(options: LaunchOptions): Promise<Browser> {
  for (let start = 1; ; start++)
    try {
      return await chromium.launch(options);
    } catch (error) {
      if (start === startsMax || !String(error).includes('signal=SIGSEGV')) throw error;
    }
}

/** A machine without fonts would show no text. */
function writeFonts(folder: string): string {
  const fonts = join(import.meta.dirname, '../../node_modules/@expo-google-fonts');
  const file = join(folder, 'fonts.conf');
  writeFileSync(
    file,
    `<fontconfig><dir>${fonts}</dir><cachedir>${join(folder, 'font-cache')}</cachedir></fontconfig>`,
  );
  return file;
}

type Found = { executablePath: string; env: Record<string, string> };

/** Unpacked once a run. Of two that unpack at a time the first puts its own in place. */
async function findBrowser(folder: string): Promise<Found> {
  // A program outside of a test run has no folder of the run.
  const run_folder = process.env.FOLIO_TEST_FOLDER ?? folder;
  const place = join(run_folder, 'browser');
  const note = 'found.json';
  if (!existsSync(place)) {
    const own = mkdtempSync(join(run_folder, 'unpacked-'));
    const found = await unpackBrowser(own);
    writeFileSync(join(own, note), JSON.stringify(found).replaceAll(own, place));
    try {
      renameSync(own, place);
    } catch (error) {
      if (!existsSync(place)) throw error;
      rmSync(own, { recursive: true, force: true, maxRetries: 10 });
    }
  }
  return JSON.parse(readFileSync(join(place, note), 'utf8')) as Found;
}

/** The package unpacks into TMPDIR, so it gets a private one. */
async function unpackBrowser(folder: string): Promise<Found> {
  const names = ['TMPDIR', 'AWS_LAMBDA_JS_RUNTIME', 'FONTCONFIG_PATH', 'LD_LIBRARY_PATH', 'HOME'] as const;
  const before = names.map((name) => [name, process.env[name]] as const);
  // This name, which the package reads at import, makes it bring the libraries that a slim machine lacks.
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
