/** The rules of each regime key for its line and invoice. */
import { readDay } from './dates.ts';
import type { Alta, Detail } from './records.ts';
import type { Facts } from './rule.ts';

/** `05` has none. */
const keys: Record<string, readonly string[]> = {
  '01': '01 02 03 04 05 06 07 08 09 10 11 14 15 17 18 19 20'.split(' '),
  '02': '01 08 11 18 19 20'.split(' '),
  '03': '01 02 03 04 05 06 07 08 09 10 11 14 15 17 18 19 20 21'.split(' '),
};

/** From this day a missing or wrong key with IPSI refuses the record. Before, it is an accepted error. */
const IPSI_STRICT_FROM = '2027-01-01';

export function hasLenientIpsiFault({ tax, regime }: Detail, today: string): boolean {
  return tax === '02' && today < IPSI_STRICT_FROM && !keys['02']?.includes(regime ?? '');
}

export function judgeRegime(alta: Alta, detail: Detail, { today }: Facts): number | null {
  const { tax, regime, cost_base } = detail;
  if (tax === '05' && regime !== undefined) return 1260;
  if (tax !== '05' && !hasLenientIpsiFault(detail, today)) {
    if (regime === undefined) return 1245;
    if (!keys[tax]?.includes(regime)) return 1246;
  }
  if (cost_base !== undefined && regime !== '06' && tax !== '02' && tax !== '05') return 1257;
  return tax === '01' || tax === '03' ? (rules[regime ?? '']?.(alta, detail) ?? null) : null;
}

const rules: Record<string, (alta: Alta, detail: Detail) => number | null> = {
  '01': (_, { exemption }) => (exemption === 'E2' || exemption === 'E3' ? 1199 : null),
  '02': (_, { exemption }) => (exemption === undefined ? 1286 : null),
  '03': (_, { qualification }) => (qualification !== undefined && qualification !== 'S1' ? 1200 : null),
  '04': (_, { qualification }) => (qualification !== undefined && qualification !== 'S2' ? 1201 : null),
  '06': ({ type }, { cost_base }) =>
    ['F2', 'F3', 'R5'].includes(type) || cost_base === undefined ? 1202 : null,
  '07': (_, { qualification, exemption }) =>
    ['S2', 'N1', 'N2'].includes(qualification ?? '') || /^E[2-5]$/.test(exemption ?? '') ? 1203 : null,
  '08': (_, { qualification }) => (qualification === 'N2' ? null : 1252),
  '10': ({ type, recipients }, { qualification }) =>
    qualification === 'N1' && type === 'F1' && recipients?.every(({ nif }) => nif !== undefined)
      ? null
      : 1205,
  '11': (_, { tax, rate }) => (tax === '01' && rate !== 21_00n ? 1206 : null),
  '14': (alta) => judgeWorksCertificate(alta),
  '20': (_, { tax, qualification }) => (tax === '03' && qualification !== 'N2' ? 1293 : null),
};

/** Certified works: VAT falls due later, and recipients are public bodies (P, Q, S, V). */
function judgeWorksCertificate({ type, invoice, operated_on, recipients }: Alta): number | null {
  const issued = readDay(invoice.issued_on) ?? '';
  const operated = operated_on === undefined ? undefined : readDay(operated_on);
  if (operated === undefined || operated <= issued) return 1147;
  if (!['F1', 'R1', 'R2', 'R3', 'R4'].includes(type)) return 1148;
  return recipients?.every(({ nif }) => nif !== undefined && /^[PQSV]/.test(nif)) ? null : 1149;
}
