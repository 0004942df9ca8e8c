/** The pages of the dashboard as its own code defines them, and the way between them in a browser. */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from './browser.ts';
import type { Filled } from './filled-company.ts';

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
  // The page before stays until the code of the next one is there: its heading is not the one that is waited for.
  await page.evaluate(`(() => {
    if (location.pathname !== ${JSON.stringify(address)}) document.activeElement.blur();
    history.pushState({}, '', ${JSON.stringify(address)});
  })()`);
  const is_there = (wanted: string) => {
    const { location, document } = globalThis as unknown as Seen;
    const is_led = location.pathname === wanted && document.querySelector('main h1:focus') !== null;
    return is_led && document.querySelector('[aria-busy="true"]') === null;
  };
  try {
    // Without an interval the page is asked at each frame. It then draws every frame, which is slow.
    await page.waitForFunction(is_there, address, { polling: 25 });
  } catch (cause) {
    const told = await page.evaluate(
      'document.activeElement.outerHTML.slice(0, 300) + document.body.innerText',
    );
    throw new Error(`${address} does not come to rest with the focus on its heading: ${told}`, { cause });
  }
}

export type Route = { path: string; environment: 'live' | 'test' };

export async function allRoutes(): Promise<Route[]> {
  const found = (await dashboardPages()).flatMap(({ environment = 'test', routes }) =>
    Object.keys(routes).map((path): Route => ({ path, environment })),
  );
  // A draft has another page than an issued invoice.
  return [...found, { path: '/invoices/$invoice_draft', environment: 'test' }];
}

/** Unknown parameters ask for a row in `filled-company.ts`. */
export function addressOf({ path, environment }: Route, { company, live, test: twin }: Filled): string {
  const ids = environment === 'live' ? live : twin;
  const own = path === '/invoices/$invoice/edit' ? '/invoices/$invoice_draft/edit' : path;
  const filled = own.replaceAll(/\$(\w+)/g, (_, name: string) => {
    assert.ok(ids[name], `${path} needs something to show: give ${name} an id`);
    return ids[name];
  });
  const id = environment === 'live' ? company.company_id : company.sandbox_company_id;
  return `/dashboard/${id}${filled === '/' ? '' : filled}`;
}
