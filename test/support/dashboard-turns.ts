/**
 * Stories of the dashboard that take turns in one page. One person owns a company for each of them, and walks from one to the next
 * as links do: to load the page costs five times as much. A story that fails keeps its page, and the next gets another.
 */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { App, TestCompany } from '../harness.ts';
import { type Browser, openBrowser, type Page, type Visit, visit } from './browser.ts';
import { go } from './dashboard-pages.ts';
import { enter, givenPerson, type TestPerson } from './person-browser.ts';

type Around = { app: App; browser: Browser };

type Held = { seen: Visit; person: TestPerson; companies: TestCompany[] };

type Turn = {
  app: App;
  acme: TestCompany;
  /** Of the sandbox. */
  key: string;
  person: TestPerson;
  page: Page;
  complaints: string[];
  /** @returns what the service made in the sandbox */
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers of every shape
  made(path: string, body: object): Promise<any>;
  /** To a page of the sandbox, within the page as its links do. What was read in the last seconds is not asked for again. */
  walk(path: string, company_id?: string): Promise<void>;
  /** As a new page. */
  load(path: string, company_id?: string): Promise<void>;
  /** When the story has been seen to its end. */
  close(): Promise<void>;
};

export type Story = [name: string, run: (turns: Turns) => Promise<void>];

/** One after the other. Without a browser the test is skipped. */
export async function seeStories(t: TestContext, app: App, stories: readonly Story[]): Promise<void> {
  const browser = await openBrowser(t);
  if (!browser) return;
  const turns = new Turns({ app, browser }, stories.length);
  for (const [name, run] of stories) await t.test(name, () => run(turns));
}

export class Turns {
  readonly #around: Around;
  #left: number;
  /** Nobody's at the moment. */
  #free: Held | undefined;

  /** @param stories how many are to come: their companies are there before the page is loaded */
  constructor(around: Around, stories: number) {
    this.#around = around;
    this.#left = stories;
  }

  /** For whom it matters how many companies, sessions or pages the person has. */
  alone(width = 1280): Promise<Turn> {
    return this.#begin(1, width);
  }

  async take(width = 1280): Promise<Turn> {
    const held = this.#free;
    this.#free = undefined;
    this.#left -= 1;
    return held === undefined ? this.#begin(this.#left + 1, width) : this.#turnOf(held, width);
  }

  async #begin(companies_count: number, width: number): Promise<Turn> {
    const { app, browser } = this.#around;
    const companies = await Promise.all(Array.from({ length: companies_count }, () => app.given.company()));
    const person = await givenPerson(app, companies[0]!, 'owner');
    await own(app, person, companies.slice(1));
    const seen = await visit(browser, app.url, { width });
    await enter(seen.page, app.url, person.browser);
    return this.#turnOf({ seen, person, companies }, width);
  }

  async #turnOf(held: Held, width: number): Promise<Turn> {
    const { app } = this.#around;
    const { seen, person } = held;
    const acme = held.companies.pop()!;
    const { page, complaints } = seen;
    complaints.length = 0;
    if (page.viewportSize()!.width !== width) await page.setViewportSize({ width, height: 800 });
    const key = acme.test_key;
    const addressOf = (path: string, company_id = acme.sandbox_company_id) =>
      `/dashboard/${company_id}${path}`;
    const load = async (path: string, company_id?: string) => {
      await page.goto(`${app.url}${addressOf(path, company_id)}`);
    };
    return {
      app,
      acme,
      key,
      person,
      page,
      complaints,
      async made(path, body) {
        const answer = await app.post(path, { key, body });
        assert.ok(answer.status < 300, answer.text);
        return answer.body.data;
      },
      load,
      async walk(path, company_id) {
        if (!page.url().startsWith(`${app.url}/dashboard/`)) return load(path, company_id);
        await closeNotices(page);
        await go(page, addressOf(path, company_id));
      },
      close: () => (held.companies.length === 0 ? seen.close() : this.#giveBack(held)),
    };
  }

  async #giveBack(held: Held): Promise<void> {
    const { page } = held.seen;
    await page.unrouteAll();
    await page.emulateMedia({ media: null, colorScheme: 'light' });
    this.#free = held;
  }
}

/** The person becomes an owner of these as well. */
async function own(app: App, { user_id }: TestPerson, companies: readonly TestCompany[]): Promise<void> {
  const ids = companies.map(({ company_id }) => company_id);
  await app.sql`
    insert into members (company_id, user_id, role, created_at, updated_at)
    select unnest(${ids}::uuid[]), ${user_id}, 'owner', now(), now()`;
  await app.sql`
    insert into user_companies (user_id, company_id) select ${user_id}, unnest(${ids}::uuid[])`;
}

type Shown = { document: { querySelectorAll(selector: string): ArrayLike<{ click(): void }> } };

/** What is told next is waited for, not what was told before. */
async function closeNotices(page: Page): Promise<void> {
  const areGone = () => {
    const { document } = globalThis as unknown as Shown;
    for (const button of Array.from(document.querySelectorAll('.mantine-Notification-closeButton')))
      button.click();
    return document.querySelectorAll('.mantine-Notification-root').length === 0;
  };
  await page.waitForFunction(areGone, undefined, { polling: 25 });
}
