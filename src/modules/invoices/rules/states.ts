/**
 * Each cell is the next state, or the error that refuses the move. Operations, dry runs, documentation and tests read this table.
 * After the issue only metadata, tags and custom fields change (docs/conventions.md).
 */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineStates } from '../../../kernel/states.ts';

export const invoiceStatuses = [
  'draft',
  'issued',
  'sent',
  'paid',
  'overdue',
  'rectified',
  'substituted',
  'voided',
  'annulled',
] as const;
export type InvoiceStatus = (typeof invoiceStatuses)[number];

export type InvoiceMove =
  | 'edit_content'
  | 'edit_labels'
  | 'delete'
  | 'issue'
  | 'send'
  | 'remind'
  | 'pay_part'
  | 'pay_all'
  | 'refund'
  | 'reverse_payment'
  | 'reopen'
  | 'become_overdue'
  | 'void'
  | 'annul'
  | 'correct_part'
  | 'correct_all'
  | 'uncorrect'
  | 'substitute'
  | 'unsubstitute';

const no = c.invalid_status_transition;
/** Nothing is left to pay, so the amount is wrong and not the move. */
const overpaid = c.business_rule_violation;

export const invoiceStates = defineStates<InvoiceStatus, InvoiceMove>({
  draft: {
    edit_content: 'draft',
    edit_labels: 'draft',
    delete: 'draft',
    issue: 'issued',
    send: 'sent',
    remind: no,
    pay_part: no,
    pay_all: no,
    refund: no,
    become_overdue: no,
    reverse_payment: no,
    reopen: no,
    void: no,
    annul: no,
    correct_part: no,
    correct_all: no,
    uncorrect: no,
    substitute: no,
    unsubstitute: no,
  },
  issued: {
    edit_content: no,
    edit_labels: 'issued',
    delete: no,
    issue: no,
    send: 'sent',
    remind: 'issued',
    pay_part: 'issued',
    pay_all: 'paid',
    refund: 'issued',
    become_overdue: 'overdue',
    reverse_payment: 'issued',
    reopen: no,
    void: 'voided',
    annul: 'annulled',
    correct_part: 'issued',
    correct_all: 'rectified',
    uncorrect: 'issued',
    substitute: 'substituted',
    unsubstitute: no,
  },
  sent: {
    edit_content: no,
    edit_labels: 'sent',
    delete: no,
    issue: no,
    send: 'sent',
    remind: 'sent',
    pay_part: 'sent',
    pay_all: 'paid',
    refund: 'sent',
    become_overdue: 'overdue',
    reverse_payment: 'sent',
    reopen: no,
    void: 'voided',
    annul: 'annulled',
    correct_part: 'sent',
    correct_all: 'rectified',
    uncorrect: 'sent',
    substitute: 'substituted',
    unsubstitute: no,
  },
  overdue: {
    edit_content: no,
    edit_labels: 'overdue',
    delete: no,
    issue: no,
    send: 'overdue',
    remind: 'overdue',
    pay_part: 'overdue',
    pay_all: 'paid',
    refund: 'overdue',
    become_overdue: no,
    reverse_payment: 'overdue',
    reopen: 'sent',
    void: 'voided',
    annul: 'annulled',
    correct_part: 'overdue',
    correct_all: 'rectified',
    uncorrect: 'overdue',
    substitute: 'substituted',
    unsubstitute: no,
  },
  paid: {
    edit_content: no,
    edit_labels: 'paid',
    delete: no,
    issue: no,
    send: 'paid',
    remind: overpaid,
    pay_part: overpaid,
    pay_all: overpaid,
    refund: 'paid',
    become_overdue: no,
    reverse_payment: 'sent',
    reopen: 'sent',
    // Payments of a replaced invoice may have paid it. A payment of its own refuses the move.
    void: 'voided',
    annul: 'annulled',
    correct_part: 'paid',
    correct_all: 'rectified',
    uncorrect: 'paid',
    substitute: 'substituted',
    unsubstitute: no,
  },
  rectified: {
    edit_content: no,
    edit_labels: 'rectified',
    delete: no,
    issue: no,
    send: no,
    remind: no,
    pay_part: no,
    pay_all: no,
    refund: 'rectified',
    become_overdue: no,
    reverse_payment: 'rectified',
    reopen: no,
    void: no,
    annul: no,
    correct_part: no,
    correct_all: no,
    uncorrect: 'sent',
    substitute: no,
    unsubstitute: no,
  },
  substituted: {
    edit_content: no,
    edit_labels: 'substituted',
    delete: no,
    issue: no,
    send: no,
    remind: no,
    pay_part: no,
    pay_all: no,
    refund: no,
    become_overdue: no,
    reverse_payment: 'substituted',
    reopen: no,
    void: no,
    annul: no,
    correct_part: no,
    correct_all: no,
    uncorrect: no,
    substitute: no,
    unsubstitute: 'sent',
  },
  voided: {
    edit_content: no,
    edit_labels: 'voided',
    delete: no,
    issue: no,
    send: no,
    remind: no,
    pay_part: no,
    pay_all: no,
    refund: no,
    become_overdue: no,
    reverse_payment: no,
    reopen: no,
    void: no,
    annul: no,
    correct_part: no,
    correct_all: no,
    uncorrect: no,
    substitute: no,
    unsubstitute: no,
  },
  annulled: {
    edit_content: no,
    edit_labels: 'annulled',
    delete: no,
    issue: no,
    send: no,
    remind: no,
    pay_part: no,
    pay_all: no,
    refund: no,
    become_overdue: no,
    reverse_payment: no,
    reopen: no,
    void: no,
    annul: no,
    correct_part: no,
    correct_all: no,
    uncorrect: no,
    substitute: no,
    unsubstitute: no,
  },
});
