import { commonErrors as c } from '../../kernel/common.errors.ts';
import { addDays } from '../../kernel/dates.ts';
import { fail } from '../../kernel/problem.ts';

/**
 * The day asked for, else by the terms. @throws 422 business_rule_violation when before the issue
 */
export function dueDay(asked: string | null, issued_on: string, terms_days: number | null): string | null {
  const due_on = asked ?? (terms_days === null ? null : addDays(issued_on, terms_days));
  if (due_on !== null && due_on < issued_on) {
    throw fail(c.business_rule_violation, {
      param: 'due_on',
      values: { reason: 'el vencimiento no puede ser anterior a la expedición.' },
    });
  }
  return due_on;
}
