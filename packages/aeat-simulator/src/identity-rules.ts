/** The rules for what every record has. */
import { readDay } from './dates.ts';
import { hasNifForm } from './nif.ts';
import type { BillingRecord, Person } from './records.ts';
import type { Facts } from './rule.ts';

const HUELLA_LENGTH = 64;

export function judgeIdentity(record: BillingRecord, { taxpayer_nif }: Facts): number | null {
  const { invoice, previous, huella, stamp, system } = record;
  if (invoice.issuer !== taxpayer_nif) return 1108;
  const number_fault = judgeNumber(invoice.number);
  if (number_fault) return number_fault;
  if (!readDay(invoice.issued_on)) return 1105;
  if (!isStamp(stamp)) return 1244;
  const system_fault = judgeSystem(system);
  if (system_fault) return system_fault;
  if (huella.length !== HUELLA_LENGTH) return 1262;
  if (!/^[0-9A-Za-z]+$/.test(huella)) return 1292;
  if (!previous) return null;
  if (!readDay(previous.issued_on)) return 1174;
  if (previous.number === '' || judgeNumber(previous.number)) return 1175;
  return /^[0-9A-Za-z]*$/.test(previous.huella) ? null : 1291;
}

/** Printable ASCII without `" ' < > =`. */
export function judgeNumber(number: string): number | null {
  if (/["'<>=]/.test(number)) return 1287;
  return /^[\x20-\x7e]*$/.test(number) ? null : 1130;
}

/** With Z or an offset that some country uses, without fractions of a second. */
function isStamp(stamp: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-](0\d|1[0-4]):(00|30|45))$/.test(stamp);
}

function judgeSystem({ nif, id_type, system_id }: Person & { system_id: string }): number | null {
  if (!/^[A-Z0-9]{2}$/.test(system_id)) return 1177;
  if (nif !== undefined && !hasNifForm(nif)) return 1176;
  return id_type === '07' ? 1221 : null;
}
