/** What products ask of price lists. */
import { isConverted, priceOf } from '../../domain/pricing/list-price.ts';
import { askedPackPrice, packPrice, soldParts } from '../../domain/pricing/sell.ts';
import type { ProductPrices } from '../products/index.ts';
import { openPrices } from './open-prices.ts';

export const productPrices: ProductPrices = {
  async open(ctx, wanted) {
    const { prices, rateOf } = await openPrices(ctx, wanted);
    const { currency, prices_include_tax } = wanted.terms;
    const list = prices.list && { id: prices.list.id, name: prices.list.name };
    return {
      priceOf(sale, { product, quantity }) {
        const taxes_id = sale.variant?.taxes_id ?? product.taxes_id;
        const rate = isConverted(prices) ? rateOf({ ...product, taxes_id }, 0) : null;
        const found = priceOf({ ...sale, quantity }, prices, rate);
        if (typeof found === 'string') return null;
        const { unit_price, discount_percent, item } = found;
        return { unit_price, discount_percent, currency, prices_include_tax, price_list: item && list };
      },
      packPriceOf(pack, { product, quantity }) {
        const sold = soldParts(product, pack);
        if ('reason_code' in sold) return sold.reason_code;
        const found = packPrice(product, pack, sold, { prices, quantity, rateOf: (of) => rateOf(of, 0) });
        if ('reason' in found) return 'no_price_in_currency';
        const { discount_percent, item } = found;
        const unit_price = askedPackPrice(pack, found);
        return { unit_price, discount_percent, currency, prices_include_tax, price_list: item && list };
      },
    };
  },
};
