/** The rows of a draft. Number, dates of issue and snapshots are set on issue. */
import { amountLimits, amountText, fixedText } from '../money/amount.ts';
import { storedToAmount } from '../money/printed.ts';
import { buildLinesInSteps, type DocumentLine } from './lines.ts';
import type { LineFacts } from './line-facts.ts';
import type { LineInput } from './line-input.ts';
import { lineErrors } from './lines.errors.ts';
import { amountsOverflow, reconciliationFault } from './totals-checks.ts';
import { computeTotals, type Totals, type TotalsLine } from './totals.ts';
import { commonErrors as c } from '../../kernel/common.errors.ts';
import { fail } from '../../kernel/problem.ts';
import { Reasons } from '../../kernel/reasons.ts';
import { runSteps, type Steps } from '../../kernel/steps.ts';
import { newId } from '../../kernel/uuid7.ts';
import type { LineRow, TaxRow } from './rows.ts';

export type BuiltLines = { lines: LineRow[]; tax_rows: TaxRow[]; totals: Totals };

export type AmountColumns = {
  subtotal: string;
  discount_total: string;
  taxes_total: string;
  surcharge_total: string;
  retention_total: string;
  total: string;
  amount_due: string;
};

export function amountColumns(totals: Omit<Totals, 'lines' | 'tax_breakdown'>): AmountColumns {
  return {
    subtotal: fixedText(totals.subtotal, 2),
    discount_total: fixedText(totals.discount_total, 2),
    taxes_total: fixedText(totals.taxes_total, 2),
    surcharge_total: fixedText(totals.surcharge_total, 2),
    retention_total: fixedText(totals.retention_total, 2),
    total: fixedText(totals.total, 2),
    amount_due: fixedText(totals.amount_due, 2),
  };
}

/** In one go. @throws as `documentLinesInSteps` */
export function buildDocumentLines(
  document_id: string,
  input: readonly LineInput[],
  facts: LineFacts,
  options: { prices_include_tax: boolean },
): BuiltLines {
  return runSteps(documentLinesInSteps(document_id, input, facts, options, new Reasons()))!;
}

/**
 * @returns undefined when a dry run collected a refusal
 * @throws 422 with `line_index` for a fault of one line; amount_reconciliation_failed; parameter_invalid for
 *   amounts beyond 12 integer digits
 */
export function* documentLinesInSteps(
  document_id: string,
  input: readonly LineInput[],
  facts: LineFacts,
  options: { prices_include_tax: boolean },
  reasons: Reasons,
): Steps<BuiltLines | undefined> {
  const document_lines = yield* buildLinesInSteps(input, facts, reasons);
  yield;
  return document_lines && reasons.attempt(() => assemble(document_id, document_lines, options));
}

const sentAt = (lines: readonly DocumentLine[], position: number) => lines[position]?.sent_at ?? position;

function assemble(
  document_id: string,
  document_lines: readonly DocumentLine[],
  options: { prices_include_tax: boolean },
): BuiltLines {
  const totals = computeTotals(document_lines, options);
  const overflow = amountsOverflow(totals);
  if (overflow) {
    const line_index = overflow.line_index === null ? null : sentAt(document_lines, overflow.line_index);
    const param = line_index === null ? overflow.field : `lines.${line_index}.total`;
    throw fail(c.parameter_invalid, {
      param,
      ...(line_index === null ? {} : { line_index }),
      errors: [{ param, code: 'parameter_invalid', message: 'El importe supera las 12 cifras enteras.' }],
    });
  }
  const fault = reconciliationFault(totals, options);
  if (fault) {
    const line_index = sentAt(document_lines, fault.line_index);
    throw fail(lineErrors.amount_reconciliation_failed, {
      param: `lines.${line_index}.${fault.field}`,
      line_index,
      values: {
        reason: 'una retención o un recargo cambian el total de unos precios que incluyen impuestos.',
      },
    });
  }
  return {
    lines: document_lines.map((line, position) => lineRow(document_id, position, line, totals)),
    tax_rows: taxRowsOf(document_id, totals),
    totals,
  };
}

