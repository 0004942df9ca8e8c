/** Creates and changes items of one list. The caller holds the list's row. */
import { commonErrors as c } from '../../kernel/common.errors.ts';
import type { Tx } from '../../kernel/operation.ts';
import { fail, Problem } from '../../kernel/problem.ts';
import { invalidField, refuseIssues } from '../../kernel/resource-input.ts';
import { sqlStates } from '../../kernel/sql-states.ts';
import { sqlState } from '../../platform/db.ts';
import { makeGivingWay } from '../../platform/give-way.ts';
import { PlanStale } from '../../platform/issuing-call.ts';
import { findOwnersOfParts, findProductsToReferTo } from '../products/index.ts';
import type { ItemFields, ItemRow } from './price-list-items.schema.ts';
import { findSteps, insertItems, updateItems } from './price-list-items.store.ts';
import { itemIssues } from './rules/item-fields.ts';
import { Steps, stepsMax } from './rules/steps.ts';

/** `before` is the stored item of an edit; `replaces`: an item with its key may be stored, and is changed. */
export type Wanted = { fields: ItemFields; before?: ItemRow; replaces?: boolean };

export type Saved = { row: ItemRow; raises: boolean };

type At = { now: Date; price_list_id: string; newId(): string };

/** @returns for each item what was saved, or why it was not */
export async function saveItems(
  tx: Tx,
  company_id: string,
  wanted: readonly Wanted[],
  at: At,
): Promise<(Saved | Problem)[]> {
  const all = wanted.map(({ fields }) => fields);
  const parts = all.flatMap((one) => [one.variant_id, one.presentation_id].filter((id) => id !== null));
  const [stored, products, owners] = await Promise.all([
    findSteps(tx, company_id, at.price_list_id, all),
    findProductsToReferTo(tx, company_id, [...new Set(all.map(({ product_id }) => product_id))]),
    findOwnersOfParts(tx, company_id, [...new Set(parts)]),
  ]);
  const of = {
    steps: new Steps(stored),
    products: new Set(products),
    owners,
    at,
    touched: new Map<string, ItemRow>(),
  };
  const giveWay = makeGivingWay();
  const saved: (Saved | Problem)[] = [];
  for (const one of wanted) {
    await giveWay();
    saved.push(place(one, of));
  }
  const known = new Set(stored.map(({ id }) => id));
  for (const { before } of wanted) if (before) known.add(before.id);
  const rows = [...of.touched.values()];
  await Promise.all([
    insertItems(
      tx,
      company_id,
      rows.filter(({ id }) => !known.has(id)),
    ),
    updateItems(
      tx,
      company_id,
      rows.filter(({ id }) => known.has(id)),
    ),
  ]).catch((error: unknown) => {
    // On a retry the checks say which one is gone.
    throw sqlState(error) === sqlStates.foreign_key_violation ? new PlanStale('A product changed.') : error;
  });
  return saved.map((one) => (one instanceof Problem ? one : { ...one, raises: of.steps.raises(one.row) }));
}

type Place = {
  steps: Steps;
  products: ReadonlySet<string>;
  owners: Awaited<ReturnType<typeof findOwnersOfParts>>;
  at: At;
  touched: Map<string, ItemRow>;
};

function place({ fields, before, replaces = false }: Wanted, of: Place): Saved | Problem {
  const { steps, at } = of;
  try {
    check(fields, before, of);
    if (before) steps.remove(before);
    const same = steps.same(fields);
    if (same && (!replaces || of.touched.has(same.id)))
      throw fail(c.business_rule_violation, {
        param: 'min_quantity',
        values: { reason: 'la tarifa ya tiene un precio igual, con esta cantidad y desde este día.' },
      });
    if (!same && steps.isFull(fields))
      throw fail(c.business_rule_violation, {
        param: 'min_quantity',
        values: { reason: `un producto, variante y presentación tiene ${stepsMax} precios como máximo.` },
      });
    const known = before ?? same;
    const row: ItemRow = {
      ...fields,
      id: known?.id ?? at.newId(),
      price_list_id: at.price_list_id,
      created_at: known?.created_at ?? at.now,
      updated_at: at.now,
    };
    steps.put(row);
    of.touched.set(row.id, row);
    return { row, raises: false };
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

/** What an edit keeps is not checked again. */
function check(fields: ItemFields, before: ItemRow | undefined, { products, owners }: Place): void {
  const issues = itemIssues(fields);
  const is_new = fields.product_id !== before?.product_id;
  for (const part of ['presentation', 'variant'] as const) {
    const param = `${part}_id` as const;
    const id = fields[param];
    if (id === null || (!is_new && id === before?.[param])) continue;
    const owner = owners.get(id);
    if (owner?.part !== part || owner.product_id !== fields.product_id)
      issues.unshift(invalidField(param, 'No es de este producto.'));
  }
  if (is_new && !products.has(fields.product_id))
    issues.unshift(invalidField('product_id', 'El producto no existe o está archivado.'));
  refuseIssues(issues);
}
