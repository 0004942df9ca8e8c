/**
 * Keeps series apart by who issues (RD 1619/2012, art. 6.1.a): the issuer, each recipient and each third party. The first number
 * binds a series. Until then, a default series belongs to the company.
 */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { fail } from '../../../kernel/problem.ts';
import type { InvoiceRow } from '../invoices.rows.ts';

const by_issuer = 'issuer';

/** A recipient by its contact, a third party by its tax id. */
export function issuerKey(
  invoice: Pick<InvoiceRow, 'issued_by' | 'client_id'> & { third_party: { tax_id: string } | null },
): string {
  switch (invoice.issued_by) {
    case 'issuer':
      return by_issuer;
    case 'recipient':
      return `recipient ${invoice.client_id ?? ''}`;
    case 'third_party':
      return `third_party ${invoice.third_party?.tax_id ?? ''}`;
  }
}

/**
 * @param bound who issues in the series; null while it has no number
 * @throws 422 business_rule_violation, `param` series_id
 */
export function checkSeriesIssuer(
  numbering: { issued_by: string; series: { code: string; is_default: boolean } },
  bound: string | null,
): void {
  const { series, issued_by } = numbering;
  const owner = bound ?? (series.is_default ? by_issuer : issued_by);
  if (owner === issued_by) return;
  const whose =
    owner === by_issuer ? 'las que expide el emisor' : 'las que expide otro destinatario o tercero';
  const reason = `la serie ${series.code} es de ${whose}, y cada destinatario o tercero que expide necesita una propia.`;
  throw fail(c.business_rule_violation, { param: 'series_id', values: { reason } });
}
