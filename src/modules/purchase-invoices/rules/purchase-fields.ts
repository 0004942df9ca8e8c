/** Reads the own fields of a purchase. Absent keys stay, null clears. */
import { checkCurrency } from '../../../domain/sales/currency.ts';
import { isForeignVatId } from '../../../domain/sales/recipient-id.ts';
import { type DecimalInput, numberText } from '../../../kernel/json.ts';
import { brokenRule, missingParam } from '../../../kernel/resource-input.ts';
import type { Reasons } from '../../../kernel/reasons.ts';
import type { PurchaseRow } from '../purchase-invoices.rows.ts';
import { checkDays, deductDay } from './days.ts';
import { isOfCashRegime } from './deduction.ts';

export type PurchaseSent = {
  number?: string | null;
  kind?: PurchaseRow['kind'];
  operation?: PurchaseRow['operation'];
  issued_on?: string | null;
  operation_on?: string | null;
  received_on?: string | null;
  due_on?: string | null;
  deduct_on?: string | null;
  currency?: string;
  exchange_rate?: DecimalInput | null;
  prices_include_tax?: boolean;
  retention_kind?: PurchaseRow['retention_kind'];
  has_recipient_data?: boolean;
  cash_accounting?: boolean;
  corrects?: { purchase_invoice_id?: string | null; number: string; issued_on?: string | null } | null;
  scan_ids?: string[] | null;
};

/** Of a new purchase. */
const blankOwn = {
  self_charged_total: '0.00',
  deductible_total: '0.00',
  has_investment_goods: false,
  paid_amount: '0.00',
  accounted_at: null,
  cancelled_at: null,
} as const;

/** The supplier charges no tax: the company charges it to itself (LIVA, arts. 84.Uno.2, 13, 15 and 69). */
export function isSelfCharged({ operation }: Pick<PurchaseRow, 'operation'>): boolean {
  return operation !== 'domestic' && operation !== 'import';
}

/** The goods come with a paper without tax; the customs document has it (LIVA, art. 97.Uno.3). */
export function isUntaxedImport({ operation, kind }: Pick<PurchaseRow, 'operation' | 'kind'>): boolean {
  return operation === 'import' && kind !== 'customs';
}

/** Of a row of the breakdown or a line. Another state's VAT and other taxes are as the paper charges them. */
export function chargesItself(
  row: Pick<PurchaseRow, 'operation'>,
  { tax_kind }: { tax_kind: string },
): boolean {
  return isSelfCharged(row) && (tax_kind === 'vat' || tax_kind === 'compensation');
}

/** @throws 422 business_rule_violation for fields that exclude each other */
function checkKind(
  row: Pick<PurchaseRow, 'kind' | 'operation' | 'corrects' | 'cash_accounting'>,
  includes_tax: boolean,
): void {
  const { kind, operation, corrects, cash_accounting } = row;
  if (cash_accounting && !isOfCashRegime(row))
    throw brokenRule(
      'cash_accounting',
      'el criterio de caja es de entregas y servicios interiores (LIVA, art. 163 duodecies).',
    );
  if (kind === 'customs' && operation !== 'import')
    throw brokenRule('operation', 'un documento de aduana (customs) es de una importación (import).');
  if (kind === 'agricultural_receipt' && operation !== 'domestic')
    throw brokenRule(
      'operation',
      'un recibo de la agricultura (agricultural_receipt) es de una operación interior (domestic).',
    );
  if (corrects !== null && kind !== 'corrective')
    throw brokenRule('corrects', 'solo una rectificativa (corrective) rectifica otra factura.');
  if (includes_tax && (isSelfCharged(row) || kind === 'customs'))
    throw brokenRule('prices_include_tax', 'los precios de esta operación no llevan el impuesto.');
}

function correctedOf(sent: NonNullable<PurchaseSent['corrects']>): NonNullable<PurchaseRow['corrects']> {
  const { purchase_invoice_id = null, number, issued_on = null } = sent;
  return { purchase_invoice_id, number, issued_on };
}

/** A letter with its accent may be one character or two: a paper is here once, however its number was typed. */
export const plainNumber = (number: string): string => number.trim().normalize('NFC');

/** What is sent back as it is kept stays. */
function numberOf(stored: PurchaseRow | null, { number }: PurchaseSent): string | null {
  const kept = stored?.supplier_number ?? null;
  if (number === undefined || number === kept) return kept;
  return number === null ? null : plainNumber(number);
}

/** A day that only repeats what follows from the others is not stated. */
function isDeductionStated(stored: PurchaseRow | null, { deduct_on }: PurchaseSent): boolean {
  if (deduct_on === undefined) return stored?.is_deduct_on_stated ?? false;
  return deduct_on !== null && (stored?.is_deduct_on_stated === true || deduct_on !== stored?.deduct_on);
}

