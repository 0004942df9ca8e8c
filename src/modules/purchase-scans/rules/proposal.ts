/** The body that `create_purchase_invoice` takes as a draft. What it would refuse is left out, with a warning. */
import { parseAmount } from '../../../domain/money/amount.ts';
import { jsonNumber } from '../../../kernel/decimal.ts';
import { plainText, type ReadLine, type ReadPurchase } from './read-purchase.ts';

type Proposed = { proposal: Record<string, unknown> | null; warnings: string[] };

const otherCurrency = (currency: string) =>
  `La factura está en ${plainText(currency, 20)}: regístrela a mano con su tipo de cambio.`;

const uncertain = (what: string) => `${what} no se ha leído con certeza: complete el borrador.`;

export function proposalOf(
  purchase: ReadPurchase,
  { supplier_id, today, is_to_other }: { supplier_id: string | null; today: string; is_to_other?: boolean },
): Proposed {
  const { currency, number, kind, corrects, lines, taxes, total } = purchase;
  if (currency !== 'EUR') return { proposal: null, warnings: [otherCurrency(currency)] };
  const { days, warnings } = usableDays(purchase, today);
  const proposal = {
    draft: true,
    ...(supplier_id === null ? {} : { supplier_id }),
    ...(number === null ? {} : { number }),
    kind,
    ...(corrects ? { corrects } : {}),
    ...(kind === 'simplified' && purchase.has_recipient_data && !is_to_other
      ? { has_recipient_data: true }
      : {}),
    ...(purchase.cash_accounting ? { cash_accounting: true } : {}),
    ...days,
    currency,
    lines: lines.map(lineOf),
    tax_breakdown: taxes.map(({ tax_kind, tax_rate, base, tax }) => ({
      tax_kind,
      tax_rate: numberOf(tax_rate),
      base: numberOf(base),
      tax: numberOf(tax),
    })),
    expected_total: numberOf(total),
  };
  return { proposal, warnings: number === null ? [uncertain('El número'), ...warnings] : warnings };
}

/** Unsaid values are sent as none, so that the supplier's usual ones are not added. */
function lineOf({ description, quantity, unit_price, tax_kind, tax_rate, retention_rate }: ReadLine) {
  return {
    description,
    quantity: numberOf(quantity),
    unit_price: numberOf(unit_price),
    discount_percent: 0,
    tax_kind,
    ...(tax_rate === null ? { exemption_reason: 'E6' } : { tax_rate: numberOf(tax_rate) }),
    retention_rate: numberOf(retention_rate ?? '0'),
  };
}

type Days = Partial<Record<'issued_on' | 'operation_on' | 'due_on', string>>;

function usableDays(
  { issued_on, operation_on, due_on }: ReadPurchase,
  today: string,
): { days: Days; warnings: string[] } {
  const days: Days = {};
  const warnings: string[] = [];
  if (issued_on === null) warnings.push(uncertain('La fecha de expedición'));
  else if (issued_on > today) warnings.push(`La fecha de expedición leída, ${issued_on}, es futura.`);
  else days.issued_on = issued_on;
  if (operation_on !== null && operation_on > today)
    warnings.push(`La fecha de operación leída, ${operation_on}, es futura.`);
  else if (operation_on !== null) days.operation_on = operation_on;
  if (due_on !== null && (days.issued_on === undefined || due_on < days.issued_on))
    warnings.push(`El vencimiento leído, ${due_on}, no va con la fecha de expedición.`);
  else if (due_on !== null) days.due_on = due_on;
  return { days, warnings };
}

/** A text of at most fifteen digits, which a double holds. */
function numberOf(text: string): number {
  if (!jsonNumber.test(text) || !parseAmount(text, { decimals: 8, significant_digits: 15 }))
    throw new Error(`${text} is no number that was checked.`);
  return Number(text);
}