function taxRowsOf(document_id: string, { tax_breakdown }: Totals): TaxRow[] {
  return tax_breakdown.map((row, position) => ({
    document_id,
    position,
    tax_kind: row.tax_kind,
    regime_key: row.regime_key,
    qualification: row.qualification,
    exemption_reason: row.exemption_reason,
    tax_rate: row.tax_rate === null ? null : amountText(row.tax_rate),
    surcharge_rate: row.surcharge_rate === null ? null : amountText(row.surcharge_rate),
    base: fixedText(row.base, 2),
    tax: fixedText(row.tax, 2),
    surcharge: fixedText(row.surcharge, 2),
  }));
}

/** Counts stored lines anew, together with added ones. They are checked when the document is issued. */
export function recountRows(
  document_id: string,
  rows: readonly LineRow[],
  options: { prices_include_tax: boolean },
): BuiltLines {
  const totals = computeTotals(rows.map(countedLine), options);
  const lines = rows.map((row, position) => {
    const { subtotal, taxes, total } = totals.lines[position]!;
    const amounts = {
      subtotal: fixedText(subtotal, 2),
      taxes: fixedText(taxes, 2),
      total: fixedText(total, 2),
    };
    return { ...row, ...amounts, document_id, position };
  });
  return { lines, tax_rows: taxRowsOf(document_id, totals), totals };
}

/** What counts of a line. */
export function countedLine(row: LineRow): TotalsLine {
  const rateOf = (text: string | null) => (text === null ? null : storedToAmount(text, amountLimits.rate));
  const { discount_percent, details } = row;
  return {
    quantity: storedToAmount(row.quantity, amountLimits.quantity),
    unit_price: storedToAmount(row.unit_price, amountLimits.unit_price),
    discount_percent:
      discount_percent === null ? null : storedToAmount(discount_percent, amountLimits.discount_percent),
    tax_kind: row.tax_kind as TotalsLine['tax_kind'],
    tax_rate: rateOf(row.tax_rate),
    surcharge_rate: rateOf(row.surcharge_rate),
    retention_rate: rateOf(row.retention_rate),
    qualification: row.qualification as TotalsLine['qualification'],
    exemption_reason: row.exemption_reason,
    regime_key: row.regime_key,
    price_includes_tax: details?.price_includes_tax === true,
    rounded_with: details?.rounded_with,
  };
}

/** The keys that lines or their taxes state, in order. */
export function declaredKeys(
  lines: readonly Pick<LineRow, 'is_regime_key_stated' | 'regime_key'>[],
): string[] {
  return lines.flatMap(({ is_regime_key_stated, regime_key }) =>
    is_regime_key_stated && regime_key !== null ? [regime_key] : [],
  );
}

function lineRow(document_id: string, position: number, line: DocumentLine, totals: Totals): LineRow {
  const amounts = totals.lines[position]!;
  const text = (amount: DocumentLine['tax_rate']) => (amount === null ? null : amountText(amount));
  return {
    document_id,
    position,
    id: line.id ?? newId(),
    description: line.description,
    product_id: line.product_id,
    product_name: line.product_name,
    quantity: amountText(line.quantity),
    unit: line.unit,
    kind: line.kind,
    is_kind_stated: line.is_kind_stated,
    unit_price: amountText(line.unit_price),
    discount_percent: text(line.discount_percent),
    taxes_id: line.taxes_id,
    tax_name: line.tax_name,
    tax_kind: line.tax_kind,
    tax_rate: text(line.tax_rate),
    retention_rate: text(line.retention_rate),
    surcharge_rate: text(line.surcharge_rate),
    qualification: line.qualification,
    exemption_reason: line.exemption_reason,
    exemption_reason_text: line.exemption_reason_text,
    regime_key: line.regime_key,
    is_regime_key_stated: line.is_regime_key_stated,
    is_surcharge_stated: line.is_surcharge_stated,
    details: line.details,
    subtotal: fixedText(amounts.subtotal, 2),
    taxes: fixedText(amounts.taxes, 2),
    total: fixedText(amounts.total, 2),
  };
}