/** @throws Problem through `reasons`: 422 business_rule_violation, missing_required_param, parameter_invalid */
export function purchaseFields(
  stored: PurchaseRow | null,
  sent: PurchaseSent,
  { today, is_received, reasons }: { today: string; is_received: boolean; reasons: Reasons },
): Partial<PurchaseRow> {
  const said = <K extends keyof PurchaseSent & keyof PurchaseRow>(key: K): PurchaseRow[K] | null =>
    (sent[key] === undefined ? (stored?.[key] ?? null) : sent[key]) as PurchaseRow[K] | null;
  const kind = said('kind') ?? 'invoice';
  const operation = said('operation') ?? (kind === 'customs' ? 'import' : 'domestic');
  const currency = said('currency') ?? 'EUR';
  const kept_rate = currency === (stored?.currency ?? 'EUR') ? (stored?.exchange_rate ?? null) : null;
  const exchange_rate =
    sent.exchange_rate === undefined
      ? kept_rate
      : sent.exchange_rate === null
        ? null
        : numberText(sent.exchange_rate);
  reasons.attempt(() => checkCurrency(currency, exchange_rate, 'una factura'));
  const corrects = sent.corrects ? correctedOf(sent.corrects) : said('corrects');
  const received_on = said('received_on') ?? (is_received ? (stored?.received_on ?? today) : null);
  const days = { issued_on: said('issued_on'), operation_on: said('operation_on'), received_on };
  reasons.attempt(() => checkDays(days, today));
  const includes_tax = sent.prices_include_tax ?? stored?.prices_include_tax ?? false;
  const cash_accounting = said('cash_accounting') ?? false;
  reasons.attempt(() => checkKind({ kind, operation, corrects, cash_accounting }, includes_tax));
  if (sent.has_recipient_data === false && kind !== 'simplified')
    reasons.refuse(
      brokenRule('has_recipient_data', 'solo una factura simplificada va sin los datos del destinatario.'),
    );
  const is_deduct_on_stated = isDeductionStated(stored, sent);
  const stated = is_deduct_on_stated ? said('deduct_on') : null;
  return {
    ...(stored === null ? blankOwn : {}),
    supplier_number: numberOf(stored, sent),
    kind,
    operation,
    operation_on: days.operation_on,
    received_on,
    due_on: said('due_on'),
    deduct_on: reasons.attempt(() => deductDay(stated, days)) ?? null,
    is_deduct_on_stated,
    currency,
    exchange_rate,
    retention_kind: said('retention_kind'),
    has_recipient_data:
      kind !== 'simplified' ||
      (sent.has_recipient_data ?? (stored?.kind === 'simplified' && stored.has_recipient_data)),
    cash_accounting,
    corrects,
    scan_ids: said('scan_ids') ?? [],
  };
}

/** The supplier's id for the exchange of data between states; kept for form 349, which names no Spanish one. */
export function vatIdOf(snapshot: PurchaseRow['client_snapshot']): string | null {
  const { vat_id, alternative_id } = (snapshot ?? {}) as {
    vat_id?: string | null;
    alternative_id?: { type: string; value: string } | null;
  };
  const ids = [vat_id, alternative_id?.type === 'vat_id' ? alternative_id.value : null];
  return ids.find((id) => id && isForeignVatId(id)) ?? ids.find((id) => id) ?? null;
}

/** What a purchase needs to be received. @throws 422 missing_required_param */
export function checkReceived(row: PurchaseRow): void {
  const is_intra = row.operation === 'intra_community_goods' || row.operation === 'intra_community_services';
  if (row.client_id === null && row.kind !== 'simplified')
    throw missingParam('supplier_id', 'Indique el proveedor: sin él solo puede ser un borrador.');
  if (is_intra && !isForeignVatId(vatIdOf(row.client_snapshot)))
    throw missingParam(
      'supplier_id',
      'En una operación intracomunitaria el proveedor tiene un NIF-IVA de otro Estado miembro: póngaselo.',
    );
  if (row.supplier_number === null)
    throw missingParam('number', 'Indique el número que le dio el proveedor.');
  if (row.issued_on === null) throw missingParam('issued_on', 'Indique la fecha de la factura.');
  if (Number(row.retention_total) !== 0 && row.retention_kind === null)
    throw missingParam('retention_kind', 'Lleva una retención: indique de qué clase es.');
  if (row.kind === 'corrective' && row.corrects === null)
    throw missingParam('corrects', 'Indique qué factura rectifica.');
}

/** The days of a draft that is received now. */
export function receivedDays(row: PurchaseRow, today: string): Partial<PurchaseRow> {
  const received_on = row.received_on ?? today;
  const days = { ...row, received_on };
  checkDays(days, today);
  return { received_on, deduct_on: deductDay(row.is_deduct_on_stated ? row.deduct_on : null, days) };
}
