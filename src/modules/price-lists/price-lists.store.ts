/** A company has a thousand lists at most, so its own rows serve every order and filter. */
import type { Tx } from '../../kernel/operation.ts';
import type { PageRequest } from '../../kernel/page.ts';
import { defaultPriceListId } from '../../platform/company-row.ts';
import { rangeCondition, inSpanishOrder, readPageRows, valueCondition } from '../../platform/page-rows.ts';
import { holdsText } from '../../platform/text-search.ts';
import { removeRow, updateRow } from '../../platform/row-changes.ts';
import { type Columns, insertRows } from '../../platform/rows.ts';
import type { PriceListRow } from './price-lists.schema.ts';

const writableColumns: Columns = {
  name: 'text',
  code: 'text',
  currency: 'text',
  prices_include_tax: 'boolean',
  valid_from: 'date',
  valid_to: 'date',
  is_active: 'boolean',
  notes: 'text',
  external_id: 'text',
  metadata: 'jsonb',
  updated_at: 'timestamptz',
};

const columns: Columns = { id: 'uuid', ...writableColumns, created_at: 'timestamptz' };

const rowText = ['id', ...Object.keys(writableColumns), 'created_at'].map((name) => `t.${name}`).join(', ');

export async function findPriceList(
  tx: Tx,
  company_id: string,
  id: string,
): Promise<PriceListRow | undefined> {
  const [row] = await tx<PriceListRow[]>`
    select ${tx.unsafe(rowText)} from price_lists t where t.company_id = ${company_id} and t.id = ${id}`;
  return row;
}

/** Changes of a list and of its items wait for one another. With the company's default list, read after the lock. */
export async function lockPriceList(
  tx: Tx,
  company_id: string,
  id: string,
): Promise<{ row: PriceListRow | undefined; default_id: string | null }> {
  const [[row], default_id] = await Promise.all([
    tx<PriceListRow[]>`
      select ${tx.unsafe(rowText)} from price_lists t
       where t.company_id = ${company_id} and t.id = ${id} for no key update`,
    defaultPriceListId(tx, company_id),
  ]);
  return { row, default_id };
}

export async function countPriceLists(tx: Tx, company_id: string): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from price_lists where company_id = ${company_id}`;
  return row?.count ?? 0;
}

export type PriceListFilter = { q?: string; code?: string; external_id?: string; is_active?: boolean };

export function listPriceLists(
  tx: Tx,
  company_id: string,
  filter: PriceListFilter,
  page: PageRequest,
): Promise<PriceListRow[]> {
  const { q, is_active } = filter;
  return readPageRows(tx, company_id, page, {
    table: 'price_lists',
    columns: tx.unsafe(rowText),
    sorts: { name: inSpanishOrder('t.name_key') },
    where: tx`
      ${holdsText(tx, ['name', 'code'], q)}
      ${valueCondition(tx, 't.code', filter, 'code')}
      ${valueCondition(tx, 't.external_id', filter, 'external_id')}
      ${is_active === undefined ? tx`` : tx`and t.is_active = ${is_active}`}
      ${rangeCondition(tx, 't.created_at', filter, 'created')}
      ${rangeCondition(tx, 't.updated_at', filter, 'updated')}`,
  });
}

/** A duplicate code violates price_lists_code. */
export async function insertPriceList(tx: Tx, company_id: string, row: PriceListRow): Promise<void> {
  await insertRows(tx, company_id, 'price_lists', columns, [row]);
}

/** A duplicate code violates price_lists_code. */
export async function updatePriceList(
  tx: Tx,
  company_id: string,
  id: string,
  row: PriceListRow,
): Promise<void> {
  await updateRow(tx, company_id, 'price_lists', writableColumns, id, row);
}

/** @returns false when a contact names it */
export function removePriceList(tx: Tx, company_id: string, id: string): Promise<boolean> {
  return removeRow(tx, company_id, 'price_lists', id);
}
