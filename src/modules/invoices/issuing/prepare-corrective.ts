/**
 * Prepares correctives and substitutions of stored invoices, and the changes of their originals (ADR 14). A corrective by
 * differences changes its original's state only by bringing it to zero. One by substitution replaces it.
 */
import { fixedText } from '../../../domain/money/amount.ts';
import { printedToCents } from '../../../domain/money/printed.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import type { Ctx } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Reasons } from '../../../kernel/reasons.ts';
import { newId } from '../../../kernel/uuid7.ts';
import { inTurns } from '../../../platform/give-way.ts';
import { ineligible } from '../../verifactu/index.ts';
import type { LineInput } from '../../../domain/sales/line-input.ts';
import { takenOver } from '../../../domain/sales/merge-lines.ts';
import type { LineRow, TaxRow } from '../../../domain/sales/rows.ts';
import type { InvoiceBundle, InvoiceRow, ReferredInvoice } from '../invoices.rows.ts';
import { amountColumns, declaredKeys, documentLinesInSteps } from '../../../domain/sales/build-rows.ts';
import { type CorrectiveLine, correctiveLines, undoingLines } from '../rules/corrective-lines.ts';
import {
  correctiveTypeOf,
  type InvoiceType,
  isQualifiedSimplified,
  seriesKindOf,
} from '../rules/invoice-types.ts';
import { findRefusedRow } from '../rules/issue-rules.ts';
import { withDebtPart } from '../rules/debt-part.ts';
import { dueCents, receivedCents } from '../rules/pending.ts';
import { euroAmounts } from '../rules/record-content.ts';
import { noReferences } from '../rules/references.ts';
import { roundedTogether } from '../rules/rounded-together.ts';
import { eventsOfStatus, isReplaced, isTicket, withMoreDue } from '../rules/settlement.ts';
import { invoiceStates } from '../rules/states.ts';
import { isOvercorrected } from '../rules/warnings.ts';
import {
  listLinesRoundedInEuros,
  listLinesTogether,
  listTaxRows,
  loadFacts,
  noTotals,
  numberingSeries,
  pricedFacts,
} from '../../sales/index.ts';
import { invoices } from '../invoices.family.ts';
import { findInvoices } from '../stored-invoices.ts';
import { pdfBlocks } from './pdf-blocks.ts';
import { substitutedBy } from './named-invoices.ts';
import { invoiceCompanion, type InvoicePlan } from './plan.ts';
import { prepareIssue } from './prepare.ts';
import { isRegistering } from './record-plan.ts';
import { findCorrectedAbove, findInForce } from './settlement.ts';

export type CorrectiveRequest = {
  correction: { type: 'differences' | 'substitution'; reason?: string | null };
  type?: InvoiceType;
  lines?: readonly CorrectiveLine[];
  series_id?: string | null;
  issued_on?: string | null;
  /** The original's when left out. */
  notes?: string | null;
  metadata?: Record<string, string> | null;
  tags?: string[] | null;
  custom_fields?: InvoiceRow['custom_fields'] | null;
  external?: { id: string; hash: string };
};

/** @param in_force the invoices whose amounts together are rectified */
function refer(row: InvoiceRow, in_force: readonly InvoiceRow[] = [row]): ReferredInvoice {
  const sum = (name: 'subtotal' | 'taxes_total' | 'surcharge_total') =>
    Number(
      fixedText(
        in_force.reduce((all, one) => all + printedToCents(one[name]), 0n),
        2,
      ),
    );
  return {
    id: row.id,
    number: row.number ?? '',
    issued_on: row.issued_on ?? '',
    subtotal: sum('subtotal'),
    taxes_total: sum('taxes_total'),
    surcharge_total: sum('surcharge_total'),
  };
}

