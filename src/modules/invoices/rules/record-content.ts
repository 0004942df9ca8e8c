/**
 * The content of an invoice's billing record (RD 1007/2023, arts. 10 and 11), from its issued snapshot alone, so it is always the
 * same. Amounts are in euros, converted row by row.
 */
import { fixedText, parseAmount, roundDiv } from '../../../domain/money/amount.ts';
import { printedToCents, trimZeros } from '../../../domain/money/printed.ts';
import { isLongerThan } from '../../../kernel/text-length.ts';
import { oneLine } from '../../../kernel/xml-characters.ts';
import type { ExemptionReason, Qualification, RegimeKey } from '../../../domain/tax/record-codes.ts';
import type { TaxKind } from '../../../domain/tax/spanish-taxes.ts';
import type {
  AltaContent,
  AnulacionContent,
  BreakdownRow,
  ForeignIdType,
  Party,
  SpanishParty,
} from '../../verifactu/index.ts';
import type { LineRow, TaxRow } from '../../../domain/sales/rows.ts';
import type { EuroAmounts, InvoiceBundle, InvoiceRow } from '../invoices.rows.ts';
import { euros, type ToEuros } from '../../../domain/sales/currency.ts';
import { type EuroRow, euroRows } from '../../../domain/sales/euro-rows.ts';
import { isQualifiedSimplified } from './invoice-types.ts';
import { recipientId } from '../../../domain/sales/recipient-id.ts';

const taxCodes: Record<TaxKind, BreakdownRow['tax_code']> = {
  vat: '01',
  ipsi: '02',
  igic: '03',
  other: '05',
};

const foreignTypes: Record<string, ForeignIdType> = {
  vat_id: '02',
  passport: '03',
  tax_id_foreign: '04',
  official_id: '04',
  residence_certificate: '05',
  other: '06',
};

function recipientOf(invoice: InvoiceRow, tax_rows: readonly TaxRow[]): Party {
  const name = invoice.client_name ?? '';
  const { kind, value, country } = recipientId(invoice, tax_rows);
  if (kind === 'nif') return { name, tax_id: value, foreign_id: null };
  const type = foreignTypes[kind] ?? '06';
  return { name, tax_id: null, foreign_id: { type, country: type === '02' ? null : country, id: value } };
}

/** Exactly two decimals. */
function rateText(rate: string): string {
  const parsed = parseAmount(trimZeros(rate), { decimals: 4 });
  if (!parsed) throw new Error('A stored rate cannot be read.');
  return fixedText(roundDiv(parsed.units, 100n), 2);
}

type Recorded = Pick<InvoiceBundle, 'lines' | 'tax_rows'> & {
  document: Pick<InvoiceRow, 'exchange_rate'>;
};
type Amounts = { row: BreakdownRow; cents: bigint; tax_cents: bigint };

function rowOf(row: TaxRow, euro: EuroRow): Amounts {
  const has_rate = row.qualification === 'S1' || row.qualification === 'S2';
  const has_surcharge =
    row.qualification === 'S1' && row.surcharge_rate !== null && Number(row.surcharge_rate) !== 0;
  const { base } = euro;
  const tax = has_rate ? euro.tax : 0n;
  const surcharge = has_surcharge ? euro.surcharge : 0n;
  return {
    row: {
      tax_code: taxCodes[row.tax_kind as TaxKind],
      regime_key: row.regime_key as RegimeKey | null,
      qualification: row.exemption_reason === null ? (row.qualification as Qualification) : null,
      exemption_reason: row.exemption_reason as ExemptionReason | null,
      rate: has_rate ? rateText(row.tax_rate ?? '0') : null,
      base: fixedText(base, 2),
      base_at_cost: null,
      tax: has_rate ? fixedText(tax, 2) : null,
      surcharge_rate: has_surcharge ? rateText(row.surcharge_rate!) : null,
      surcharge: has_surcharge ? fixedText(surcharge, 2) : null,
    },
    cents: base,
    tax_cents: tax + surcharge,
  };
}

const descriptionMax = 500;

/** The invoice's description, else those of its lines as far as they fit. */
function descriptionOf(invoice: InvoiceRow, lines: readonly LineRow[]): string {
  const given = invoice.description?.trim() || lines.map((line) => line.description.trim()).join('; ');
  const text = oneLine(given);
  if (text === '') return 'Venta';
  if (!isLongerThan(text, descriptionMax)) return text;
  // The limit counts characters of one or two code units. Cutting at twice the limit first avoids splitting a very long text.
  return [...text.slice(0, 2 * descriptionMax)].slice(0, descriptionMax).join('');
}

function issuerOf(invoice: InvoiceRow): SpanishParty {
  const { name, tax_id } = (invoice.issuer_snapshot ?? {}) as { name?: string | null; tax_id?: string };
  return { name: name ?? '', tax_id: tax_id ?? '' };
}

