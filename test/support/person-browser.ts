/** What a browser does with the pages for people: it keeps cookies, sends forms with their hidden fields, and says where from. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { newId } from '../../src/kernel/uuid7.ts';
import type { Page } from './browser.ts';
import type { Answer, App } from '../harness.ts';

type CallMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

export type FormAnswer = Answer & { location: string | undefined };

export class PersonBrowser {
  readonly cookies = new Map<string, string>();
  readonly #app: App;
  language = 'es';

  constructor(app: App) {
    this.#app = app;
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<FormAnswer> {
    return this.#keep(await this.#app.get(path, { headers: this.#headers(headers) }));
  }

  /** Opens the page and sends its form to `to`, its own address when left out. */
  async submit(path: string, fields: Record<string, string>, to = path): Promise<FormAnswer> {
    return this.post(to, { ...(await this.open(path)), ...fields });
  }

  /** @returns the hidden fields of its form */
  async open(path: string): Promise<Record<string, string>> {
    const page = await this.get(path);
    assert.equal(page.status, 200, page.text);
    return hiddenOf(page.text);
  }

  async post(
    path: string,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<FormAnswer> {
    const own = {
      origin: this.#app.url,
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/x-www-form-urlencoded',
    };
    const raw = new URLSearchParams(fields).toString();
    return this.#keep(await this.#app.post(path, { headers: this.#headers({ ...own, ...headers }), raw }));
  }

  /**
   * As a page of the dashboard does.
   * @param path below /dashboard/api
   */
  async ask(method: CallMethod, path: string, body?: unknown): Promise<FormAnswer> {
    const headers = await this.headersToAsk();
    const options = body === undefined ? { headers } : { headers, body };
    return this.#keep(await this.#app.call(method, `/dashboard/api${path}`, options));
  }

  /** Cookies, origin and token. */
  async headersToAsk(): Promise<Record<string, string>> {
    const { body: session } = await this.get('/dashboard/api/session');
    return this.#headers({ origin: this.#app.url, 'x-folio-csrf': session.data?.csrf ?? '' });
  }

  #headers(more: Record<string, string>): Record<string, string> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return { 'accept-language': this.language, ...(cookie === '' ? {} : { cookie }), ...more };
  }

  #keep(answer: Answer): FormAnswer {
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      const [pair = '', ...attributes] = line.split('; ');
      const at = pair.indexOf('=');
      const name = pair.slice(0, at);
      if (attributes.includes('Max-Age=0')) this.cookies.delete(name);
      else this.cookies.set(name, pair.slice(at + 1));
    }
    const { location } = answer.headers;
    return { ...answer, location: location === undefined ? undefined : String(location) };
  }
}

export function hiddenOf(text: string): Record<string, string> {
  const inputs = text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g);
  return Object.fromEntries(
    [...inputs].map(([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')]),
  );
}

export const alertOf = (text: string): string | undefined =>
  /role="alert">(.*?)<\/div>/s
    .exec(text)?.[1]
    ?.replaceAll(/<[^>]+>/g, ' ')
    .trim();

export type TestPerson = { user_id: string; email: string; password: string; browser: PersonBrowser };

/** To hash a password takes longer than all else that makes a person, so those of a process have one. */
let known: Promise<{ password: string; password_hash: string }> | undefined;

async function hashedPassword(): Promise<{ password: string; password_hash: string }> {
  const { hashPassword } = await import('../../src/modules/people/sign-in/passwords.ts');
  const password = randomBytes(12).toString('base64url');
  return { password, password_hash: await hashPassword(password) };
}

/** Somebody who has joined the company, and is signed in. */
export async function givenPerson(
  app: App,
  company: { company_id: string },
  role: 'owner' | 'developer' | 'accountant' | 'reader',
): Promise<TestPerson> {
  const { joinHashed } = await import('../../src/modules/people/members/join.ts');
  const email = `p-${newId()}@norte.example`;
  known ??= hashedPassword();
  const { password, password_hash } = await known;
  const { company_id } = company;
  if (role !== 'owner')
    // A company with people has an owner.
    await app.sql`
      insert into members (company_id, user_id, role, created_at, updated_at)
      select ${company_id}, ${newId()}, 'owner', now(), now()
       where not exists (select from members where company_id = ${company_id})`;
  const place = { ip: '127.0.0.1', user_agent: null, request_id: newId() };
  const newcomer = { name: 'Ana Ruiz', email, language: 'es' as const, password_hash, ...place };
  const joining = { company_id, role, use: async () => true };
  const joined = await joinHashed(app.db, newcomer, joining, app.clock.now());
  assert.ok('token' in joined);
  const browser = new PersonBrowser(app);
  const is_secure = app.config.FOLIO_PUBLIC_URL?.startsWith('https:') ?? false;
  browser.cookies.set(`${is_secure ? '__Host-' : ''}folio_session`, joined.token);
  const [row] = await app.sql<{ user_id: string }[]>`select user_id from user_emails where email = ${email}`;
  return { user_id: row!.user_id, email, password, browser };
}

/** The page of a real browser becomes that person's. */
export async function enter(page: Page, url: string, { cookies }: PersonBrowser): Promise<void> {
  // A page is judged as it comes to rest.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.context().addCookies([...cookies].map(([name, value]) => ({ name, value, url })));
}
