/** Prepares an issue: every check that can refuse it, and the copies that the invoice keeps. It reads only, and locks nothing. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import type { Ctx } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Reasons } from '../../../kernel/reasons.ts';
import { inTurns } from '../../../platform/give-way.ts';
import { periodKey } from '../../../domain/series-format.ts';
import { declaredKeys } from '../../../domain/sales/build-rows.ts';
import { clientSnapshot } from '../../../domain/sales/client-snapshot.ts';
import { checkTaxesOfDay } from '../../../domain/sales/lines.ts';
import { dueDay } from '../../../domain/sales/due-day.ts';
import { addressRefusal, type AddressWarning, missingAddresses } from '../rules/addresses.ts';
import { checkFollowsReferences, checkOperationDate, issueDay } from '../rules/dates.ts';
import { checkIssue, checkRatesOfDay } from '../rules/issue-rules.ts';
import { needsRecipient, seriesKindOf } from '../rules/invoice-types.ts';
import { exchangeRateDay } from '../rules/exchange-rate-day.ts';
import { withDebtPart } from '../rules/debt-part.ts';
import { statusByPending } from '../rules/pending.ts';
import { checkSurchargeApart, checkSurchargeOfToday } from '../rules/surcharge-rules.ts';
import { issuerKey } from '../rules/series-by-issuer.ts';
import { invoiceStates } from '../rules/states.ts';
import type { LineRow } from '../../../domain/sales/rows.ts';
import type { InvoiceBundle, InvoiceRow } from '../invoices.rows.ts';
import {
  type DocumentFacts,
  loadFacts,
  numberingSeries,
  seriesRefusal,
  storedReferences,
} from '../../sales/index.ts';
import { issuerSnapshot } from '../../companies/index.ts';
import { checkSimplified, invoices } from '../invoices.family.ts';
import { linkNamed, replacedBy } from './named-invoices.ts';
import type { InvoicePlan } from './plan.ts';
import { checkSigning, isRegistering, planRecord } from './record-plan.ts';

/** A full invoice needs a recipient (RD 1619/2012, art. 6). @throws 422 business_rule_violation */
function checkRecipient(invoice: InvoiceRow, facts: DocumentFacts): void {
  if (facts.client || facts.has_client_fault || !needsRecipient(invoice.type)) return;
  throw fail(c.business_rule_violation, {
    param: 'client_id',
    values: { reason: 'una factura completa necesita un cliente.' },
  });
}

/** @throws 422 business_rule_violation for a company without a name */
function snapshotOfIssuer(facts: DocumentFacts): Record<string, unknown> {
  const { issuer } = facts;
  if (!issuer?.name) {
    throw fail(c.business_rule_violation, {
      param: 'company_name',
      values: { reason: 'la empresa no tiene nombre.' },
    });
  }
  return issuerSnapshot(issuer);
}

/** @throws 422 missing_required_param for a company that requires addresses, or gathers it in a dry run */
function warningsOfIssue(row: InvoiceRow, { issuer }: DocumentFacts, reasons: Reasons): AddressWarning[] {
  const missing = missingAddresses(row);
  if (!issuer?.require_addresses) return missing;
  for (const warning of missing) reasons.refuse(addressRefusal(warning));
  return [];
}

/** Today's texts of products and taxes. */
function refreshTexts(lines: readonly LineRow[], facts: DocumentFacts): LineRow[] {
  const { products, taxes } = facts.lineFacts('2000-01-01');
  return lines.map((line) => ({
    ...line,
    product_name: products.get(line.product_id ?? '')?.name ?? line.product_name,
    tax_name: taxes.get(line.taxes_id ?? '')?.name ?? line.tax_name,
  }));
}

/**
 * The commit takes the number.
 * @param regime_keys of the lines that declare one, in order
 */
