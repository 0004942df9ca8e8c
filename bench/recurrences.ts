/** Recurrences for the bench, copied in SQL from one that the API made. */
import type { Sql, TransactionSql } from 'postgres';
import { addJobs, copyRows } from './copies.ts';
import { recurrenceBody } from './fixtures.ts';
import type { LoadGenerator } from './load.ts';
import type { BenchCompany } from './place.ts';

export const runKind = 'recurring_invoice.run';

export type Model = { company_id: string; id: string };

/** Its first day is far away. */
export async function makeModel(
  load: LoadGenerator,
  { company_id, key, client_id }: BenchCompany,
): Promise<Model> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = recurrenceBody(client_id);
  const { answers } = await load.run({
    concurrency: 1,
    requests: 1,
    status: 201,
    make: () => ({ method: 'POST', path: '/v1/recurring_invoices', headers, body }),
  });
  const { data } = JSON.parse(answers[0]!) as { data: { id: string } };
  return { company_id, id: data.id };
}

/**
 * Copies the model for each row of `of`, with a job that runs it. A copy is yearly, has three lines and issues its invoices.
 * @param of SQL: rows with company_id, client_id and id
 * @param day SQL: the day of its first invoice
 * @param at SQL: when its job is due
 */
export async function copyRecurrences(
  sql: Sql | TransactionSql,
  model: Model,
  { of, day, at }: { of: string; day: string; at: string },
): Promise<void> {
  const own = `t.company_id = '${model.company_id}'`;
  const moved = `'company_id', x.company_id, 'client_id', x.client_id, 'created_at', now(), 'updated_at', now()`;
  await copyRows(sql, 'recurring_invoices', {
    model: `${own} and t.id = '${model.id}'`,
    of,
    changes: `jsonb_build_object('id', x.id, 'starts_on', ${day}, 'next_occurrence_on', ${day}, 'next_run_at', ${at}, ${moved})`,
  });
  for (const table of ['recurring_invoice_lines', 'recurring_invoice_tax_rows'])
    await copyRows(sql, table, {
      model: `${own} and t.recurring_invoice_id = '${model.id}'`,
      of,
      changes: `jsonb_build_object('recurring_invoice_id', x.id, 'company_id', x.company_id)`,
    });
  await addJobs(sql, { kind: runKind, of, at, schedule: `'${runKind} ' || x.id` });
}