/** Of invoices in a foreign currency, so that a record says of them what their own records said. */
async function inEuros(
  { tx, company }: Ctx,
  in_force: readonly InvoiceRow[],
): Promise<Partial<ReferredInvoice>> {
  const [{ exchange_rate } = { exchange_rate: null }] = in_force;
  if (exchange_rate === null) return {};
  const ids = in_force.map(({ id }) => id);
  const { company_id } = company;
  const [tax_rows, lines] = await Promise.all([
    listTaxRows(tx, invoices, company_id, ids),
    listLinesRoundedInEuros(tx, invoices, company_id, ids),
  ]);
  const rowsOf = Map.groupBy(tax_rows, (row) => row.document_id);
  const linesOf = Map.groupBy(lines, (line) => line.document_id);
  const recorded = in_force.map((document) => ({
    document,
    tax_rows: rowsOf.get(document.id) ?? [],
    lines: linesOf.get(document.id) ?? [],
  }));
  return { euros: euroAmounts(recorded) };
}

type NewInvoice = {
  type: InvoiceType;
  client_id: string | null;
  series_id: string | null;
  issued_on: string | null;
  /** Undefined when a dry run collected a refusal of them. */
  lines: readonly LineInput[] | undefined;
  /** Currency, prices, operation day, issuer and stored references are copied from it. */
  source: InvoiceBundle;
  corrected_lines?: readonly LineRow[];
  /** The original's day of issue. Its rates apply if there is no operation day. */
  rates_on: string | null;
  references: Partial<InvoiceRow>;
  /** Its own texts; those left out are the source's or empty. */
  labels?: Partial<InvoiceRow>;
  external?: { id: string; hash: string } | undefined;
  reasons?: Reasons;
};

/** The caller adds companions and further events. */
async function prepareNew(ctx: Ctx, wanted: NewInvoice): Promise<InvoicePlan> {
  const { source, type, client_id, series_id, lines, reasons = new Reasons() } = wanted;
  const facts = await loadFacts(
    ctx,
    invoices,
    {
      series_kind: seriesKindOf(type),
      client_id,
      series_id,
      lines: lines ?? [],
      needs_issuer: true,
      stored: { client_id: source.document.client_id, series_id: null },
    },
    reasons,
  );
  const id = newId();
  const now = ctx.now.toISOString();
  const { prices_include_tax, currency, exchange_rate } = source.document;
  // Older invoices do not say the day of their rate.
  const exchange_rate_on =
    source.document.exchange_rate_on ?? source.document.operation_on ?? source.document.issued_on;
  const issue_day = wanted.issued_on ?? ctx.today;
  const on_date = source.document.operation_on ?? wanted.rates_on ?? issue_day;
  const line_facts = await pricedFacts(ctx, facts, lines ?? [], { currency, prices_include_tax, on_date });
  const counted =
    lines && (await inTurns(documentLinesInSteps(id, lines, line_facts, { prices_include_tax }, reasons)));
  const built = counted ?? { lines: [], tax_rows: [], totals: noTotals };
  // A lapsed rate is legal only if the invoice states the day of the operation.
  const operation_on =
    source.document.operation_on ?? (findRefusedRow(built.tax_rows, issue_day) ? wanted.rates_on : null);
  const invoice: InvoiceRow = {
    ...source.document,
    ...noReferences,
    ...wanted.references,
    id,
    version: 1,
    type,
    status: 'draft',
    number: null,
    series_id: numberingSeries(facts).id,
    series_code: numberingSeries(facts).code,
    series_period: null,
    series_number: null,
    client_id,
    issuer_snapshot: null,
    issued_on: wanted.issued_on,
    operation_on,
    due_on: null,
    terms_days: null,
    currency,
    exchange_rate,
    exchange_rate_on: exchange_rate === null ? null : exchange_rate_on,
    prices_include_tax,
    ...amountColumns(built.totals),
    paid_amount: '0.00',
    external_id: null,
    external_type: null,
    external_total: null,
    external_hash: null,
    metadata: {},
    tags: [],
    custom_fields: [],
    ...wanted.labels,
    ...(wanted.external
      ? {
          external_id: wanted.external.id,
          external_type: type,
          external_total: amountColumns(built.totals).total,
          external_hash: wanted.external.hash,
        }
      : {}),
    issued_at: null,
    sent_at: null,
    link_renewed_at: null,
    created_at: now,
    updated_at: now,
  };
  ctx.emit('invoice.created', id);
  const regime_keys = declaredKeys(built.lines);
  const document = withDebtPart(invoice, source.document);
  const bundle = { document, lines: built.lines, tax_rows: built.tax_rows, payments: [] };
  const options = {
    stored: false,
    mark_sent: false,
    regime_keys,
    status: 201 as const,
    ...(wanted.corrected_lines ? { corrected_lines: wanted.corrected_lines } : {}),
    reasons,
  };
  const plan = await prepareIssue(ctx, bundle, facts, options);
  return { ...plan, record_block: 'plain', blocks: pdfBlocks(ctx, id) };
}

