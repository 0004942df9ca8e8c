/** Reads, in one pipeline, what an invoice refers to: client, products, taxes, series, the issuer's data. */
import type { LineFacts, LineInput } from '../../../domain/sales/lines.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import type { Ctx } from '../../../kernel/operation.ts';
import { fail, type Problem } from '../../../kernel/problem.ts';
import type { DocumentKind } from '../../../domain/sales/default-series.ts';
import { Reasons } from '../../../kernel/reasons.ts';
import { type CompanyRow, getCompany } from '../../companies/index.ts';
import { type DocumentClient, findDocumentClient } from '../../contacts/index.ts';
import { findLineProducts } from '../../products/index.ts';
import { findDefaultSeries, findSeries, type SeriesForNumbering } from '../../series/index.ts';
import { findLineTaxes } from '../../taxes/index.ts';
import { type InvoiceType, seriesKindOf } from '../rules/invoice-types.ts';

export type Wanted = {
  type: InvoiceType;
  client_id: string | null;
  series_id: string | null;
  lines: readonly LineInput[];
  /** The stored series or client are not validated again when an edit leaves them (rule 6). */
  stored?: { client_id: string | null; series_id: string | null; product_ids: ReadonlySet<string> };
  needs_issuer: boolean;
};

export type InvoiceFacts = {
  client: DocumentClient | null;
  /** A client was named that is none: a dry run does not ask for one besides. */
  has_client_fault: boolean;
  series: SeriesForNumbering;
  issuer: CompanyRow | null;
  lineFacts(on_date: string): LineFacts;
};

function unknownReference(param: string, message: string): Problem {
  return fail(c.parameter_invalid, { param, errors: [{ param, code: 'parameter_invalid', message }] });
}

export function seriesRefusal(reason: string): Problem {
  return fail(c.business_rule_violation, { param: 'series_id', values: { reason } });
}

function checkSeries(series: SeriesForNumbering | undefined, wanted: Wanted, kind: DocumentKind): SeriesForNumbering {
  if (!series) {
    if (wanted.series_id !== null) throw unknownReference('series_id', 'La serie no existe.');
    throw seriesRefusal('la empresa no tiene serie por omisión para este tipo.');
  }
  if (series.document_type !== kind) throw seriesRefusal('la serie es de otro tipo de documento.');
  if (series.is_archived && wanted.stored?.series_id !== series.id) throw seriesRefusal('la serie está archivada.');
  return series;
}

/**
 * @throws 422 parameter_invalid for a client, series, product or tax that is not the company's (an unknown id
 *   and another company's answer alike), business_rule_violation for a series of another kind or archived
 */
export async function loadFacts(ctx: Ctx, wanted: Wanted, reasons = new Reasons()): Promise<InvoiceFacts> {
  const { tx, company, version } = ctx;
  const { company_id } = company;
  const ids = (pick: (line: LineInput) => string | null | undefined) => [...new Set(wanted.lines.flatMap((l) => pick(l) ?? []))];
  const product_ids = ids((l) => l.product_id);
  const tax_ids = ids((l) => l.taxes_id);
  const kind = seriesKindOf(wanted.type);
  const [client, products, taxes, asked_series, issuer] = await Promise.all([
    wanted.client_id === null ? null : findDocumentClient(tx, company_id, wanted.client_id),
    product_ids.length === 0 ? [] : findLineProducts(tx, company_id, product_ids),
    product_ids.length + tax_ids.length === 0 ? [] : findLineTaxes(tx, company_id, tax_ids, product_ids),
    wanted.series_id === null ? findDefaultSeries(tx, company_id, kind) : findSeries(tx, company_id, wanted.series_id),
    wanted.needs_issuer ? getCompany(tx, company_id) : null,
  ]);
  if (client === undefined || (client && !client.is_active && wanted.stored?.client_id !== client.id)) {
    reasons.refuse(unknownReference('client_id', 'El cliente no existe o está archivado.'));
  }
  const checked = reasons.attempt(() => checkSeries(asked_series, wanted, kind));
  // A dry run goes on with the default series, to find what else is wrong.
  const series = checked ?? (await findDefaultSeries(tx, company_id, kind));
  if (!series) throw seriesRefusal('la empresa no tiene serie por omisión para este tipo.');
  const rate = company.default_vat.invoice;
  return {
    client: client ?? null,
    has_client_fault: client === undefined,
    series,
    issuer,
    lineFacts: (on_date) => ({
      products: new Map(products.map((p) => [p.id, p])),
      taxes: new Map(taxes.map((t) => [t.id, t])),
      default_vat: typeof rate === 'string' ? rate : null,
      is_surcharge_subject: client?.is_surcharge_subject ?? false,
      on_date,
      version,
      ...(wanted.stored ? { stored_products: wanted.stored.product_ids } : {}),
    }),
  };
}
