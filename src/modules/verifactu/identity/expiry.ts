/** Warns before a certificate or representation ends: in the configuration, by e-mail, in the audit log. */
import { dayText } from '../../../domain/printing/days.ts';
import { dayIn } from '../../../kernel/dates.ts';
import type { AuditEntry, Ctx } from '../../../kernel/operation.ts';
import { getIssuer } from '../../companies/index.ts';
import { composeEmail, expiryEmail, queueEmail } from '../../emails/index.ts';
import { findCertificate, markCertificateWarned } from './certificates.store.ts';
import { findRepresentation, markRepresentationWarned } from './representations.store.ts';
import { warningDays, warningDue } from './rules/expiry-warnings.ts';

type WarningCtx = Pick<Ctx, 'tx' | 'company' | 'now' | 'today' | 'ports' | 'enqueue'>;

type Ending = {
  what: 'certificate' | 'representation';
  id: string;
  valid_until: string;
  days: (typeof warningDays)[number];
};

/** Warnings of today that were not given yet. */
export async function findWarnings({
  tx,
  company,
  today,
}: Pick<WarningCtx, 'tx' | 'company' | 'today'>): Promise<Ending[]> {
  const { company_id, time_zone } = company;
  const [certificate, representation] = await Promise.all([
    findCertificate(tx, company_id),
    findRepresentation(tx, company_id),
  ]);
  const endings: Ending[] = [];
  if (certificate) {
    const { id, warned_days } = certificate;
    const valid_until = dayIn(time_zone, certificate.valid_until);
    const days = warningDue(valid_until, today, warned_days);
    if (days !== null) endings.push({ what: 'certificate', id, valid_until, days });
  }
  if (representation && representation.revoked_at === null) {
    const { id, valid_until, warned_days } = representation;
    const days = warningDue(valid_until, today, warned_days);
    if (days !== null) endings.push({ what: 'representation', id, valid_until, days });
  }
  return endings;
}

const marks = { certificate: markCertificateWarned, representation: markRepresentationWarned };

/** Leaves out what another transaction has warned of meanwhile. */
export async function giveWarnings(ctx: WarningCtx, endings: readonly Ending[]): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = [];
  for (const ending of endings) {
    const { what, id, days } = ending;
    if (await marks[what](ctx.tx, ctx.company.company_id, id, days, ctx.now))
      entries.push(await giveWarning(ctx, ending));
  }
  return entries;
}

export const warnOfEnds = async (ctx: WarningCtx): Promise<AuditEntry[]> =>
  giveWarnings(ctx, await findWarnings(ctx));

async function giveWarning(ctx: WarningCtx, { what, id, valid_until, days }: Ending): Promise<AuditEntry> {
  const email_id = await emailWarning(ctx, { what, id, valid_until, days });
  const object = `verifactu_${what}`;
  return { action: `${object}.expiring`, object, object_id: id, details: { days, valid_until, email_id } };
}

async function emailWarning(ctx: WarningCtx, { what, valid_until, days }: Ending): Promise<string | null> {
  const { tx, company, ports } = ctx;
  const reader = await getIssuer(tx, company.company_id);
  if (reader.email === null) return null;
  const { language, tax_id } = reader;
  const facts = {
    object: what,
    company_name: reader.name ?? tax_id,
    company_tax_id: tax_id,
    last_day: dayText(valid_until, language),
    is_last_warning: days === Math.min(...warningDays),
  };
  const sender = {
    name: ports.system.name,
    commercial_name: null,
    tax_id: '',
    email: null,
    phone: null,
    website: null,
    colour: null,
    language,
  };
  const { id } = await queueEmail(ctx, {
    purpose: `${what}_expiry`,
    document: null,
    ...composeEmail(expiryEmail(facts, language), sender, company.environment),
    to: [reader.email],
    cc: [],
    attachments: [],
  });
  return id;
}
