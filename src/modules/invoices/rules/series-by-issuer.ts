/**
 * Keeps series apart by who issues (RD 1619/2012, art. 6.1.a): the issuer, each recipient and each third party; and by whether a
 * travel agency invoices for carriers (key 09; fourth additional provision). The first number binds a series. Until then, a
 * default series belongs to the company.
 */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { fail } from '../../../kernel/problem.ts';
import type { TaxRow } from '../../../domain/sales/rows.ts';
import type { InvoiceRow } from '../invoices.rows.ts';

const by_issuer = 'issuer';

const mediating = ' mediating';

type Taxed = Pick<TaxRow, 'tax_kind' | 'regime_key'>;

const isMediation = ({ tax_kind, regime_key }: Taxed) =>
  regime_key === '09' && (tax_kind === 'vat' || tax_kind === 'igic');

type Issued = Pick<InvoiceRow, 'issued_by' | 'client_id'> & { third_party: { tax_id: string } | null };

/** A recipient by its contact, a third party by its tax id. */
export function issuerKey(invoice: Issued, tax_rows: readonly Taxed[] = []): string {
  return tax_rows.some(isMediation) ? whoIssues(invoice) + mediating : whoIssues(invoice);
}

function whoIssues(invoice: Issued): string {
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
  throw fail(c.business_rule_violation, {
    param: 'series_id',
    values: { reason: reasonOf(series.code, owner, issued_by) },
  });
}

function reasonOf(code: string, owner: string, issued_by: string): string {
  const is_mediation = issued_by.endsWith(mediating);
  if (is_mediation !== owner.endsWith(mediating))
    return is_mediation
      ? `las facturas de la clave 09 (agencias de viaje mediadoras) van en una serie propia, y la serie ${code} es de otras.`
      : `la serie ${code} es de las facturas de la clave 09 (agencias de viaje mediadoras).`;
  const whose =
    owner.split(' ')[0] === by_issuer
      ? 'las que expide el emisor'
      : 'las que expide otro destinatario o tercero';
  return `la serie ${code} es de ${whose}, y cada destinatario o tercero que expide necesita una propia.`;
}
