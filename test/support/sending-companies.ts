/** Sandbox companies whose tickets are recorded and sent. */
import assert from 'node:assert/strict';
import type { App, TestCompany } from '../harness.ts';

const ticket = {
  type: 'F2',
  lines: [{ description: 'Café', unit_price: 1.5, tax_rate: 10 }],
  options: { issue: true },
};
export async function givenSendingCompany(app: App): Promise<TestCompany> {
  const company = await app.given.company();
  const on = await app.put('/v1/verifactu/settings', { key: company.test_key, body: { enabled: true } });
  assert.equal(on.status, 200, on.text);
  return company;
}

/** @returns the ids */
export async function issue(app: App, { test_key: key }: TestCompany, count = 1): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const invoices = Array.from({ length: Math.min(100, count - ids.length) }, () => ticket);
    const made = await app.post('/v1/invoices/bulk-create', { key, body: { invoices } });
    assert.equal(made.body.data.successful, invoices.length, made.text);
    for (const { id } of made.body.data.invoices) ids.push(id);
  }
  return ids;
}

export async function blockOf(app: App, { test_key: key }: TestCompany, id: string | undefined) {
  return (await app.get(`/v1/invoices/${id}`, { key })).body.data.verifactu;
}
