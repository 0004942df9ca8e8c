/** VAT rates and surcharges by the day of the operation. IGIC and IPSI are not checked. */
import { readDay } from './dates.ts';
import type { Alta, Detail } from './records.ts';

const rates = [0n, 2_00n, 4_00n, 5_00n, 7_50n, 10_00n, 21_00n];
const surcharges = [0n, 26n, 50n, 62n, 1_00n, 1_40n, 1_75n, 5_20n];

export function judgeRates(alta: Alta, { tax, qualification, rate, surcharge_rate }: Detail): number | null {
  if (tax !== '01' || qualification !== 'S1' || rate === undefined) return null;
  const on = readDay(alta.operated_on ?? alta.invoice.issued_on) ?? '';
  if (!rates.includes(rate)) return 1124;
  if (rate === 5_00n && !within(on, '2022-07-01', '2024-09-30')) return 1194;
  if (rate === 2_00n && !isAutumn2024(on)) return 1235;
  if (rate === 7_50n && !isAutumn2024(on)) return 1236;
  return surcharge_rate === undefined ? null : judgeSurcharge(rate, surcharge_rate, on);
}

function judgeSurcharge(rate: bigint, surcharge: bigint, on: string): number | null {
  if (!surcharges.includes(surcharge)) return 1127;
  switch (rate) {
    case 21_00n:
      return surcharge === 5_20n || surcharge === 1_75n ? null : 1162;
    case 10_00n:
      return surcharge === 1_40n ? null : 1163;
    case 7_50n:
      return surcharge === 1_00n ? null : 1169;
    case 5_00n:
      if (surcharge === 50n) return within(on, '2022-07-01', '2022-12-31') ? null : 1167;
      if (surcharge === 62n) return within(on, '2023-01-01', '2024-09-30') ? null : 1168;
      return 1160;
    case 4_00n:
      return surcharge === 50n ? null : 1164;
    case 2_00n:
      return surcharge === 26n ? null : 1166;
    default:
      // From October 2024 the rule's text and its error list disagree. The list decides.
      if (on >= '2024-10-01') return surcharge === 26n ? null : 1170;
      return surcharge === 0n && within(on, '2023-01-01', '2024-09-30') ? null : 1165;
  }
}

const within = (day: string, from: string, to: string) => day >= from && day <= to;
const isAutumn2024 = (day: string) => within(day, '2024-10-01', '2024-12-31');
