/** What products ask of price lists. */
import { isConverted, netPrice, priceOf } from '../../domain/pricing/list-price.ts';
import type { ProductPrices } from '../products/index.ts';
import { openPrices } from './open-prices.ts';

export const productPrices: ProductPrices = {
  async open(ctx, wanted) {
    const { prices, rateOf } = await openPrices(ctx, wanted);
    const { currency, prices_include_tax } = wanted.terms;
    const list = prices.list && { id: prices.list.id, name: prices.list.name };
    return (sale, { product, quantity }, is_net = false) => {
      const taxes_id = sale.variant?.taxes_id ?? product.taxes_id;
      const rate = isConverted(prices) ? rateOf({ ...product, taxes_id }, 0) : null;
      const found = priceOf({ ...sale, quantity }, prices, rate);
      if (typeof found === 'string') return null;
      return {
        unit_price: is_net ? netPrice(found) : found.unit_price,
        discount_percent: is_net ? null : found.discount_percent,
        currency,
        prices_include_tax,
        price_list: found.item && list,
      };
    };
  },
};
