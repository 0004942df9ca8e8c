/**
 * Faults of stored issued invoices: their series, their amounts, and both against the billing record (RD 1619/2012, art. 6; Orden
 * HAC/1177/2024, art. 6).
 */
import { isDeepStrictEqual } from 'node:util';
import { fixedText } from '../../../domain/money/amount.ts';
import { printedToCents, trimZeros } from '../../../domain/money/printed.ts';
import { computeTotals } from '../../../domain/sales/totals.ts';
import { parseFormat, periodKey, renderNumber, type SeriesReset } from '../../../domain/series-format.ts';
import {
  type AltaContent,
  type Fault,
  type FaultKind,
  makeFault,
  type RecordContent,
} from '../../verifactu/index.ts';
import type { InvoiceBundle } from '../invoices.rows.ts';
import { amountColumns, countedLine } from '../../../domain/sales/build-rows.ts';
import { recipientId } from '../../../domain/sales/recipient-id.ts';
import { altaContent, correctedAmounts } from './record-content.ts';

/** One statement reads it with its series and counter. */
export type NumberedInvoice = {
  id: string;
  number: string | null;
  series_id: string;
  series_code: string | null;
  series_period: string;
  series_number: number;
  issued_on: string | null;
  code: string;
  format: string;
  reset: SeriesReset;
  first_number: number;
  /** Null when the counter is gone. */
  next_number: number | null;
  last_issued_on: string | null;
};

const place = ({ id, number }: { id: string; number: string | null }) => ({ invoice_id: id, number });

/** Invoices come ordered by series, period and number. */
export class NumberingWalk {
  #last: NumberedInvoice | null = null;

  check(row: NumberedInvoice): Fault[] {
    const last = this.#last;
    const is_series = last?.series_id === row.series_id;
    const is_period = is_series && last.series_period === row.series_period;
    const faults = is_period || last === null ? [] : counterFaults(last);
    const say = (kind: FaultKind, anomaly: Fault['anomaly'], what: string) =>
      faults.push(makeFault(kind, anomaly, what, place(row)));
    const expected = is_period ? last.series_number + 1 : is_series ? 1 : row.first_number;
    const { series_number } = row;
    if (series_number < expected)
      say('number_duplicate', '15', `El número ${series_number} de la serie ${row.code} está repetido.`);
    if (series_number > expected) {
      const gap = series_number === expected + 1 ? `${expected}` : `${expected} a ${series_number - 1}`;
      say('number_gap', '15', `En la serie ${row.code} falta: ${gap}.`);
    }
    const format_fault = formatFaultOf(row);
    if (format_fault) say('number_not_of_format', '15', format_fault);
    if (is_series && (row.issued_on ?? '') < (last.issued_on ?? ''))
      say(
        'series_date_backwards',
        '14',
        `La fecha es anterior a la de la factura ${last.number}, que está antes en la serie.`,
      );
    this.#last = row;
    return faults;
  }

  end(): Fault[] {
    return this.#last === null ? [] : counterFaults(this.#last);
  }
}

function counterFaults(last: NumberedInvoice): Fault[] {
  const { next_number, last_issued_on, series_number, code } = last;
  const say = (kind: FaultKind, what: string) => [makeFault(kind, '15', what, place(last))];
  if (next_number === null) return say('series_counter_differs', `Falta el contador de la serie ${code}.`);
  if (next_number > series_number + 1) {
    const count = next_number - series_number - 1;
    return say(
      'number_gap',
      `En la serie ${code} faltan facturas después de esta: el contador ha dado ${count} más.`,
    );
  }
  if (next_number < series_number + 1 || (last_issued_on ?? '') < (last.issued_on ?? ''))
    return say('series_counter_differs', `El contador de la serie ${code} no ha llegado a esta factura.`);
  return [];
}

