import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { fail } from '../../../kernel/problem.ts';

/**
 * Dates never run backwards within a series whose numbers are fiscal.
 * @throws 422 business_rule_violation for a day before the series' last one
 */
export function checkSeriesDay(
  numbering: { issued_on: string; series: { code: string } },
  last_issued_on: string | null,
): void {
  if (last_issued_on === null || numbering.issued_on >= last_issued_on) return;
  const reason = `la serie ${numbering.series.code} ya tiene una factura del ${last_issued_on}, y las fechas no pueden retroceder.`;
  throw fail(c.business_rule_violation, { param: 'issued_on', values: { reason } });
}
