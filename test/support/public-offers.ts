/** Offers that are answered on their page. */
import assert from 'node:assert/strict';
import { request } from 'undici';
import { answers } from '../../src/modules/families.ts';
import type { App } from '../harness.ts';
import { tokenOf } from './public-invoices.ts';
import { holdEvents } from './seen-events.ts';

export type OfferPath = 'quotes' | 'proformas';

/** What each page answers for. No catalogue leads from an answer to its operation. */
const offerOf = new Map<string, keyof typeof answers>();

// biome-ignore lint/suspicious/noExplicitAny: answers are read member by member
export type PublicOffer = any;

/** Pending, with its public address. */
export async function givenOffer(
  app: App,
  key: string,
  path: OfferPath = 'quotes',
  more: Record<string, unknown> = {},
): Promise<PublicOffer> {
  const client = await app.post('/v1/clients', {
    key,
    body: { name: 'Librería Norte, S. L.', tax_id: 'A58818501', email: 'norte@example.com' },
  });
  const lines = [{ description: 'Reforma del local', quantity: 2, unit_price: 600, tax_rate: 21 }];
  const body = { client_id: client.body.data.id, lines, options: { mark_pending: true }, ...more };
  const made = await app.post(`/v1/${path}`, { key, body });
  assert.equal(made.status, 201, made.text);
  const page = `/i/${tokenOf(made.body.data.public_url)}`;
  offerOf.set(page, path === 'quotes' ? 'quote' : 'proforma');
  return { ...made.body.data, page };
}

export const goodForm = {
  name: 'Ana Ruiz',
  email: 'ana@norte.example',
  tax_id: '',
  note: '',
  agree: 'yes',
  version: '1',
};

export type Sent = { status: number; text: string; headers: Record<string, string | string[] | undefined> };

/** Fails for an event that the operation of the answer does not declare. */
function holdAnswer(path: string, request_id: string): void {
  const [, page = '', move] = /^(.*)\/(accept|reject)$/.exec(path) ?? [];
  const object = offerOf.get(page);
  if (object && move) holdEvents(answers[object][move as 'accept' | 'reject'], request_id);
}

/** As a browser sends it. `headers` replaces the page's own origin; an empty value leaves a header out. */
export async function sendForm(
  app: App,
  path: string,
  form: Record<string, string> | string,
  headers: Record<string, string> = {},
): Promise<Sent> {
  const all = {
    origin: app.url,
    'content-type': 'application/x-www-form-urlencoded',
    'user-agent': 'Mozilla/5.0 (X11)',
    ...headers,
  };
  const response = await request(new URL(path, app.url), {
    method: 'POST',
    headers: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== '')),
    body: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
  });
  const text = await response.body.text();
  holdAnswer(path, String(response.headers['x-request-id']));
  return { status: response.statusCode, headers: response.headers, text };
}