function formatFaultOf(row: NumberedInvoice): string | null {
  const parts = parseFormat(row.format);
  if ('fault' in parts) return `El formato de la serie ${row.code} no se puede leer.`;
  if (row.issued_on === null) return 'No tiene fecha de expedición.';
  const number = renderNumber(parts, {
    code: row.code,
    on: row.issued_on,
    number: Math.max(1, row.series_number),
  });
  if (row.number !== number) return `El número es ${row.number}, y por su serie sería ${number}.`;
  if (row.series_code !== row.code) return `Dice ser de la serie ${row.series_code} y es de ${row.code}.`;
  const period = periodKey(row.reset, row.issued_on);
  return row.series_period === period
    ? null
    : `Está en el período ${row.series_period || 'único'} y por su fecha es de ${period || 'el único'}.`;
}

/** Compares with the amounts of the lines. */
export function totalsFaults({ document: invoice, lines, tax_rows }: InvoiceBundle): Fault[] {
  const faults: Fault[] = [];
  const differ = (what: string, stored: unknown, computed: unknown) => {
    if (stored === computed) return;
    const text = `${what}: está guardado ${stored ?? 'nada'} y por las líneas es ${computed ?? 'nada'}.`;
    faults.push(makeFault('invoice_totals_wrong', '90', text, place(invoice)));
  };
  const totals = computeTotals(lines.map(countedLine), invoice);
  for (const [name, value] of Object.entries(amountColumns(totals)))
    differ(name, invoice[name as keyof ReturnType<typeof amountColumns>], value);
  lines.forEach((line, i) => {
    const { subtotal, taxes, total } = totals.lines[i]!;
    differ(`lines.${i}.subtotal`, line.subtotal, fixedText(subtotal, 2));
    differ(`lines.${i}.taxes`, line.taxes, fixedText(taxes, 2));
    differ(`lines.${i}.total`, line.total, fixedText(total, 2));
  });
  differ('tax_breakdown', tax_rows.length, totals.tax_breakdown.length);
  totals.tax_breakdown.forEach((row, i) => {
    const stored = tax_rows[i];
    if (!stored) return;
    for (const name of ['base', 'tax', 'surcharge'] as const)
      differ(`tax_breakdown.${i}.${name}`, stored[name], fixedText(row[name], 2));
    for (const name of ['tax_kind', 'regime_key', 'qualification', 'exemption_reason'] as const)
      differ(`tax_breakdown.${i}.${name}`, stored[name], row[name]);
    for (const name of ['tax_rate', 'surcharge_rate'] as const) {
      const rate = row[name];
      differ(
        `tax_breakdown.${i}.${name}`,
        stored[name] === null ? null : trimZeros(stored[name]),
        rate === null ? null : trimZeros(fixedText(rate.units, rate.scale)),
      );
    }
  });
  return faults;
}

export type RecordOfInvoice = {
  id: string;
  position: number;
  kind: 'alta' | 'anulacion';
  invoice_id: string;
  tax_id: string;
  number: string;
  issued_on: string;
  tax_total: string | null;
  total: string | null;
  /** Null when unreadable, or when it broke the schema as it was made. */
  content: RecordContent | null;
};

/** What a text says besides its columns. The huella covers none of it; only a signature would. */
const told: readonly (readonly [keyof AltaContent, string])[] = [
  ['correction', 'la clase de rectificación'],
  ['corrected_invoices', 'las facturas rectificadas'],
  ['substituted_invoices', 'las facturas sustituidas'],
  ['corrected_amounts', 'los importes rectificados'],
  ['is_qualified_simplified', 'la marca de simplificada con destinatario'],
  ['is_without_recipient', 'la marca de factura sin destinatario'],
  ['issued_by', 'quién la expide'],
  ['third_party', 'el tercero'],
  ['rows', 'el desglose'],
];
const mendable: typeof told = [
  ['issuer', 'el emisor'],
  ['operation_on', 'la fecha de operación'],
  ['description', 'la descripción'],
  ['recipients', 'el destinatario'],
];

