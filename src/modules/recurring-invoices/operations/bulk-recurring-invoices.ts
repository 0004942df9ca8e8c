/** What the bulk operations share: the ids of the body, and the answer. Each id stands alone. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import type { Ctx } from '../../../kernel/operation.ts';
import { fail, Problem, problemMessage } from '../../../kernel/problem.ts';
import { Described, One, Type, Uuid } from '../../../kernel/schema.ts';
import { findDocuments, lockVersions } from '../../sales/index.ts';
import { recurringErrors as e } from '../recurring-invoices.errors.ts';
import { recurringInvoices as family } from '../recurring-invoices.family.ts';
import type { RecurringRow } from '../recurring-invoices.schema.ts';

const idsMax = 50;

/** Number and repetition are checked by `checkIds`, which has a code of its own. No body holds more than these. */
export const Ids = Type.Array(Uuid, {
  maxItems: 1650,
  description: 'Ids de las facturas recurrentes, de 1 a 50 y sin repetir',
});

export const BulkResult = One(
  Type.Object({
    object: Type.Literal('bulk_result'),
    id: Described(Uuid, 'Id de la empresa'),
    total: Type.Integer({ description: 'Ids enviados' }),
    successful: Type.Integer({ description: 'Los que se han cambiado' }),
    failed: Type.Integer({ description: 'Los que no' }),
    failures: Type.Array(
      Type.Object({
        id: Uuid,
        error_code: Type.String({ description: 'Código del error' }),
        error_message: Type.String({ description: 'Por qué no se ha cambiado' }),
      }),
      { description: 'Los que no se han cambiado, en el orden enviado' },
    ),
  }),
);

/** @throws 422 invalid_param_value */
export function checkIds(ids: readonly string[]): void {
  const reason =
    ids.length === 0 || ids.length > idsMax
      ? `se admiten de 1 a ${idsMax} ids.`
      : new Set(ids).size < ids.length
        ? 'hay ids repetidos.'
        : undefined;
  if (reason !== undefined) throw fail(c.invalid_param_value, { param: 'ids', values: { reason } });
}

/**
 * Locks the rows by id, and asks each what becomes of it. Nothing is written before all were asked.
 * @param ask throws the Problem that refuses one
 */
export async function askEach<T>(
  ctx: Ctx,
  ids: readonly string[],
  ask: (row: RecurringRow) => Promise<T>,
): Promise<{ accepted: T[]; data: Record<string, unknown> }> {
  const { tx, company } = ctx;
  await lockVersions(tx, family, company.company_id, ids);
  const rows = await findDocuments(tx, family, company.company_id, ids);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const accepted: T[] = [];
  const failures: { id: string; error_code: string; error_message: string }[] = [];
  for (const id of ids) {
    const row = byId.get(id);
    try {
      if (!row) throw fail(e.recurring_invoice_not_found);
      accepted.push(await ask(row));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const { def, details } = error;
      failures.push({ id, error_code: def.code, error_message: problemMessage(def, details.values) });
    }
  }
  return {
    accepted,
    data: {
      object: 'bulk_result',
      id: company.company_id,
      total: ids.length,
      successful: accepted.length,
      failed: failures.length,
      failures,
    },
  };
}
