/**
 * The lines that a pro-forma's carriage becomes. It is part of what is paid for the supply and follows its taxes (LIVA, art.
 * 78.Dos.1.º). Its cost includes them, and every line keeps its part of the cost to the cent.
 */
import { newId } from '../../kernel/uuid7.ts';
import { amountText, type Cents, parseAmount } from '../money/amount.ts';
import { apportion } from '../money/apportion.ts';
import { printedToCents } from '../money/printed.ts';
import { type FiscalFields, serviceRefusal } from '../tax/fiscal-rules.ts';
import type { DefaultTaxKind } from './default-tax.ts';
import type { Bundle, LineRow, TaxRow } from './rows.ts';

/** As it was when it was stated. */
export type CarriageTax = Pick<
  LineRow,
  'taxes_id' | 'tax_name' | 'tax_kind' | 'tax_rate' | 'qualification' | 'exemption_reason' | 'regime_key'
>;

export const ofRate = (tax_rate: string, tax_kind: DefaultTaxKind): CarriageTax => ({
  taxes_id: null,
  tax_name: null,
  tax_kind,
  tax_rate,
  qualification: 'S1',
  exemption_reason: null,
  regime_key: '01',
});

type Carriage = {
  cost: Cents;
  /** Null shares the cost over the rows of the breakdown, by their base. */
  tax: CarriageTax | null;
  /** For a document without a positive row. */
  default_tax: CarriageTax | null;
  /** What its lines say. */
  description: string;
};

/** It has its own tax, which no other line decides. */
const plainLine = {
  document_id: '',
  position: 0,
  id: '',
  description: '',
  product_id: null,
  product_name: null,
  quantity: '1',
  unit: null,
  kind: 'service' as const,
  is_kind_stated: true,
  unit_price: '0',
  discount_percent: null,
  ...ofRate('0', 'vat'),
  retention_rate: null,
  surcharge_rate: null,
  exemption_reason_text: null,
  is_regime_key_stated: false,
  is_surcharge_stated: true,
  details: null,
  subtotal: '0',
  taxes: '0',
  total: '0',
} satisfies LineRow;

/** Whether a row of the breakdown takes a share of carriage without a tax of its own. */
export const takesCarriage = ({ base }: TaxRow) => printedToCents(base) > 0n;

/** @returns null when nothing says its rate. Amounts of lines are not counted yet */
export function carriageLines(
  { lines, tax_rows }: Pick<Bundle, 'lines' | 'tax_rows'>,
  { cost, tax, default_tax, description }: Carriage,
): LineRow[] | null {
  if (cost === 0n) return [];
  const lineOf = (like: LineRow, cents: Cents) => carriageLine(like, cents, description);
  if (tax !== null) return [lineOf({ ...plainLine, ...tax, kind: kindOf(tax) }, cost)];
  const rows = tax_rows.filter(takesCarriage);
  if (rows.length === 0)
    return default_tax === null ? null : [lineOf({ ...plainLine, ...default_tax }, cost)];
  const bases = rows.map(({ base }) => printedToCents(base));
  const shares = apportion(
    bases,
    cost,
    bases.reduce((sum, base) => sum + base, 0n),
    cost,
  );
  return rows.flatMap((row, at) => {
    const like = lines.find((line) => isOf(line, row));
    if (!like) throw new Error('A row of the breakdown has no line.');
    return shares[at] === 0n ? [] : [lineOf(like, shares[at]!)];
  });
}

/** An exemption that only goods have makes it a good. */
function kindOf({ tax_kind, regime_key, qualification, exemption_reason }: CarriageTax): 'good' | 'service' {
  const fields = {
    tax_kind,
    regime_key,
    qualification,
    exemption_reason,
    tax_rate: null,
    surcharge_rate: null,
  };
  return serviceRefusal(fields as FiscalFields) ? 'good' : 'service';
}

function carriageLine(like: LineRow, cents: Cents, description: string): LineRow {
  return {
    ...like,
    id: newId(),
    description,
    product_id: null,
    product_name: null,
    quantity: '1',
    unit: null,
    kind: like.kind ?? 'good',
    is_kind_stated: true,
    unit_price: amountText({ units: cents, scale: 2 }),
    discount_percent: null,
    retention_rate: null,
    details: { price_includes_tax: true },
  };
}

const sameRate = (a: string | null, b: string | null) =>
  a === b || (a !== null && b !== null && Number(a) === Number(b));
/** 0 is none. */
const surchargeOf = ({ surcharge_rate }: Pick<LineRow, 'surcharge_rate'>) =>
  surcharge_rate !== null && Number(surcharge_rate) === 0 ? null : surcharge_rate;

function isOf(line: LineRow, row: TaxRow): boolean {
  return (
    line.tax_kind === row.tax_kind &&
    line.regime_key === row.regime_key &&
    line.qualification === row.qualification &&
    line.exemption_reason === row.exemption_reason &&
    sameRate(line.tax_rate, row.tax_rate) &&
    sameRate(surchargeOf(line), surchargeOf(row))
  );
}

/** @param text with at most two decimals */
export function carriageCents(text: string): Cents {
  const amount = parseAmount(text, { decimals: 2 });
  if (!amount) throw new Error('The cost of carriage cannot be read.');
  return amount.units;
}
