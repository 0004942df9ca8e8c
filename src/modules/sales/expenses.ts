/** Purchases that lines charge on. Their module says which there are, because purchases build on this module. */
import type { LineInput } from '../../domain/sales/line-input.ts';
import type { Ctx, Tx } from '../../kernel/operation.ts';

export type Expense = { id: string; number: string };

/** Those of the company that were not cancelled, in no order. */
export type Expenses = (tx: Tx, company_id: string, ids: readonly string[]) => Promise<readonly Expense[]>;

declare module '../../kernel/ports.ts' {
  interface Ports {
    expenses: Expenses;
  }
}

/** Lines that charge nothing on, or only what they did before, send nothing. */
export async function expensesOf(
  { tx, company, ports }: Pick<Ctx, 'tx' | 'company' | 'ports'>,
  lines: readonly LineInput[],
): Promise<ReadonlyMap<string, Expense>> {
  const ids = lines.flatMap(({ linked_expense_ids = [], stored_details }) => {
    const known = (stored_details?.linked_expenses ?? []).map(({ id }) => id);
    return linked_expense_ids.filter((id) => !known.includes(id));
  });
  if (ids.length === 0) return new Map();
  const found = await ports.expenses(tx, company.company_id, [...new Set(ids)]);
  return new Map(found.map((one) => [one.id, one]));
}