function labelsOf({ notes, metadata, tags, custom_fields }: CorrectiveRequest): Partial<InvoiceRow> {
  return {
    ...(notes === undefined ? {} : { notes }),
    metadata: metadata ?? {},
    tags: tags ?? [],
    custom_fields: custom_fields ?? [],
  };
}

/** @throws 422 for a type that does not fit the original */
function typeOf(ctx: Ctx, original: InvoiceRow, asked: InvoiceType | undefined): InvoiceType {
  if (asked === 'R5' && isQualifiedSimplified(original) && isRegistering(ctx))
    throw ineligible('type', 'la rectificativa de una simplificada con destinatario es de R1 a R4.');
  return correctiveTypeOf(original, asked);
}

const isNothing = ({ base, tax, surcharge }: TaxRow) =>
  [base, tax, surcharge].every((sum) => Number(sum) === 0);

/** Cents of tax on a base of zero may be left, and the authority takes no corrective of them (1143). */
const nothingLeft = () =>
  fail(c.business_rule_violation, {
    param: 'lines',
    values: { reason: 'sus rectificativas no dejan nada que deshacer: indique las líneas.' },
  });

/**
 * Of the invoice with its correctives by differences in force. Without any it gives the invoice's own list.
 * @throws 422 business_rule_violation for more lines than an invoice has
 */
async function linesInForce({ tx, company }: Ctx, original: InvoiceBundle): Promise<readonly LineRow[]> {
  const { corrective_ids, substituted_invoices } = original.document;
  if (corrective_ids.length + substituted_invoices.length === 0) return original.lines;
  const rows = await findInForce(tx, company.company_id, original.document);
  if (rows.length === 1) return original.lines;
  const ids = rows.map(({ id }) => id);
  const lines = Map.groupBy(
    await listLinesTogether(tx, invoices, company.company_id, ids, 'lines'),
    ({ document_id }) => document_id,
  );
  return roundedTogether(rows.map((document) => ({ document, lines: lines.get(document.id) ?? [] })));
}

/** By what was invoiced: of what is owed, a part may have stayed (ADR 103). */
async function undoesTooMuch({ tx, company }: Ctx, original: InvoiceRow, corrective: InvoiceRow) {
  const in_force = await findInForce(tx, company.company_id, original);
  const invoiced = [...in_force, corrective].reduce((sum, row) => sum + printedToCents(row.amount_due), 0n);
  return isOvercorrected(original, invoiced);
}

/**
 * After refusals in a dry run, the plan serves only to find more.
 * @throws 409 when the original is not issued and in force; 422 for a type that does not fit it, and for all that refuses lines
 * or an issue
 */
