/** An invoice with many large payments. */
import assert from 'node:assert/strict';
import type { App } from '../harness.ts';

/** Its annulment takes back each of its payments. */
export async function givenPaidInvoice(
  app: App,
  key: string,
  company_id: string,
  payments: number,
): Promise<string> {
  const lines = [{ description: 'x', unit_price: 100, tax_rate: 21 }];
  const made = await app.post('/v1/invoices', { key, body: { type: 'F2', lines, options: { issue: true } } });
  assert.equal(made.status, 201, made.text);
  const { id } = made.body.data;
  const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, 'x'.repeat(500)]));
  const paid = await app.post(`/v1/invoices/${id}/payments`, {
    key,
    body: { amount: 1, payment_method: 'cash', metadata },
  });
  assert.equal(paid.status, 201, paid.text);
  await app.sql`
    insert into payments (company_id, id, invoice_id, amount, payment_date, payment_method, metadata, created_at, updated_at)
    select company_id, gen_random_uuid(), invoice_id, amount, payment_date, payment_method, metadata, created_at, updated_at
      from payments, generate_series(2, ${payments}::int) where company_id = ${company_id} and invoice_id = ${id}`;
  await app.sql`update invoices set paid_amount = ${payments} where company_id = ${company_id} and id = ${id}`;
  return id;
}
