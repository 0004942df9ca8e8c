/** A company has a few dozen taxes at most, so its own rows serve every order and filter. */
import type { Fragment } from 'postgres';
import type { LineTax } from '../../domain/sales/line-facts.ts';
import { defaultTaxes } from '../../domain/tax/spanish-taxes.ts';
import type { Tx } from '../../kernel/operation.ts';
import type { PageRequest } from '../../kernel/page.ts';
import { newId } from '../../kernel/uuid7.ts';
import { inSpanishOrder, readPageRows, rangeCondition, valueCondition } from '../../platform/page-rows.ts';
import { holdsText } from '../../platform/text-search.ts';
import { removeRow, updateRow } from '../../platform/row-changes.ts';
import { type Columns, insertRows } from '../../platform/rows.ts';
import { blankTax } from './rules/tax-fields.ts';
import type { TaxFields, TaxRow } from './taxes.schema.ts';

const writableColumns: Columns = {
  name: 'text',
  kind: 'text',
  rate: 'numeric',
  surcharge_rate: 'numeric',
  qualification: 'text',
  exemption_reason: 'text',
  regime_key: 'text',
  valid_from: 'date',
  valid_to: 'date',
  external_reference: 'text',
  is_active: 'boolean',
  metadata: 'jsonb',
  updated_at: 'timestamptz',
};

const columns: Columns = { id: 'uuid', ...writableColumns, created_at: 'timestamptz' };

/** Percentages have at most two decimals, which a double holds. */
const rowText = `t.id, t.name, t.kind, t.rate::float8, t.surcharge_rate::float8, t.qualification, t.exemption_reason,
  t.regime_key, t.valid_from, t.valid_to, t.external_reference, t.is_active, t.metadata, t.created_at, t.updated_at`;

export async function findTax(tx: Tx, company_id: string, id: string): Promise<TaxRow | undefined> {
  const [row] = await tx<TaxRow[]>`
    select ${tx.unsafe(rowText)} from taxes t where t.company_id = ${company_id} and t.id = ${id}`;
  return row;
}

/** `more_ids` selects the tax ids of products, which saves a round trip. */
export async function findLineTaxes(
  tx: Tx,
  company_id: string,
  tax_ids: readonly string[],
  more_ids?: Fragment,
): Promise<LineTax[]> {
  const rows = await tx<LineTax[]>`
    select t.id, t.name, t.kind, t.rate, t.surcharge_rate, t.qualification, t.exemption_reason, t.regime_key,
           t.valid_from, t.valid_to, t.is_active
      from taxes t
     where t.company_id = ${company_id}
       and (t.id = any(${[...tax_ids]}::uuid[]) ${more_ids ? tx`or t.id in (${more_ids})` : tx``})`;
  return [...rows];
}

/** Locks the tax against deletion, for another row to refer to it. */
export async function findTaxToReferTo(tx: Tx, company_id: string, id: string): Promise<TaxRow | undefined> {
  const [row] = await tx<TaxRow[]>`
    select ${tx.unsafe(rowText)} from taxes t where t.company_id = ${company_id} and t.id = ${id} for key share`;
  return row;
}

/** Locks the taxes against deletion, for other rows to refer to them. */
export async function findTaxesToReferTo(
  tx: Tx,
  company_id: string,
  ids: readonly string[],
): Promise<Pick<TaxRow, 'id' | 'kind'>[]> {
  const rows = await tx<Pick<TaxRow, 'id' | 'kind'>[]>`
    select t.id, t.kind from taxes t
     where t.company_id = ${company_id} and t.id = any(${[...ids]}::uuid[]) order by t.id for key share`;
  return [...rows];
}

/** Edits of a tax wait for one another. */
export async function lockTax(tx: Tx, company_id: string, id: string): Promise<TaxRow | undefined> {
  const [row] = await tx<TaxRow[]>`
    select ${tx.unsafe(rowText)} from taxes t where t.company_id = ${company_id} and t.id = ${id} for update`;
  return row;
}

export type TaxFilter = {
  q?: string;
  kind?: string;
  is_active?: boolean;
  external_reference?: string;
};

export function listTaxes(
  tx: Tx,
  company_id: string,
  filter: TaxFilter,
  page: PageRequest,
): Promise<TaxRow[]> {
  const { q, is_active } = filter;
  return readPageRows(tx, company_id, page, {
    table: 'taxes',
    columns: tx.unsafe(rowText),
    sorts: { name: inSpanishOrder('lower(t.name)') },
    where: tx`
      ${holdsText(tx, ['name', 'external_reference'], q)}
      ${valueCondition(tx, 't.kind', filter, 'kind')}
      ${is_active === undefined ? tx`` : tx`and t.is_active = ${is_active}`}
      ${valueCondition(tx, 't.external_reference', filter, 'external_reference')}
      ${rangeCondition(tx, 't.created_at', filter, 'created')}
      ${rangeCondition(tx, 't.updated_at', filter, 'updated')}`,
  });
}

export async function insertTaxes(tx: Tx, company_id: string, rows: readonly TaxRow[]): Promise<void> {
  await insertRows(tx, company_id, 'taxes', columns, rows);
}

export async function updateTax(
  tx: Tx,
  company_id: string,
  id: string,
  fields: TaxFields & { updated_at: Date },
): Promise<void> {
  await updateRow(tx, company_id, 'taxes', writableColumns, id, fields);
}

/** @returns false when products or contacts refer to it. Documents copy their taxes and refer to none. */
export function removeTax(tx: Tx, company_id: string, id: string): Promise<boolean> {
  return removeRow(tx, company_id, 'taxes', id);
}

export async function insertDefaultTaxes(tx: Tx, company_id: string, now: Date): Promise<void> {
  const percent = (text: string | null) => (text === null ? null : Number(text));
  const rows = defaultTaxes.map(({ rate, surcharge_rate, ...tax }) => ({
    ...blankTax,
    ...tax,
    id: newId(),
    rate: percent(rate),
    surcharge_rate: percent(surcharge_rate),
    created_at: now,
    updated_at: now,
  }));
  await insertTaxes(tx, company_id, rows);
}

/** SQL: the tax `x` of a row `t` by its `taxes_id`, if it has one. */
export function joinTax(tx: Tx, company_id: string) {
  return tx`left join taxes x on x.company_id = ${company_id} and x.id = t.taxes_id`;
}
