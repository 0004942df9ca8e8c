/** The lines of several documents that become one. */
import type { LineRow } from '../../domain/sales/rows.ts';
import { commonErrors as c } from '../../kernel/common.errors.ts';
import type { Tx } from '../../kernel/operation.ts';
import { fail } from '../../kernel/problem.ts';
import { linesMax } from './documents.schema.ts';
import { listLines } from './documents.store.ts';
import type { Family } from './family.ts';

/**
 * A hundred documents may have fifty thousand lines, so only as many are read as one document holds.
 * @param param names the documents
 * @throws 422 business_rule_violation for too many lines
 */
export async function listLinesTogether(
  tx: Tx,
  family: Family,
  company_id: string,
  ids: readonly string[],
  param: string,
): Promise<LineRow[]> {
  const lines = await listLines(tx, family, company_id, ids, linesMax + 1);
  if (lines.length <= linesMax) return [...lines];
  const reason = `suman más de ${linesMax} líneas, que son las que puede tener una factura.`;
  throw fail(c.business_rule_violation, { param, values: { reason } });
}
