/** What the bulk operations share: the ids of the body, and the answer. Each id stands alone. */
import type { Ctx } from '../../../kernel/operation.ts';
import { fail, Problem, problemMessage } from '../../../kernel/problem.ts';
import { Described, One, Type, Uuid } from '../../../kernel/schema.ts';
import { bulkIds, lockDocuments } from '../../sales/index.ts';
import { recurringErrors as e } from '../recurring-invoices.errors.ts';
import { recurringInvoices as family } from '../recurring-invoices.family.ts';
import type { RecurringRow } from '../recurring-invoices.schema.ts';

export const Ids = bulkIds('las facturas recurrentes');

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
  const byId = await lockDocuments(tx, family, company.company_id, ids);
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
