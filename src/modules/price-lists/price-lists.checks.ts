import { commonErrors as c } from '../../kernel/common.errors.ts';
import type { Tx } from '../../kernel/operation.ts';
import { fail } from '../../kernel/problem.ts';
import { constraintOf } from '../../platform/db.ts';
import type { PriceListRow } from './price-lists.schema.ts';
import { countPriceLists, lockPriceList } from './price-lists.store.ts';

const listsMax = 1000;

/** @throws 422 business_rule_violation, param code, when another active list has it */
export async function withFreeCode(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (constraintOf(error) !== 'price_lists_code') throw error;
    const reason = 'otra tarifa activa ya tiene este código.';
    throw fail(c.business_rule_violation, { param: 'code', values: { reason } });
  }
}

/** @throws 422 business_rule_violation for a company that has as many as it may */
export async function checkListsLeft(tx: Tx, company_id: string): Promise<void> {
  if ((await countPriceLists(tx, company_id)) < listsMax) return;
  const reason = `una empresa tiene ${listsMax} tarifas como máximo, con las archivadas.`;
  throw fail(c.business_rule_violation, { param: 'name', values: { reason } });
}

/** @throws 404 */
export async function lockedList(tx: Tx, company_id: string, id: string): Promise<PriceListRow> {
  const { row } = await lockPriceList(tx, company_id, id);
  if (!row) throw fail(c.resource_not_found, { param: 'price_list' });
  return row;
}
