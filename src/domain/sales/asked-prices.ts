/** Which prices of a list decide what lines cost, so that no others are read. */
import { Problem } from '../../kernel/problem.ts';
import type { Steps } from '../../kernel/steps.ts';
import { type Amount, amountLimits, readAmount } from '../money/amount.ts';
import { choiceOf } from '../pricing/choice.ts';
import type { Asked } from '../pricing/choose-item.ts';
import { ofPacks } from '../pricing/packs.ts';
import { free, resolveSelection } from '../pricing/selection.ts';
import { saleOf } from './line-selection.ts';
import type { LineFacts, LinePack } from './line-facts.ts';
import type { LineInput } from './line-input.ts';

export type AskedPrice = Omit<Asked, 'on_date'>;

/** A refused line asks for nothing here: it is refused where it is built. One step for each line. */
export function* askedPrices(lines: readonly LineInput[], facts: LineFacts): Steps<AskedPrice[]> {
  const asked: AskedPrice[] = [];
  for (const [index, line] of lines.entries()) {
    yield;
    const quantity = readAmount(line.quantity ?? 1, amountLimits.quantity);
    const product = facts.products.get(line.product_id ?? '');
    if (!product || !quantity) continue;
    const pack = line.product_id === line.stored_product_id ? undefined : facts.packs?.get(product.id);
    // The pack's own price is shared in proportion to the components' prices.
    const parts = pack ? askedByPack(pack, quantity) : [];
    if (line.unit_price === undefined) {
      const sale = refusable(() => saleOf(line, index, product, facts));
      const { variant = null, presentation = null } = sale ?? {};
      const own = {
        product_id: product.id,
        variant_id: variant?.id ?? null,
        presentation_id: presentation?.id ?? null,
      };
      asked.push({ ...own, quantity });
    }
    asked.push(...parts);
  }
  return asked;
}

/** @param packs how many are sold */
export function askedByPack({ components }: Pick<LinePack, 'components'>, packs: Amount): AskedPrice[] {
  return components.map(({ product, choices, quantity, ...ids }) => {
    const { variant, presentation } = resolveSelection(choices, choiceOf(choices, ids), free);
    return {
      product_id: product.id,
      variant_id: variant?.id ?? null,
      presentation_id: presentation?.id ?? null,
      quantity: ofPacks(packs, quantity),
    };
  });
}

function refusable<T>(find: () => T): T | null {
  try {
    return find();
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}
