/** Until when an offer can be accepted. The day is the company's, and the last one counts whole. */
import { addDays } from '../../../kernel/dates.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { fail } from '../../../kernel/problem.ts';
import { refuseFuture } from '../../sales/index.ts';

export type Validity = { valid_until: string | null; is_valid_until_stated: boolean };

export function defaultValidity(from: string, days: number): Validity {
  return { valid_until: addDays(from, days), is_valid_until_stated: false };
}

type Days = { issued_on: string | null } & Validity;

/**
 * An end that nobody stated follows the day of issue.
 * @param sent undefined keeps what is stored; null: without end
 */
export function editedValidity(
  stored: Days | null,
  sent: string | null | undefined,
  issued_on: string | null,
  { today, days }: { today: string; days: number },
): Validity {
  if (sent !== undefined && sent !== stored?.valid_until)
    return { valid_until: sent, is_valid_until_stated: true };
  if (stored && (stored.is_valid_until_stated || stored.issued_on === issued_on)) {
    const { valid_until, is_valid_until_stated } = stored;
    return { valid_until, is_valid_until_stated };
  }
  return defaultValidity(issued_on ?? today, days);
}

/** @throws 422 business_rule_violation for a day of issue to come, or an end before it */
export function checkDays(
  { issued_on, valid_until }: { issued_on: string | null; valid_until: string | null },
  today: string,
): void {
  refuseFuture(issued_on, today);
  if (valid_until === null || valid_until >= (issued_on ?? today)) return;
  const reason = 'la validez no puede terminar antes de la fecha del documento.';
  throw fail(c.business_rule_violation, { param: 'valid_until', values: { reason } });
}

/**
 * The end of an offer that takes its number. An end that was stored stands from now on.
 * @param asked undefined takes the stored one
 */
export function numberedValidity(
  { issued_on, valid_until, is_valid_until_stated }: Days,
  asked: string | null | undefined,
  { today, days }: { today: string; days: number },
): Validity {
  const own = is_valid_until_stated ? valid_until : addDays(issued_on ?? today, days);
  return { valid_until: asked === undefined ? own : asked, is_valid_until_stated: true };
}

export function hasEnded(valid_until: string | null, today: string): boolean {
  return valid_until !== null && valid_until < today;
}
