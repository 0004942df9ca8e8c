/** The rules for persons: recipients, foreign identifications, EU VAT numbers. */
import { readDay } from './dates.ts';
import { hasNifForm, isNif, isPersonNif, vatCountry, vatPrefix } from './nif.ts';
import type { Alta, Person } from './records.ts';
import { firstOf } from './rule.ts';

export function judgePersons(alta: Alta): number | null {
  const needs_recipient = !['F2', 'R5'].includes(alta.type);
  if (needs_recipient && !alta.recipients) return 1189;
  if (!needs_recipient && alta.recipients) return 1190;
  const on = readDay(alta.operated_on ?? alta.invoice.issued_on) ?? '';
  for (const person of alta.recipients ?? []) {
    const code = firstOf(
      () => judgeKind(alta.type, person),
      () => judgeIdentification(person, on),
    );
    if (code) return code;
  }
  return alta.third_party ? judgeIdentification(alta.third_party, on) : null;
}

function judgeKind(type: string, { nif, id_type }: Person): number | null {
  if (nif !== undefined) return null;
  if (type === 'R3' && id_type !== '07') return 1191;
  return type === 'R2' && id_type !== '07' && id_type !== '02' ? 1192 : null;
}

/** @param on the day of the operation */
export function judgeIdentification({ nif, country, id_type, id }: Person, on: string): number | null {
  if (nif !== undefined) return isNif(nif) ? null : 1123;
  if (id_type !== '02' && country === undefined) return 1111;
  if (country === 'ES' && id_type !== '03' && id_type !== '07') return 1126;
  if (id_type === '07') {
    if (country !== 'ES') return 1126;
    if (!hasNifForm(id ?? '')) return 1290;
    return isPersonNif(id ?? '') ? null : 1131;
  }
  if (id === undefined || id.trim() === '') return 1103;
  return id_type === '02' ? judgeVatNumber(id, country, on) : null;
}

/** GB counted until January 2021, when XI began. */
function judgeVatNumber(id: string, country: string | undefined, on: string): number | null {
  const prefix = vatPrefix(id);
  if (prefix === undefined) return 1103;
  if (country !== undefined && vatCountry(prefix) !== country) return 1122;
  if (prefix === 'XI' && on < '2021-01-01') return 1254;
  return prefix === 'GB' && on >= '2021-02-01' ? 1255 : null;
}
