import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type InvoiceMove, type InvoiceStatus, invoiceStates, invoiceStatuses } from './states.ts';

const refused = 'invalid_status_transition';
const overpaid = 'business_rule_violation';

/** Every other cell is refused. Not copied from the table. */
const allowed: [InvoiceStatus, InvoiceMove, string][] = [
  ['draft', 'edit_content', 'draft'],
  ['draft', 'edit_labels', 'draft'],
  ['draft', 'delete', 'draft'],
  ['draft', 'issue', 'issued'],
  ['draft', 'send', 'sent'],
  ['issued', 'edit_labels', 'issued'],
  ['issued', 'send', 'sent'],
  ['issued', 'pay_part', 'issued'],
  ['issued', 'pay_all', 'paid'],
  ['issued', 'become_overdue', 'overdue'],
  ['issued', 'reverse_payment', 'issued'],
  ['issued', 'void', 'voided'],
  ['issued', 'annul', 'annulled'],
  ['sent', 'edit_labels', 'sent'],
  ['sent', 'send', 'sent'],
  ['sent', 'pay_part', 'sent'],
  ['sent', 'pay_all', 'paid'],
  ['sent', 'become_overdue', 'overdue'],
  ['sent', 'reverse_payment', 'sent'],
  ['sent', 'void', 'voided'],
  ['sent', 'annul', 'annulled'],
  ['overdue', 'edit_labels', 'overdue'],
  ['overdue', 'send', 'overdue'],
  ['overdue', 'pay_part', 'overdue'],
  ['overdue', 'pay_all', 'paid'],
  ['overdue', 'reverse_payment', 'overdue'],
  ['overdue', 'void', 'voided'],
  ['overdue', 'annul', 'annulled'],
  ['paid', 'edit_labels', 'paid'],
  ['paid', 'send', 'paid'],
  // Reversal returns to sent, even if the invoice was never sent.
  ['paid', 'reverse_payment', 'sent'],
  ['paid', 'annul', 'annulled'],
  // Paid with money of an invoice that it replaced. A payment of its own refuses (rules/annulment.ts).
  ['paid', 'void', 'voided'],
  // Paid: something is due again. Overdue: nothing is now.
  ['paid', 'reopen', 'sent'],
  ['overdue', 'reopen', 'sent'],
  ['paid', 'pay_part', overpaid],
  ['paid', 'pay_all', overpaid],
  ['issued', 'correct_part', 'issued'],
  ['issued', 'correct_all', 'rectified'],
  ['issued', 'uncorrect', 'issued'],
  ['issued', 'substitute', 'substituted'],
  ['sent', 'correct_part', 'sent'],
  ['sent', 'correct_all', 'rectified'],
  ['sent', 'uncorrect', 'sent'],
  ['sent', 'substitute', 'substituted'],
  ['overdue', 'correct_part', 'overdue'],
  ['overdue', 'correct_all', 'rectified'],
  ['overdue', 'uncorrect', 'overdue'],
  ['overdue', 'substitute', 'substituted'],
  ['paid', 'correct_part', 'paid'],
  ['paid', 'correct_all', 'rectified'],
  ['paid', 'uncorrect', 'paid'],
  ['paid', 'substitute', 'substituted'],
  ['rectified', 'uncorrect', 'sent'],
  ['substituted', 'unsubstitute', 'sent'],
  // A reminder may come before the due day.
  ['issued', 'remind', 'issued'],
  ['sent', 'remind', 'sent'],
  ['overdue', 'remind', 'overdue'],
  ['paid', 'remind', overpaid],
  // What its correctives leave to the client's favour is given back.
  ['issued', 'refund', 'issued'],
  ['sent', 'refund', 'sent'],
  ['overdue', 'refund', 'overdue'],
  ['paid', 'refund', 'paid'],
  ['rectified', 'refund', 'rectified'],
  ['rectified', 'edit_labels', 'rectified'],
  ['rectified', 'reverse_payment', 'rectified'],
  ['substituted', 'edit_labels', 'substituted'],
  // A ticket's direct debit may be returned after its substitution; then the full invoice is due.
  ['substituted', 'reverse_payment', 'substituted'],
  ['voided', 'edit_labels', 'voided'],
  ['annulled', 'edit_labels', 'annulled'],
];

const moves: InvoiceMove[] = [
  'edit_content',
  'edit_labels',
  'delete',
  'issue',
  'send',
  'remind',
  'pay_part',
  'pay_all',
  'refund',
  'reverse_payment',
  'reopen',
  'become_overdue',
  'void',
  'annul',
  'correct_part',
  'correct_all',
  'uncorrect',
  'substitute',
  'unsubstitute',
];

for (const from of invoiceStatuses) {
  for (const move of moves) {
    const expected = allowed.find(([s, m]) => s === from && m === move)?.[2] ?? refused;
    test(`${move} on ${from} gives ${expected}`, () => {
      const attempt = () => invoiceStates.next(from, move);
      if (expected in invoiceStates.table) assert.equal(attempt(), expected);
      else assert.throws(attempt, { message: expected });
    });
  }
}

test('the table has just these states and moves', () => {
  assert.deepEqual(Object.keys(invoiceStates.table).sort(), [...invoiceStatuses].sort());
  for (const row of Object.values(invoiceStates.table))
    assert.deepEqual(Object.keys(row).sort(), [...moves].sort());
});
