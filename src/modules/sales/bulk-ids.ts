/** Ids of a bulk operation, whose number and repetition have a code of their own. */
import { commonErrors as c } from '../../kernel/common.errors.ts';
import { fail } from '../../kernel/problem.ts';
import { Type, Uuid } from '../../kernel/schema.ts';

const idsMax = 50;

/**
 * No body holds more than these.
 * @param many `albaranes`
 */
export const bulkIds = (many: string) =>
  Type.Array(Uuid, {
    maxItems: 1650,
    description: `Ids de ${many}, de 1 a ${idsMax} y sin repetir`,
  });

/** @throws 422 invalid_param_value */
export function checkBulkIds(ids: readonly string[]): void {
  const reason =
    ids.length === 0 || ids.length > idsMax
      ? `se admiten de 1 a ${idsMax} ids.`
      : new Set(ids).size < ids.length
        ? 'hay ids repetidos.'
        : undefined;
  if (reason !== undefined) throw fail(c.invalid_param_value, { param: 'ids', values: { reason } });
}
