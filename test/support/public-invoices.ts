import assert from 'node:assert/strict';
import type { App, TestCompany } from '../harness.ts';

export type PublicInvoice = { id: string; number: string; public_url: string; token: string };

const lines = [{ description: 'Consultoría', quantity: 2, unit_price: 50, tax_rate: 21 }];

/** Fills the settings that a printed document shows. */
export async function dressCompany(
  app: App,
  key: string,
  change: Record<string, unknown> = {},
): Promise<void> {
  const body = {
    name: 'Cerámicas Montalbán, S. L.',
    commercial_name: 'Montalbán',
    address: {
      line1: 'Calle del Alfarero, 14',
      postal_code: '12200',
      city: 'Onda',
      province: 'Castellón',
      country: 'ES',
    },
    email: 'hola@montalban.example',
    phone: '+34 964 12 34 56',
    iban: 'ES9121000418450200051332',
    ...change,
  };
  const answer = await app.put('/v1/account/company', { key, body });
  assert.equal(answer.status, 200, answer.text);
}

/** By default one line at 21 %. */
export async function issuePublic(
  app: App,
  key: string,
  body: Record<string, unknown> = {},
  client: Record<string, unknown> = {},
): Promise<PublicInvoice> {
  const made = await app.post('/v1/clients', {
    key,
    body: { name: 'Librería Norte, S. L.', tax_id: 'A58818501', ...client },
  });
  assert.equal(made.status, 201, made.text);
  const answer = await app.post('/v1/invoices', {
    key,
    body: { client_id: made.body.data.id, lines, options: { issue: true }, ...body },
  });
  assert.equal(answer.status, 201, answer.text);
  const { id, number, public_url } = answer.body.data;
  return { id, number, public_url, token: tokenOf(public_url) };
}

export const tokenOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

export async function givenIssuer(app: App, change: Record<string, unknown> = {}): Promise<TestCompany> {
  const company = await app.given.company();
  for (const key of [company.live_key, company.test_key]) await dressCompany(app, key, change);
  return company;
}