type Invoice = InvoiceBundle['document'];

/** A record never changes, so what version 0.1.0 said at first is right as well: corrected amounts that were not turned into euros. */
function isUnconverted(said: AltaContent, invoice: Invoice): boolean {
  const corrected_invoices = invoice.corrected_invoices.map(({ euros: _, ...one }) => one);
  const unconverted = correctedAmounts({ ...invoice, corrected_invoices }, printedToCents);
  return isDeepStrictEqual(said.corrected_amounts, unconverted);
}

/** Likewise, a Spanish VAT number that was no NIF. */
function isBySpanishVatId({ recipients }: AltaContent, expected: AltaContent): boolean {
  const as_vat_ids = expected.recipients.map(({ name, tax_id }) => ({
    name,
    tax_id: null,
    foreign_id: { type: '02', country: null, id: `ES${tax_id}` },
  }));
  return isDeepStrictEqual(recipients, as_vat_ids);
}

/** And, with E5, the NIF of a recipient that has a foreign VAT number. */
function isByNif({ recipients }: AltaContent, expected: AltaContent, invoice: Invoice): boolean {
  const { kind, value } = recipientId(invoice, []);
  const as_nif = expected.recipients.map(({ name }) => ({ name, tax_id: value, foreign_id: null }));
  return kind === 'nif' && isDeepStrictEqual(recipients, as_nif);
}

/** What the record says otherwise, in Spanish. */
function toldOtherwise(said: AltaContent, expected: AltaContent, invoice: Invoice): string[] {
  const asked = said.is_subsanacion ? told : [...told, ...mendable];
  return asked.flatMap(([name, label]) => {
    if (isDeepStrictEqual(said[name], expected[name])) return [];
    if (name === 'corrected_amounts' && isUnconverted(said, invoice)) return [];
    if (name === 'recipients' && (isBySpanishVatId(said, expected) || isByNif(said, expected, invoice)))
      return [];
    return [label];
  });
}

/** @param bundle undefined when the company has no such invoice */
export function recordFaults(record: RecordOfInvoice, bundle: InvoiceBundle | undefined): Fault[] {
  const { tax_id, number, issued_on } = record;
  const at = {
    position: record.position,
    record_id: record.id,
    invoice_id: record.invoice_id,
    number,
    invoice: { tax_id, number, issued_on },
  };
  if (bundle === undefined)
    return [makeFault('record_without_invoice', '03', 'La factura de este registro no existe.', at)];
  const { document: invoice } = bundle;
  const faults: Fault[] = [];
  const content = altaContent(bundle);
  const is_alta = record.kind === 'alta';
  const pairs = [
    ['Del emisor', tax_id, content.issuer.tax_id],
    ['Del número', number, invoice.number],
    ['De la fecha', issued_on, invoice.issued_on],
    ['De la cuota', record.tax_total, is_alta ? content.tax_total : null],
    ['Del total', record.total, is_alta ? content.total : null],
  ] as const;
  for (const [name, recorded, stored] of pairs) {
    if (recorded === stored) continue;
    const what = `${name} dice el registro ${recorded ?? 'nada'} y la factura ${stored ?? 'nada'}.`;
    faults.push(makeFault('record_differs_from_invoice', '03', what, at));
  }
  const otherwise = record.content?.kind === 'alta' ? toldOtherwise(record.content, content, invoice) : [];
  if (otherwise.length > 0) {
    const what = `El texto del registro y la factura no dicen lo mismo de: ${otherwise.join(', ')}.`;
    faults.push(makeFault('record_differs_from_invoice', '03', what, at));
  }
  const is_withdrawn = invoice.status === 'annulled' || invoice.status === 'voided';
  if (invoice.record?.kind === 'anulacion' && record.kind === 'anulacion' && !is_withdrawn)
    faults.push(
      makeFault('record_without_withdrawal', '03', 'Está anulada en la cadena y en vigor como factura.', at),
    );
  return faults;
}
