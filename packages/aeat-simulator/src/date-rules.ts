import { readDay, yearsFrom } from './dates.ts';
import type { Alta } from './records.ts';
import type { Facts } from './rule.ts';

/** The regulation's first day. */
const FIRST_DAY = '2024-10-28';

export function judgeDates(alta: Alta, { today }: Facts): number | null {
  const issued = readDay(alta.invoice.issued_on) ?? '';
  if (issued < FIRST_DAY) return 1152;
  if (issued > today) return 1112;
  if (issued < yearsFrom(today, -20)) return 1133;
  if (alta.operated_on === undefined) return null;
  const operated = readDay(alta.operated_on);
  if (!operated) return 1145;
  if (operated < yearsFrom(today, -20)) return 1134;
  if (operated > `${Number(today.slice(0, 4)) + 1}-12-31`) return 1125;
  if (alta.details.every(isNotYetDue)) return null;
  if (operated > today) return 1173;
  return operated > issued ? 1146 : null;
}

/** The VAT of certified works and successive supplies falls due later. */
function isNotYetDue({ regime, tax }: { regime: string | undefined; tax: string }): boolean {
  return (regime === '14' || regime === '15') && (tax === '01' || tax === '03');
}
