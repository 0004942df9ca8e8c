import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../test/harness.ts';
import { create } from '../../../test/support/resource-checks.ts';

type Entry = { action: string; target: { id: string }; details: Record<string, unknown> };

test('given moves of invoices, when the audit log is read, then it has those that take something back or are said by hand, and refused ones not', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const lines = [{ description: 'Trabajo', unit_price: 100, tax_rate: 21 }];
  const make = (body: object = {}) => create(app, '/v1/invoices', key, { type: 'F2', lines, ...body });
  const issued = await make({ options: { issue: true } });
  const draft = await make();
  const nameless = await make({ type: 'F1' });
  const act = async (id: string, move: string, status = 200, body?: object) => {
    const answer = await app.post(`/v1/invoices/${id}/${move}`, { key, ...(body ? { body } : {}) });
    assert.equal(answer.status, status, `${move}: ${answer.text}`);
    return answer.body.data;
  };
  const pay = { amount: 121, payment_method: 'cash' };
  await act(issued.id, 'mark-sent');
  await act(issued.id, 'mark-sent');
  const payment = await act(issued.id, 'payments', 201, pay);
  await act(issued.id, 'void', 409);
  await act(issued.id, `payments/${payment.id}/reversal`, 200, { reason: 'direct_debit_return' });
  await act(issued.id, 'void');
  await act(nameless.id, 'mark-sent', 422);
  await act(draft.id, 'mark-sent');
  await act(draft.id, 'payments', 201, pay);
  await act(draft.id, 'annul', 200, { revert_collections: true });

  const { body } = await app.get('/v1/audit-log', { key, query: { limit: '100' } });
  const told = (body.data as Entry[])
    .filter(({ action }) => /^(invoice|payment)\./.test(action))
    .map(({ action, target, details }) => [target.id, action, details])
    .reverse();
  const channel = 'api';
  assert.deepEqual(told, [
    [issued.id, 'invoice.mark_sent', { from: 'issued', to: 'sent', channel }],
    [
      issued.id,
      'invoice.reverse_payment',
      { from: 'paid', to: 'sent', channel, payment_id: payment.id, reason: 'direct_debit_return' },
    ],
    [issued.id, 'invoice.void', { from: 'sent', to: 'voided', channel }],
    [draft.id, 'invoice.mark_sent', { from: 'draft', to: 'sent', channel }],
    [draft.id, 'invoice.annul', { from: 'paid', to: 'annulled', channel }],
  ]);
});
