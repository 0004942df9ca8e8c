/**
 * What is printed of an invoice: issued, from what was copied into it at its issue; a draft, from its company and client
 * as they are now.
 */
import type { Tx } from '../../kernel/operation.ts';
import { findLogo, findPrintingIssuer } from '../companies/index.ts';
import type { DocumentSource, Printable } from '../pdfs/index.ts';
import { findBundle } from './invoices.store.ts';
import { type PrintedIssuer, printInvoice } from './rules/printed-invoice.ts';
import { standingOf } from './rules/standing.ts';

export const invoiceDocument: DocumentSource = {
  async find(tx: Tx, company_id: string, id: string): Promise<Printable | undefined> {
    const [bundle, company] = await Promise.all([
      findBundle(tx, company_id, id),
      findPrintingIssuer(tx, company_id),
    ]);
    if (!bundle || !company) return undefined;
    const { invoice } = bundle;
    const issuer = (invoice.issuer_snapshot ?? company) as PrintedIssuer &
      Pick<typeof company, 'language' | 'logo_hash'>;
    const logo = issuer.logo_hash ? await findLogo(tx, company_id, issuer.logo_hash) : undefined;
    const document = printInvoice({
      bundle,
      issuer,
      environment: company.environment,
      record: invoice.record ?? null,
      logo: logo ?? null,
      language: issuer.language,
    });
    return {
      ref: { company_id, kind: 'invoice', id },
      document,
      logo_hash: document.logo && issuer.logo_hash,
      is_draft: invoice.status === 'draft',
      is_withdrawn: invoice.status === 'annulled' || invoice.status === 'voided',
      standing: standingOf(bundle, document),
    };
  },
};
