/** What price lists say of the lines that name a product and no price. */
import { indexItems } from '../../domain/pricing/choose-item.ts';
import type { PriceTerms } from '../../domain/pricing/list-price.ts';
import { askedPrices } from '../../domain/sales/asked-prices.ts';
import type { LineFacts, PaperFacts } from '../../domain/sales/line-facts.ts';
import type { LineInput } from '../../domain/sales/line-input.ts';
import type { Ctx } from '../../kernel/operation.ts';
import { inTurns, makeGivingWay } from '../../platform/give-way.ts';
import { readPrices } from '../price-lists/index.ts';
import type { DocumentFacts } from './facts.ts';

const noItems = indexItems([]);

/**
 * The facts that lines are built with. Without a price list nothing is read: the company's row names its default list.
 * @param terms with the day whose rates and prices hold
 * @param paper of a document that a supplier has made: it has its own prices
 */
export async function pricedFacts(
  { tx, company }: Pick<Ctx, 'tx' | 'company'>,
  { client, lineFacts }: Pick<DocumentFacts, 'client' | 'lineFacts'>,
  lines: readonly LineInput[],
  terms: PriceTerms,
  paper?: PaperFacts,
): Promise<LineFacts> {
  const facts = lineFacts(terms.on_date, paper);
  if (paper) return facts;
  const giveWay = makeGivingWay();
  const price_list_id = client?.price_list_id ?? company.default_price_list_id;
  const asked = price_list_id === null ? [] : await inTurns(askedPrices(lines, facts), giveWay);
  const prices =
    price_list_id === null || asked.length === 0
      ? undefined
      : await readPrices(tx, company.company_id, price_list_id, asked, { terms });
  return { ...facts, prices: prices ?? { terms, list: null, items: noItems } };
}
