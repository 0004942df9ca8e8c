/** What an issue asks of the equivalence surcharge. Which lines take it is decided in domain/sales. */
import { buildLinesInSteps } from '../../../domain/sales/lines.ts';
import type { LineFacts } from '../../../domain/sales/line-facts.ts';
import { asSent } from '../../../domain/sales/merge-lines.ts';
import type { LineRow } from '../../../domain/sales/rows.ts';
import { amountText } from '../../../domain/money/amount.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { fail } from '../../../kernel/problem.ts';
import { Reasons } from '../../../kernel/reasons.ts';
import type { Steps } from '../../../kernel/steps.ts';

const isNothing = (text: string | null) => Number(text ?? 0) === 0;

const isCharged = ({ surcharge_rate }: LineRow) => !isNothing(surcharge_rate);

/** Goods at the rate 0 have a surcharge of 0, and a line without amount sells nothing. */
function goesWithSurcharge(line: LineRow): boolean {
  if (isCharged(line) || isNothing(line.subtotal)) return true;
  return (
    line.tax_kind === 'vat' &&
    line.qualification === 'S1' &&
    line.kind !== 'service' &&
    isNothing(line.tax_rate)
  );
}

const isMixed = (lines: readonly LineRow[]) => lines.some(isCharged) && !lines.every(goesWithSurcharge);

/**
 * Goods with surcharge have invoices of their own (RD 1619/2012, art. 16.4).
 * @param corrected lines of the invoice that it corrects: an older one may have both, and then its corrective too
 * @throws 422 business_rule_violation, `param` lines
 */
export function checkSurchargeApart(lines: readonly LineRow[], corrected: readonly LineRow[] = []): void {
  if (!isMixed(lines) || isMixed(corrected)) return;
  const reason =
    'las entregas con recargo de equivalencia van en una factura aparte: ponga las demás líneas en otra.';
  throw fail(c.business_rule_violation, { param: 'lines', values: { reason } });
}

/**
 * Client and products may have changed since a draft was kept. The issue never changes its amounts silently.
 * @throws 422 business_rule_violation with `line_index`
 */
export function* checkSurchargeOfToday(lines: readonly LineRow[], facts: LineFacts): Steps<void> {
  const may_differ = (line: LineRow) =>
    facts.is_surcharge_subject || isCharged(line) || line.exemption_reason === 'E5';
  if (!lines.some(may_differ)) return;
  const today = (yield* buildLinesInSteps(lines.map(asSent), facts, new Reasons())) ?? [];
  const line_index = today.findIndex(
    ({ surcharge_rate }, at) =>
      Number(surcharge_rate === null ? 0 : amountText(surcharge_rate)) !==
      Number(lines[at]?.surcharge_rate ?? 0),
  );
  if (line_index < 0) return;
  const reason =
    'el recargo de equivalencia de la línea ya no es el que corresponde al cliente o al producto: guarde el borrador de nuevo (PUT) y revise su total.';
  const param = `lines.${line_index}.surcharge_rate`;
  throw fail(c.business_rule_violation, { param, line_index, values: { reason } });
}
