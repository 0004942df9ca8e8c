/** The pages of the dashboard as its own code defines them, and the way between them in a browser. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from './browser.ts';

const folder = join(import.meta.dirname, '../../web/src/pages');

export type DashboardPage = {
  title: { es: string; en: string };
  asks?: string;
  environment?: 'live' | 'test';
  routes: Record<string, unknown>;
};

export async function dashboardPages(): Promise<DashboardPage[]> {
  const files = globSync('*/index.ts', { cwd: folder }).sort();
  return Promise.all(
    files.map(async (file) => ((await import(join(folder, file))) as { default: DashboardPage }).default),
  );
}

type Seen = { location: { pathname: string }; document: { querySelector(selector: string): unknown } };

/** Within the page, as its links do; it answers when the heading has the focus and the content is there. */
export async function go(page: Page, address: string): Promise<void> {
  await page.evaluate(`history.pushState({}, '', ${JSON.stringify(address)})`);
  const is_there = (wanted: string) => {
    const { location, document } = globalThis as unknown as Seen;
    const is_led = location.pathname === wanted && document.querySelector('main h1:focus') !== null;
    return is_led && document.querySelector('[aria-busy="true"]') === null;
  };
  try {
    await page.waitForFunction(is_there, address, { timeout: 10_000 });
  } catch (cause) {
    const told = await page.evaluate(
      'document.activeElement.outerHTML.slice(0, 300) + document.body.innerText',
    );
    throw new Error(`${address} does not come to rest with the focus on its heading: ${told}`, { cause });
  }
}