export async function prepareIssue(
  ctx: Ctx,
  bundle: InvoiceBundle,
  facts: DocumentFacts,
  options: {
    stored: boolean;
    mark_sent: boolean;
    regime_keys: readonly string[];
    status: 200 | 201;
    /** Lines of the invoice that it corrects. */
    corrected_lines?: readonly LineRow[];
    /** Invoices that others of the same call replace. */
    taken?: ReadonlySet<string>;
    reasons?: Reasons;
  },
): Promise<InvoicePlan> {
  const { reasons = new Reasons(), taken = new Set() } = options;
  const { invoice, replaced } = await linkNamed(ctx, bundle.document, taken, reasons);
  const issued = reasons.attempt(() => invoiceStates.next(invoice.status, 'issue')) ?? 'issued';
  const status = options.mark_sent ? invoiceStates.next(issued, 'send') : issued;
  const is_registered = isRegistering(ctx);
  if (!is_registered) reasons.attempt(() => checkRecipient(invoice, facts));
  const issuer_snapshot = reasons.attempt(() => snapshotOfIssuer(facts)) ?? null;
  const issued_on = reasons.attempt(() => issueDay(invoice.issued_on, ctx.today)) ?? ctx.today;
  reasons.attempt(() => checkFollowsReferences(invoice, issued_on));
  reasons.attempt(() => checkOperationDate(invoice.operation_on, issued_on, options.regime_keys));
  const terms_days = invoice.terms_days ?? facts.client?.payment_preferences?.terms_days ?? null;
  const due_on = reasons.attempt(() => dueDay(invoice.due_on, issued_on, terms_days)) ?? null;
  const exchange_rate_on = reasons.attempt(() => exchangeRateDay(invoice, issued_on)) ?? null;
  const { client } = facts;
  const series = numberingSeries(facts);
  if (series.is_archived) reasons.refuse(seriesRefusal('la serie está archivada.'));
  if (options.stored) {
    reasons.attempt(() => checkSimplified(invoice.type, ctx.company));
    const on_date = invoice.operation_on ?? issued_on;
    const line_facts = facts.lineFacts(on_date);
    reasons.attempt(() => checkRatesOfDay(bundle, on_date));
    reasons.attempt(() => checkTaxesOfDay(bundle.lines, line_facts));
    await inTurns(checkSurchargeOfToday(bundle.lines, line_facts)).catch((error) => reasons.refuse(error));
  }
  reasons.attempt(() => checkSurchargeApart(bundle.lines, options.corrected_lines));
  checkIssue(
    { ...bundle, invoice, issued_on, client, issuer_tax_id: facts.issuer?.tax_id ?? null, is_registered },
    reasons,
  );
  const now = ctx.now.toISOString();
  const row: InvoiceRow = {
    // The original of a corrective that has its own money is not held. Of another one it is set.
    ...(invoice.settled_in_id === null && invoice.corrected_invoices.every(({ id }) => id === null)
      ? withDebtPart(invoice, null)
      : invoice),
    version: options.stored ? invoice.version + 1 : 1,
    status,
    series_id: series.id,
    series_code: series.code,
    client_name: client?.name ?? null,
    client_tax_id: client?.tax_id ?? null,
    client_snapshot: client && clientSnapshot(client),
    issuer_snapshot,
    issued_on,
    due_on,
    exchange_rate_on,
    sent_at: options.mark_sent ? now : null,
    updated_at: now,
  };
  const warnings = warningsOfIssue(row, facts, reasons);
  // An invoice issued after its stated due day is overdue from the start.
  row.status = statusByPending(row, ctx.today);
  ctx.emit('invoice.number_assigned', row.id);
  if (row.type === 'F2') ctx.emit('invoice.simplified_created', row.id);
  if (options.mark_sent) ctx.emit('invoice.sent', row.id);
  if (row.status === 'overdue') ctx.emit('invoice.overdue', row.id);
  const companions = replacedBy(ctx, replaced, row);
  return {
    bundle: { ...bundle, document: row, lines: refreshTexts(bundle.lines, facts) },
    stored: options.stored ? { id: invoice.id, version: invoice.version } : null,
    companions,
    new_payments: [],
    reversed_payments: [],
    numbering: {
      series,
      issued_by: issuerKey(row, bundle.tax_rows),
      period: periodKey(series.reset, issued_on),
      issued_on,
      is_day_asked: invoice.issued_on !== null,
    },
    record: planRecord(ctx, { ...bundle, document: row }, reasons),
    email: null,
    record_block: 'absent',
    settings_version: ctx.company.settings_version,
    external_id: options.stored ? null : row.external_id,
    blocks: {},
    warnings,
    is_repeat: false,
    status: options.status,
  };
}

export async function prepareStoredIssue(
  ctx: Ctx,
  bundle: InvoiceBundle,
  options: { mark_sent: boolean; reasons?: Reasons },
): Promise<InvoicePlan> {
  const { document: invoice, lines } = bundle;
  const refers = lines.map((line) => storedReferences(line.product_id, line.taxes_id));
  const facts = await loadFacts(
    ctx,
    invoices,
    {
      series_kind: seriesKindOf(invoice.type),
      client_id: invoice.client_id,
      series_id: invoice.series_id,
      lines: refers,
      needs_issuer: true,
      stored: { client_id: invoice.client_id, series_id: invoice.series_id },
    },
    options.reasons,
  );
  const regime_keys = declaredKeys(lines);
  await checkSigning(ctx, options.reasons ?? new Reasons());
  return prepareIssue(ctx, bundle, facts, { stored: true, regime_keys, status: 200, ...options });
}