function recordRows({ document, lines, tax_rows }: Recorded): Amounts[] {
  const in_euros = euroRows(tax_rows, lines, euros(document.exchange_rate));
  return tax_rows.map((row, at) => rowOf(row, in_euros[at]!));
}

/** What the records of these invoices say together. */
export function euroAmounts(invoices: readonly Recorded[]): EuroAmounts {
  const rows = invoices.flatMap(recordRows).map(({ row }) => row);
  const sum = (key: 'base' | 'tax' | 'surcharge') =>
    fixedText(
      rows.reduce((all, row) => all + printedToCents(row[key] ?? '0.00'), 0n),
      2,
    );
  return { base: sum('base'), tax: sum('tax'), surcharge: sum('surcharge') };
}

const amountText = (value: number | null): string => (value ?? 0).toFixed(2);

/**
 * What a corrective by substitution replaces; else null.
 * @param toEuros from the invoice's currency
 */
export function correctedAmounts(
  { correction_type, corrected_invoices }: InvoiceRow,
  toEuros: ToEuros,
): AltaContent['corrected_amounts'] {
  if (correction_type !== 'substitution') return null;
  const sum = (key: 'subtotal' | 'taxes_total' | 'surcharge_total', said: keyof EuroAmounts) =>
    corrected_invoices.reduce(
      (all, { euros, ...one }) => all + (euros ? printedToCents(euros[said]) : toEuros(amountText(one[key]))),
      0n,
    );
  const surcharge = sum('surcharge_total', 'surcharge');
  return {
    base: fixedText(sum('subtotal', 'base'), 2),
    tax: fixedText(sum('taxes_total', 'tax'), 2),
    surcharge: surcharge === 0n ? null : fixedText(surcharge, 2),
  };
}

/** A corrective R5 with a recipient would need the mark, which its type does not admit. */
const bearsMark = ({ type, client_id, print_recipient }: InvoiceRow) =>
  type === 'R5' && client_id !== null && !print_recipient;

/** The first record of an issued invoice. The commit fills in its number. */
export function altaContent(bundle: InvoiceBundle): AltaContent {
  const { document: invoice, lines, tax_rows } = bundle;
  const issuer = issuerOf(invoice);
  const toEuros = euros(invoice.exchange_rate);
  const rows = recordRows(bundle);
  const tax_cents = rows.reduce((sum, row) => sum + row.tax_cents, 0n);
  const total_cents = rows.reduce((sum, row) => sum + row.cents, tax_cents);
  const is_qualified_simplified = isQualifiedSimplified(invoice);
  const type = is_qualified_simplified ? 'F1' : invoice.type;
  const is_anonymous = type === 'F2' || type === 'R5';
  const refs = (all: InvoiceRow['corrected_invoices']) =>
    all.map((one) => ({ tax_id: issuer.tax_id, number: one.number, issued_on: one.issued_on }));
  return {
    kind: 'alta',
    issuer,
    number: invoice.number ?? '',
    issued_on: invoice.issued_on ?? '',
    reference: null,
    is_subsanacion: false,
    prior_rejection: null,
    type,
    correction:
      invoice.correction_type === null ? null : invoice.correction_type === 'substitution' ? 'S' : 'I',
    corrected_invoices: refs(invoice.corrected_invoices),
    substituted_invoices: refs(invoice.substituted_invoices),
    corrected_amounts: correctedAmounts(invoice, toEuros),
    operation_on: invoice.operation_on === invoice.issued_on ? null : invoice.operation_on,
    description: descriptionOf(invoice, lines),
    is_qualified_simplified: is_qualified_simplified || bearsMark(invoice),
    is_without_recipient: invoice.no_recipient_art61d,
    issued_by: invoice.issued_by === 'issuer' ? null : invoice.issued_by === 'recipient' ? 'D' : 'T',
    third_party:
      invoice.third_party === null
        ? null
        : { name: invoice.third_party.name, tax_id: invoice.third_party.tax_id, foreign_id: null },
    recipients: is_anonymous || invoice.client_id === null ? [] : [recipientOf(invoice, tax_rows)],
    rows: rows.map(({ row }) => row),
    tax_total: fixedText(tax_cents, 2),
    total: fixedText(total_cents, 2),
  };
}

export function anulacionContent(
  invoice: InvoiceRow,
  flags: Pick<AnulacionContent, 'has_no_prior_record' | 'is_prior_rejection'>,
): AnulacionContent {
  return {
    kind: 'anulacion',
    issuer: issuerOf(invoice),
    number: invoice.number ?? '',
    issued_on: invoice.issued_on ?? '',
    reference: null,
    ...flags,
  };
}
