/**
 * What takes the place of others may name them by number and day, as those of an earlier program. Those that the service holds are
 * linked at the issue, so that none is replaced twice and no sum is owed twice (ADR 14).
 */
import { fixedText } from '../../../domain/money/amount.ts';
import { printedToCents } from '../../../domain/money/printed.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import type { Ctx } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import type { Reasons } from '../../../kernel/reasons.ts';
import type { Companion } from '../../sales/index.ts';
import type { InvoiceRow, ReferredInvoice } from '../invoices.rows.ts';
import { findIdsByNumber } from '../invoices.store.ts';
import { isWithdrawn, receivedCents } from '../rules/pending.ts';
import { isReplaced, isTicket } from '../rules/settlement.ts';
import { invoiceStates } from '../rules/states.ts';
import { findInvoices } from '../stored-invoices.ts';
import { invoiceCompanion } from './plan.ts';

type Named = { one: ReferredInvoice; row: InvoiceRow; param: string };

const dayAndNumber = (one: { issued_on: string | null; number: string | null }) =>
  `${one.issued_on} ${one.number}`;

/** Those that are held, and not linked yet. */
async function findNamed(
  { tx, company: { company_id } }: Ctx,
  list: readonly ReferredInvoice[],
  member: string,
): Promise<Named[]> {
  const numbers = list.flatMap(({ id, number }) => (id === null ? [number] : []));
  if (numbers.length === 0) return [];
  const ids = (await findIdsByNumber(tx, company_id, numbers)).map(({ id }) => id);
  const rows = ids.length === 0 ? [] : await findInvoices(tx, company_id, ids);
  const rowOf = new Map(rows.map((row) => [dayAndNumber(row), row]));
  return list.flatMap((one, index) => {
    const row = one.id === null ? rowOf.get(dayAndNumber(one)) : undefined;
    return row ? [{ one, row, param: `${member}.${index}.number` }] : [];
  });
}

/**
 * The tickets among them. One in another currency stays as it was, as its payments cannot be carried over, and so does one that is
 * named with its return (an R5 by differences): the caller says what is left of both.
 * @throws 422 for a full invoice; 409 for a ticket that is withdrawn, or replaced already
 */
function ticketsOf(full: InvoiceRow, named: readonly Named[], taken: ReadonlySet<string>): Named[] {
  const returned = new Set(named.flatMap(({ row }) => (isTicket(row) ? [] : row.settled_in_id)));
  return named.filter(({ row, param }) => {
    if (row.type === 'F1' || row.type === 'F3') {
      const reason = 'una F3 solo sustituye facturas simplificadas.';
      throw fail(c.business_rule_violation, { param, values: { reason } });
    }
    if (!isTicket(row) || returned.has(row.id)) return false;
    invoiceStates.next(taken.has(row.id) ? 'substituted' : row.status, 'substitute', { param });
    return row.currency === full.currency;
  });
}

/**
 * Those whose money a corrective by substitution takes over: of the same client and currency, and with money of their own.
 * @throws 409 for one that is withdrawn, or replaced already
 */
function originalsOf(corrective: InvoiceRow, named: readonly Named[], taken: ReadonlySet<string>): Named[] {
  return named.filter(({ row, param }) => {
    if (taken.has(row.id) || isReplaced(row)) invoiceStates.next('rectified', 'correct_all', { param });
    if (isWithdrawn(row)) invoiceStates.next(row.status, 'correct_all', { param });
    const { client_id, currency, correction_type, settled_in_id, status } = row;
    const has_own_money = correction_type !== 'differences' && settled_in_id === null;
    const is_same = client_id === corrective.client_id && currency === corrective.currency;
    return is_same && has_own_money && typeof invoiceStates.peek(status, 'correct_all') === 'string';
  });
}

const sum = (rows: readonly InvoiceRow[], centsOf: (row: InvoiceRow) => bigint) =>
  fixedText(
    rows.reduce((all, row) => all + centsOf(row), 0n),
    2,
  );

/**
 * The invoice with the ids of those that it names, and with what was paid of them. A corrective by differences stays as it is: its
 * money is its own, and payments and refunds are registered in it.
 * @param taken by other invoices of the same call
 */
export async function linkNamed(
  ctx: Ctx,
  invoice: InvoiceRow,
  taken: ReadonlySet<string>,
  reasons: Reasons,
): Promise<{ invoice: InvoiceRow; replaced: readonly InvoiceRow[] }> {
  const is_full = invoice.type === 'F3';
  if (!is_full && invoice.correction_type !== 'substitution') return { invoice, replaced: [] };
  const member = is_full ? 'substituted_invoices' : 'corrected_invoices';
  const named = await findNamed(ctx, invoice[member], member);
  const choose = is_full ? ticketsOf : originalsOf;
  const chosen = reasons.attempt(() => choose(invoice, named, taken)) ?? [];
  if (chosen.length === 0) return { invoice, replaced: [] };
  const replaced = chosen.map(({ row }) => row);
  const rowOf = new Map(chosen.map(({ one, row }) => [one, row]));
  const linked = invoice[member].map((one) => {
    const row = rowOf.get(one);
    if (!row) return one;
    // The record of a corrective by substitution says the amounts that the caller did.
    const amounts = {
      subtotal: row.subtotal,
      taxes_total: row.taxes_total,
      surcharge_total: row.surcharge_total,
    };
    const own = Object.entries(amounts).map(([key, value]) => [key, Number(value)]);
    return { ...one, id: row.id, ...(is_full ? Object.fromEntries(own) : {}) };
  });
  const corrected_amount = is_full
    ? sum(replaced, (row) => printedToCents(row.corrected_amount))
    : invoice.corrected_amount;
  const carried_amount = sum(replaced, receivedCents);
  return { invoice: { ...invoice, [member]: linked, corrected_amount, carried_amount }, replaced };
}

/** The tickets, as their full invoice leaves them. */
export function substitutedBy(ctx: Ctx, tickets: readonly InvoiceRow[], full: InvoiceRow): Companion[] {
  const companions = tickets.map((ticket) => {
    ctx.emit('invoice.simplified_substituted', ticket.id, {
      data: { invoice: { id: ticket.id }, substitute: { id: full.id } },
    });
    return invoiceCompanion(ctx, ticket, {
      status: invoiceStates.next(ticket.status, 'substitute'),
      substituted_by_id: full.id,
      settled_in_id: full.id,
    });
  });
  ctx.emit('invoice.substituted_by_complete', full.id);
  if (full.status === 'paid') ctx.emit('invoice.paid', full.id);
  return companions;
}

/** Those that `linkNamed` found, as the issued invoice leaves them. */
export function replacedBy(ctx: Ctx, replaced: readonly InvoiceRow[], issued: InvoiceRow): Companion[] {
  if (replaced.length === 0) return [];
  if (issued.type === 'F3') return substitutedBy(ctx, replaced, issued);
  if (issued.status === 'paid') ctx.emit('invoice.paid', issued.id);
  return replaced.map((original) => {
    ctx.emit('invoice.rectified', original.id, {
      data: { invoice: { id: original.id }, corrective: { id: issued.id } },
    });
    return invoiceCompanion(ctx, original, {
      status: invoiceStates.next(original.status, 'correct_all'),
      settled_in_id: issued.id,
      corrective_ids: [...original.corrective_ids, issued.id],
    });
  });
}