export async function prepareCorrective(
  ctx: Ctx,
  original: InvoiceBundle,
  request: CorrectiveRequest,
  reasons = new Reasons(),
): Promise<InvoicePlan> {
  const { document: invoice } = original;
  const is_substitution = request.correction.type === 'substitution';
  // Refuses early. Only the totals tell whether the original ends at zero.
  const move = is_substitution ? 'correct_all' : 'correct_part';
  const is_standing = reasons.attempt(() => invoiceStates.next(invoice.status, move)) !== undefined;
  const { company_id } = ctx.company;
  // Correcting a corrective by differences also changes the invoice that it corrects.
  const above = await findCorrectedAbove(ctx.tx, company_id, invoice);
  if (is_standing && above.some(isReplaced)) {
    const reason = 'otra factura ha ocupado el lugar de la que esta rectifica.';
    reasons.refuse(fail(c.invalid_status_transition, { values: { reason } }));
  }
  const type =
    reasons.attempt(() => typeOf(ctx, invoice, request.type)) ?? correctiveTypeOf(invoice, undefined);
  // One by substitution takes the place of the original as its correctives left it.
  const in_force = is_substitution ? await findInForce(ctx.tx, company_id, invoice) : [invoice];
  const is_undone = !is_substitution && request.lines === undefined;
  const undone = is_undone
    ? await linesInForce(ctx, original).catch((fault) => {
        reasons.refuse(fault);
        return undefined;
      })
    : undefined;
  const plan = await prepareNew(ctx, {
    type,
    client_id: invoice.client_id,
    series_id: request.series_id ?? null,
    issued_on: request.issued_on ?? null,
    lines: is_undone
      ? undone && undoingLines(undone)
      : reasons.attempt(() => correctiveLines(original.lines, request.lines)),
    source: original,
    corrected_lines: undone ?? original.lines,
    rates_on: invoice.issued_on,
    labels: labelsOf(request),
    external: request.external,
    reasons,
    references: {
      correction_type: request.correction.type,
      correction_reason: request.correction.reason ?? null,
      corrected_invoices: [
        {
          ...refer(invoice, in_force),
          ...(is_substitution && (await inEuros(ctx, in_force))),
          ...(is_substitution && invoice.settled_in_id !== null && { is_paid_above: true as const }),
        },
      ],
      settled_in_id: is_substitution ? invoice.settled_in_id : invoice.id,
      carried_amount: is_substitution ? fixedText(receivedCents(invoice), 2) : '0.00',
    },
  });
  const { tax_rows } = plan.bundle;
  // There are no rows when a dry run refuses the lines. An invoice of nothing without correctives may be undone.
  if (undone && undone !== original.lines && tax_rows.length > 0 && tax_rows.every(isNothing))
    reasons.refuse(nothingLeft());
  if (reasons.problems.length > 0) return plan;
  const corrective = plan.bundle.document;
  const due = dueCents(corrective);
  const corrected: InvoiceRow = is_substitution
    ? { ...invoice, status: invoiceStates.next(invoice.status, 'correct_all'), settled_in_id: corrective.id }
    : withMoreDue(invoice, due, ctx.today);
  ctx.emit('invoice.rectified', invoice.id, {
    data: { invoice: { id: invoice.id }, corrective: { id: corrective.id } },
  });
  const announce = (before: Pick<InvoiceRow, 'status'>, after: InvoiceRow) => {
    for (const event of eventsOfStatus(before, after)) ctx.emit(event, after.id);
  };
  announce(invoice, corrected);
  if (corrective.status === 'paid') ctx.emit('invoice.paid', corrective.id);
  const change = is_substitution ? due - dueCents(invoice) : due;
  const moved = above.map((before) => {
    const after = withMoreDue(before, change, ctx.today);
    ctx.emit('invoice.updated', before.id);
    announce(before, after);
    return invoiceCompanion(ctx, before, after);
  });
  const is_too_much = !is_substitution && (await undoesTooMuch(ctx, invoice, corrective));
  return {
    ...plan,
    warnings: is_too_much ? [...plan.warnings, 'original_overcorrected'] : plan.warnings,
    companions: [
      invoiceCompanion(ctx, invoice, {
        ...corrected,
        corrective_ids: [...invoice.corrective_ids, corrective.id],
      }),
      ...moved,
    ],
  };
}

