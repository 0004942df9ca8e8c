/** What is printed of a document. A numbered one has its own copies; a draft shows company and client as they are now. */
import { contactLinks } from '../../domain/printing/contact-links.ts';
import { linkLife } from '../../domain/printing/link-life.ts';
import type { PrintedIssuer } from '../../domain/printing/print-source.ts';
import type { DocumentRow } from '../../domain/sales/rows.ts';
import type { Tx } from '../../kernel/operation.ts';
import { giveWayNow } from '../../platform/give-way.ts';
import { findLogo, findPrintingIssuer } from '../companies/index.ts';
import type { DocumentSource, PageWish, Printable } from '../pdfs/index.ts';
import { findBundle } from './documents.store.ts';
import { type Family, paperKindOf } from './family.ts';

/** Reading so many lines, printing them into texts and naming the texts are each a turn's work. */
export const longLines = 100;

/** @throws Error for a family without paper */
export function documentSource<R extends DocumentRow, E extends object>(
  family: Family<R, E>,
): DocumentSource {
  const { paper } = family;
  if (paper === null) throw new Error(`A ${family.object} is not printed.`);
  return {
    async find(
      tx: Tx,
      company_id: string,
      id: string,
      { today, language }: PageWish = {},
    ): Promise<Printable | undefined> {
      const [found, company] = await Promise.all([
        findBundle(tx, family, company_id, id),
        findPrintingIssuer(tx, company_id),
      ]);
      if (!found || !company) return undefined;
      const bundle = paper.complete ? await paper.complete(tx, company_id, found) : found;
      if (bundle.lines.length > longLines) await giveWayNow();
      const row = bundle.document;
      const issuer = (row.issuer_snapshot ?? company) as PrintedIssuer &
        Pick<typeof company, 'language' | 'logo_hash'>;
      const logo = issuer.logo_hash ? await findLogo(tx, company_id, issuer.logo_hash) : undefined;
      const { environment } = company;
      const setting = { issuer, environment, logo: logo ?? null, language: language ?? issuer.language };
      const document = paper.print({ bundle, ...setting });
      return {
        ref: { company_id, kind: paperKindOf(family), id },
        document,
        logo_hash: document.logo && issuer.logo_hash,
        is_draft: row.status === 'draft',
        ...(paper.isPersonal?.(bundle) ? { is_personal: true } : {}),
        link: lifeOf(row, company.public_link_months),
        is_withdrawn: paper.isWithdrawn(row),
        standing: paper.standing?.(bundle, setting, today) ?? null,
        contact_links: contactLinks(issuer),
        // A test moves no money.
        transfer: environment === 'live' ? (paper.transfer?.(bundle, issuer) ?? null) : null,
      };
    },
  };
}

/** A day of issue may be dated back, and only invoices keep the instant. */
function lifeOf(row: DocumentRow & { issued_at?: Date | string | null }, months: number | null) {
  const { link_renewed_at, issued_on, issued_at, created_at } = row;
  const renewed_at = link_renewed_at === null ? null : new Date(link_renewed_at);
  const begun = [issued_on, issued_at ?? created_at].map((at) => new Date(at ?? 0).getTime());
  return linkLife(renewed_at, new Date(Math.max(...begun)), months);
}
