import { type FormatParts, parseFormat } from '../../domain/series-format.ts';
import { commonErrors as c } from '../../kernel/common.errors.ts';
import type { Tx } from '../../kernel/operation.ts';
import { fail, type Problem } from '../../kernel/problem.ts';
import { constraintOf } from '../../platform/db.ts';
import { kindsSharingNumbers, numbersClash } from './rules/number-clash.ts';
import type { SeriesFields } from './series.schema.ts';
import { listSeriesOfKinds } from './series.store.ts';

/**
 * Lock the company's series first.
 * @param own_id the series itself, when it exists
 * @throws 422 business_rule_violation: param format when another series could give the same number, param
 *   code when it has the same code
 */
export async function refuseSharedNumbers(
  tx: Tx,
  company_id: string,
  fields: SeriesFields,
  parts: FormatParts,
  own_id: string | null,
): Promise<void> {
  const others = await listSeriesOfKinds(tx, company_id, kindsSharingNumbers(fields.document_type));
  const clashing = others.find((other) => {
    if (other.id === own_id) return false;
    const other_parts = parseFormat(other.format);
    return (
      !('fault' in other_parts) &&
      numbersClash({ code: fields.code, parts }, { ...other, parts: other_parts })
    );
  });
  if (!clashing) return;
  if (clashing.code === fields.code) throw codeTaken();
  const reason = `con este formato podría repetir números de la serie ${clashing.code}.`;
  throw fail(c.business_rule_violation, { param: 'format', values: { reason } });
}

function codeTaken(): Problem {
  return fail(c.business_rule_violation, {
    param: 'code',
    values: { reason: 'ya hay una serie con este código.' },
  });
}

/** @throws 422 business_rule_violation, param code, when another series has it */
export async function withFreeCode(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    throw constraintOf(error) === 'series_code' ? codeTaken() : error;
  }
}
