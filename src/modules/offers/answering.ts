/** What the public page of an offer reads of it and does with it (`Ports.answers`). */
import { instantIn } from '../../kernel/dates.ts';
import { loadCompany } from '../../platform/company-context.ts';
import { findLastEmails, queueStatusOf } from '../emails/index.ts';
import { type Family, findDocument, statusOn } from '../sales/index.ts';
import { acceptOnPage, rejectOnPage } from './answer-on-page.ts';
import type { Acceptance, OfferRow } from './offer.fields.ts';
import type { AnswerPort, Answering, AnsweringPlace } from './ports.ts';

export function answersTo<R extends OfferRow>(family: Family<R>): AnswerPort {
  return {
    find: (at, company_id, id) => find(at, family, company_id, id),
    accept: acceptOnPage(family),
    reject: rejectOnPage(family),
  };
}

async function find<R extends OfferRow>(
  { tx, real_now, ports }: AnsweringPlace,
  family: Family<R>,
  company_id: string,
  id: string,
): Promise<Answering | undefined> {
  const [row, [receipt], { company, owner_company_id, today }] = await Promise.all([
    findDocument(tx, family, company_id, id),
    findLastEmails(tx, company_id, [id], 'acceptance_receipt'),
    loadCompany(tx, company_id, real_now),
  ]);
  if (!row) return undefined;
  const { environment, time_zone } = company;
  const { acceptance, content_version } = row;
  return {
    company: { company_id, environment, owner_company_id },
    today,
    version: content_version,
    is_open: company.public_acceptance && statusOn(family, row, today) === 'pending',
    acceptance: acceptance && shownAcceptance(acceptance, time_zone),
    taken: takenOnPage(row),
    has_receipt: acceptance?.channel === 'public_page' && ['queued', 'sent'].includes(receipt?.status ?? ''),
    sends_receipt: queueStatusOf({ company, ports }, { to: [], cc: [] }).status === 'queued',
  };
}

function takenOnPage({ acceptance, rejection }: OfferRow): Answering['taken'] {
  if (acceptance?.channel === 'public_page') {
    const { name, version } = acceptance;
    return { move: 'accept', name, version };
  }
  return rejection?.channel === 'public_page' ? { move: 'reject', reason: rejection.reason } : null;
}

function shownAcceptance({ name, accepted_at }: Acceptance, time_zone: string): Answering['acceptance'] {
  const at = instantIn(time_zone, new Date(accepted_at));
  return { name, day: at.slice(0, 10), time: at.slice(11, 16) };
}
