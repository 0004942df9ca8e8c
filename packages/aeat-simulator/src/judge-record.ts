/** The first error counts. */
import { judgeAnnulment } from './annulment-rules.ts';
import { judgeBreakdown } from './breakdown-rules.ts';
import { judgeDates } from './date-rules.ts';
import { judgeIdentity } from './identity-rules.ts';
import { judgePersons } from './person-rules.ts';
import type { BillingRecord } from './records.ts';
import { type Facts, firstOf } from './rule.ts';
import { judgeType } from './type-rules.ts';

export function judgeRecord(record: BillingRecord, facts: Facts): number | null {
  if (record.operation === 'Anulacion') {
    return firstOf(
      () => judgeIdentity(record, facts),
      () => judgeAnnulment(record, facts),
    );
  }
  return firstOf(
    () => judgeIdentity(record, facts),
    () => judgeDates(record, facts),
    () => judgeType(record, facts),
    () => judgePersons(record),
    () => judgeBreakdown(record, facts),
  );
}
