import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../test/harness.ts';
import type { Tx } from '../../kernel/operation.ts';
import { listPaymentsOf, reversePayments } from './payments.store.ts';
import { reversedPayment } from './reversed.ts';

test('given payments with a large metadata, when they are reversed together, then what is sent has none of it, and the rows say why', async (t) => {
  const app = await startApp(t);
  const { live_key: key, company_id } = await app.given.company();
  const lines = [{ description: 'x', unit_price: 100, tax_rate: 21 }];
  const made = await app.post('/v1/invoices', { key, body: { type: 'F2', lines, options: { issue: true } } });
  assert.equal(made.status, 201, made.text);
  const { id } = made.body.data;
  const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, 'x'.repeat(500)]));
  for (const amount of [1, 2]) {
    const body = { amount, payment_method: 'cash', metadata };
    const paid = await app.post(`/v1/invoices/${id}/payments`, { key, body });
    assert.equal(paid.status, 201, paid.text);
  }
  const reversal = { reason: 'recording_error', note: 'dos veces', now: new Date() } as const;

  const sent = await app.db.transaction(company_id, async (tx) => {
    const rows = [...(await listPaymentsOf(tx, company_id, [id]))].map((row) =>
      reversedPayment(row, reversal),
    );
    let length = 0;
    const counting = {
      unsafe(text: string, values: string[], options: object) {
        length += values.join('').length;
        return tx.unsafe(text, values, options);
      },
    } as unknown as Tx;
    await reversePayments(counting, company_id, rows);
    return length;
  });

  assert.ok(sent < 1000, `${sent} characters`);
  const { detail } = (await app.get(`/v1/invoices/${id}`, { key })).body.data.payments;
  const told = detail.map((one: Record<string, unknown>) => [
    one.is_reversed,
    one.reversal_reason,
    one.reversal_note,
    one.metadata,
  ]);
  assert.deepEqual(told, Array(2).fill([true, 'recording_error', 'dos veces', metadata]));
});
