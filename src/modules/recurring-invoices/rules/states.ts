/** Each cell is the next state, or the error that refuses the move. A recurrence with nothing left after a run is `completed`. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineStates } from '../../../kernel/states.ts';
import { recurringErrors as e } from '../recurring-invoices.errors.ts';

export const recurringStatuses = ['active', 'paused', 'completed', 'cancelled'] as const;
export type RecurringStatus = (typeof recurringStatuses)[number];

export type RecurringMove =
  | 'edit_content'
  | 'edit_labels'
  | 'delete'
  | 'pause'
  | 'resume'
  | 'cancel'
  | 'emit'
  | 'run';

const no = c.invalid_status_transition;
const rule = c.business_rule_violation;

export const recurringStates = defineStates<RecurringStatus, RecurringMove>({
  active: {
    edit_content: 'active',
    edit_labels: 'active',
    delete: 'active',
    pause: 'paused',
    resume: e.recurring_invoice_already_active,
    cancel: 'cancelled',
    emit: 'active',
    run: 'active',
  },
  paused: {
    edit_content: 'paused',
    edit_labels: 'paused',
    delete: 'paused',
    pause: e.recurring_invoice_already_paused,
    resume: 'active',
    cancel: 'cancelled',
    emit: 'paused',
    run: no,
  },
  completed: {
    edit_content: no,
    edit_labels: 'completed',
    delete: 'completed',
    pause: rule,
    resume: e.recurring_invoice_completed_cannot_resume,
    cancel: no,
    emit: rule,
    run: no,
  },
  cancelled: {
    edit_content: no,
    edit_labels: 'cancelled',
    delete: 'cancelled',
    pause: rule,
    resume: e.recurring_invoice_cancelled_cannot_resume,
    cancel: no,
    emit: rule,
    run: no,
  },
});
