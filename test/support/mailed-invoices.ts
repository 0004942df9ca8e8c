import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import {
  type Answer,
  type App,
  type StartApp,
  type StartOptions,
  startApp,
  type TestCompany,
} from '../harness.ts';
import { type MailServer, mailSettings, startMailServer } from './mail-server.ts';

export type Post = { app: App; mail: MailServer; company: TestCompany; key: string };

/** The app has its own mail server. */
export async function givenPost(
  t: TestContext,
  options: StartOptions = {},
  start: StartApp = startApp,
): Promise<Post> {
  const mail = await startMailServer(t);
  const app = await start(t, { ...options, env: { ...mailSettings(mail), ...options.env } });
  const company = await app.given.company();
  return { app, mail, company, key: company.live_key };
}

export const ticket = { type: 'F2', lines: [{ description: 'Café', unit_price: 10, tax_rate: 10 }] };

/** `more` adds or replaces members. @returns the answer's data */
export async function createTicket(
  { app, key }: Pick<Post, 'app' | 'key'>,
  more: Record<string, unknown> = {},
) {
  const answer = await app.post('/v1/invoices', { key, body: { ...ticket, ...more } });
  assert.ok([200, 201].includes(answer.status), answer.text);
  return answer.body.data;
}

export async function issueAndSend(post: Pick<Post, 'app' | 'key'>, body: Record<string, unknown>) {
  const { id } = await createTicket(post, { options: { issue: true } });
  const answer = await send(post, id, body);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

export function send({ app, key }: Pick<Post, 'app' | 'key'>, id: string, body?: unknown): Promise<Answer> {
  return app.post(`/v1/invoices/${id}/send`, { key, ...(body === undefined ? {} : { body }) });
}

export function runDueWork({ app, company }: Pick<Post, 'app' | 'company'>): Promise<number> {
  return app.service.worker.runDue(company.company_id);
}

export async function readEmail({ app, key }: Pick<Post, 'app' | 'key'>, id: string) {
  const answer = await app.get(`/v1/emails/${id}`, { key });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

export async function readInvoice({ app, key }: Pick<Post, 'app' | 'key'>, id: string) {
  return (await app.get(`/v1/invoices/${id}`, { key })).body.data;
}

export async function mailEvents({ app, company }: Pick<Post, 'app' | 'company'>, invoice_id: string) {
  const types = await app.eventTypes(company, invoice_id);
  return types.filter((type) => type === 'invoice.sent' || type.startsWith('invoice.email_'));
}
