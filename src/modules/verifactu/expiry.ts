/**
 * Warns once 30 and once 7 days before the company's certificate or representation ends. A warning is written down
 * with what it warns of, and told in the audit log; the configuration shows it.
 */
import { dayIn } from '../../kernel/dates.ts';
import type { AuditEntry, Ctx } from '../../kernel/operation.ts';
import { findCertificate, markCertificateWarned } from './certificates.store.ts';
import { findRepresentation, markRepresentationWarned } from './representations.store.ts';
import { warningDue } from './rules/expiry-warnings.ts';

type Where = Pick<Ctx, 'tx' | 'company' | 'now' | 'today'>;

/** Writes down the warnings that are due. @returns what is to be told of them */
export async function warnOfEnds({ tx, company, now, today }: Where): Promise<AuditEntry[]> {
  const { company_id, time_zone } = company;
  const [certificate, representation] = await Promise.all([
    findCertificate(tx, company_id),
    findRepresentation(tx, company_id),
  ]);
  const entries: AuditEntry[] = [];
  const told = (object: string, object_id: string, days: number, valid_until: string) =>
    entries.push({ action: `${object}.expiring`, object, object_id, details: { days, valid_until } });
  if (certificate) {
    const { id, valid_until, warned_days } = certificate;
    const last_day = dayIn(time_zone, valid_until);
    const days = warningDue(last_day, today, warned_days);
    if (days !== null) {
      await markCertificateWarned(tx, company_id, id, days, now);
      told('verifactu_certificate', id, days, last_day);
    }
  }
  if (representation && representation.revoked_at === null) {
    const { id, valid_until, warned_days } = representation;
    const days = warningDue(valid_until, today, warned_days);
    if (days !== null) {
      await markRepresentationWarned(tx, company_id, id, days, now);
      told('verifactu_representation', id, days, valid_until);
    }
  }
  return entries;
}
