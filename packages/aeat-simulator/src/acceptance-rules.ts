/** The errors of records that are accepted all the same. */
import { absolute, sum } from './decimals.ts';
import { huellaOf } from './huella.ts';
import type { Alta, BillingRecord } from './records.ts';
import { hasLenientIpsiFault } from './regime-rules.ts';
import { type Facts, firstOf } from './rule.ts';

/** As measured on the authority's test service. */
const STAMP_AHEAD_MS = 240_000;
const TOLERANCE = 10_00n;
/** Regime keys whose totals follow other rules. */
const without_totals = ['03', '05', '06', '08', '09'];

/** @param is_system_known it has records of the taxpayer's installation */
export function judgeAcceptance(
  record: BillingRecord,
  { now, today }: Facts,
  is_system_known: boolean,
): number | null {
  return firstOf(
    () => (record.huella === record.previous?.huella ? 2008 : null),
    () => (record.huella === huellaOf(record) ? null : 2000),
    () => (Date.parse(record.stamp) > now.getTime() + STAMP_AHEAD_MS ? 2004 : null),
    () => (record.operation === 'Alta' ? judgeTotals(record) : null),
    () => judgePreviousHuella(record),
    () => (record.previous === undefined && is_system_known ? 2007 : null),
    () =>
      record.operation === 'Alta' && record.details.some((d) => hasLenientIpsiFault(d, today)) ? 2009 : null,
  );
}

function judgeTotals({ details, tax_total, total }: Alta): number | null {
  if (details.some(({ regime }) => without_totals.includes(regime ?? ''))) return null;
  const taxes = sum(details.flatMap(({ quota, surcharge }) => [quota, surcharge]));
  if (absolute(tax_total - taxes) > TOLERANCE) return 2006;
  return absolute(total - taxes - sum(details.map(({ base }) => base))) > TOLERANCE ? 2005 : null;
}

/** The authority checks only the form. */
function judgePreviousHuella({ previous }: BillingRecord): number | null {
  if (!previous) return null;
  if (previous.huella.length !== 64) return 2002;
  return /^[0-9A-F]+$/.test(previous.huella) ? null : 2003;
}
