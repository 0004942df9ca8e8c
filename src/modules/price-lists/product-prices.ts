/** What products ask of price lists. A call that only chooses names no tax, so an unknown tax refuses nothing. */
import { keptPrice } from '../../domain/pricing/base-price.ts';
import { isConverted, priceOf, type Sold } from '../../domain/pricing/list-price.ts';
import { askedPackPrice, packPrice, partQuantities, soldParts } from '../../domain/pricing/sell.ts';
import { Problem } from '../../kernel/problem.ts';
import type { ProductPrices } from '../products/index.ts';
import { type OpenPrices, openPrices } from './open-prices.ts';
import { findPricedParts, hasManyItems } from './price-list-items.store.ts';

/** @returns undefined where a document would refuse the tax */
function whereTaxed<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return undefined;
  }
}

/** Without a rate, a list's price with tax is not converted. The price of options is without tax, so they cannot be added. */
function unconverted(sold: Sold, prices: OpenPrices['prices']) {
  const found = priceOf(sold, prices, null);
  if (typeof found === 'string') return null;
  const is_of_list = found.item !== null && found.item.unit_price !== null;
  if (is_of_list && sold.options.some(({ price_delta }) => keptPrice(price_delta).units !== 0n)) return null;
  return { ...found, prices_include_tax: is_of_list };
}

export const productPrices: ProductPrices = {
  hasMany: (tx, company_id, product_id) => hasManyItems(tx, company_id, { product_id }),
  partsOfMany: async (tx, company_id, part_ids) =>
    (await hasManyItems(tx, company_id, { part_ids })) ? findPricedParts(tx, company_id, part_ids) : [],
  async open(ctx, wanted) {
    const { prices, rateOf, refusesTax } = await openPrices(ctx, wanted);
    const { currency, prices_include_tax } = wanted.terms;
    const list = prices.list && { id: prices.list.id, name: prices.list.name };
    const find = (sold: Sold, rate: ReturnType<typeof rateOf>) => {
      const found = priceOf(sold, prices, rate);
      return typeof found === 'string' ? null : { ...found, prices_include_tax };
    };
    return {
      refusesTax,
      priceOf(sale, { product, quantity }) {
        const taxes_id = sale.variant?.taxes_id ?? product.taxes_id;
        const rate = isConverted(prices) ? whereTaxed(() => rateOf({ ...product, taxes_id }, 0)) : null;
        const sold = { ...sale, quantity };
        const found = rate === undefined ? unconverted(sold, prices) : find(sold, rate);
        if (found === null) return null;
        const { unit_price, discount_percent, item } = found;
        const price_list = item && list;
        return {
          unit_price,
          discount_percent,
          currency,
          prices_include_tax: found.prices_include_tax,
          price_list,
        };
      },
      packPriceOf(pack, { product, quantity }) {
        const sold = soldParts(product, pack);
        if ('reason_code' in sold) return sold.reason_code;
        if (sold.some(({ taxed }) => refusesTax(taxed))) return 'tax_refused';
        const held = partQuantities(pack, quantity);
        if ('reason_code' in held) return held.reason_code;
        const found = whereTaxed(() =>
          packPrice(product, pack, sold, { prices, quantity, rateOf: (of) => rateOf(of, 0) }),
        );
        if (found === undefined || 'reason' in found) return 'no_price_in_currency';
        const { discount_percent, item } = found;
        const unit_price = askedPackPrice(pack, found);
        return { unit_price, discount_percent, currency, prices_include_tax, price_list: item && list };
      },
    };
  },
};