export type SubstitutionRequest = { client_id: string; series_id?: string | null; issued_on?: string | null };

/** @throws 409 for one that is not issued and in force; 422 for one that is no ticket, or unlike the first */
function checkTicket({ document: invoice }: InvoiceBundle, first: InvoiceBundle): void {
  const param = 'simplified_invoice_uuids';
  const refuse = (reason: string) => fail(c.business_rule_violation, { param, values: { reason } });
  if (!isTicket(invoice))
    throw refuse('solo se sustituyen facturas simplificadas, y las R5 que ocupan su lugar por sustitución.');
  invoiceStates.next(invoice.status, 'substitute', { param });
  const { currency, exchange_rate, issued_by, third_party, prices_include_tax } = first.document;
  if (invoice.currency !== currency || invoice.exchange_rate !== exchange_rate)
    throw refuse('todas deben estar en la misma moneda.');
  if (invoice.issued_by !== issued_by || invoice.third_party?.tax_id !== third_party?.tax_id)
    throw refuse('todas deben estar expedidas por el mismo.');
  if (invoice.prices_include_tax !== prices_include_tax)
    throw refuse('todas deben llevar los precios con impuestos, o ninguna.');
}

/** Of a ticket that does not say it, its day of issue. An R5 that took a ticket's place is issued later, so it goes by that one. */
async function operationDay({ tx, company }: Ctx, ticket: InvoiceRow): Promise<string> {
  let row = ticket;
  while (row.operation_on === null && row.correction_type === 'substitution') {
    const named = row.corrected_invoices;
    const [original] = await findInvoices(
      tx,
      company.company_id,
      named.flatMap(({ id }) => id ?? []),
    );
    // Not held: there may be several.
    if (!original) return named.map(({ issued_on }) => issued_on).sort()[0] ?? row.issued_on ?? '';
    row = original;
  }
  return row.operation_on ?? row.issued_on ?? '';
}

/**
 * A full invoice (F3) in place of simplified ones. It takes their lines in order, is the sum of their amounts, and their payments
 * count for it.
 * After refusals in a dry run, the plan serves only to find more.
 * @throws 409 for a ticket that is not an issued simplified invoice in force; 422 when currency, kind of prices or issuer differ
 */
export async function prepareSubstitution(
  ctx: Ctx,
  tickets: readonly InvoiceBundle[],
  request: SubstitutionRequest,
  reasons = new Reasons(),
): Promise<InvoicePlan> {
  const first = tickets[0]!;
  for (const ticket of tickets) reasons.attempt(() => checkTicket(ticket, first));
  const is_sum = reasons.problems.length === 0;
  // Takes over what the tickets' corrections and payments left to pay.
  const sum = (centsOf: (row: InvoiceRow) => bigint) =>
    fixedText(
      tickets.reduce((all, { document: invoice }) => all + centsOf(invoice), 0n),
      2,
    );
  const days: string[] = [];
  for (const { document: invoice } of tickets) days.push(await operationDay(ctx, invoice));
  const operation_on = days.sort().at(0) ?? null;
  const plan = await prepareNew(ctx, {
    type: 'F3',
    client_id: request.client_id,
    series_id: request.series_id ?? null,
    issued_on: request.issued_on ?? null,
    lines: is_sum ? roundedTogether(tickets).map(takenOver) : undefined,
    source: {
      ...first,
      document: { ...first.document, operation_on, no_recipient_art61d: false, print_recipient: false },
    },
    rates_on: null,
    reasons,
    references: {
      substituted_invoices: tickets.map(({ document: invoice }) => refer(invoice)),
      corrected_amount: sum((row) => printedToCents(row.corrected_amount)),
      carried_amount: sum(receivedCents),
    },
  });
  if (reasons.problems.length > 0) return plan;
  const full = plan.bundle.document;
  const rows = tickets.map(({ document: invoice }) => invoice);
  return { ...plan, companions: substitutedBy(ctx, rows, full) };
}
