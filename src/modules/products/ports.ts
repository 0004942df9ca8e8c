/** Products know no documents and no price lists: other modules supply this. */
import type { Amount } from '../../domain/money/amount.ts';
import type { PriceTerms } from '../../domain/pricing/list-price.ts';
import type { PricedPack } from '../../domain/pricing/sell.ts';
import type { ReasonCode, Sale, SalePrice } from '../../domain/pricing/selection.ts';
import type { AskedPrice } from '../../domain/sales/asked-prices.ts';
import type { LineProduct } from '../../domain/sales/line-facts.ts';
import type { Ctx, Tx } from '../../kernel/operation.ts';
import type { DocumentClient } from '../contacts/index.ts';

declare module '../../kernel/ports.ts' {
  interface Ports {
    product_uses: ProductUses;
    product_prices: ProductPrices;
  }
}

export type ProductUses = {
  /** Whether a line of any document of the company names the product. */
  isOnDocument(tx: Tx, company_id: string, product_id: string): Promise<boolean>;
  /**
   * Ids of its variants, presentations, groups and options that lines name. `all` when it is on too many lines to look through:
   * then nothing of it is removed.
   */
  partsOnDocuments(tx: Tx, company_id: string, product_id: string): Promise<ReadonlySet<string> | 'all'>;
};

export type ListedPrice = SalePrice & { discount_percent: Amount | null };

export type SoldProduct = { product: LineProduct; quantity: Amount };

export type OpenProductPrices = {
  /** Whether a document refuses the tax that a line of the product takes. */
  refusesTax(product: LineProduct): boolean;
  /** Of one way to sell a product; null for none. */
  priceOf(sale: Sale, of: SoldProduct): ListedPrice | null;
  /** Or why the pack has none. */
  packPriceOf(pack: PricedPack<LineProduct>, of: SoldProduct): ListedPrice | ReasonCode;
};

export type ProductPrices = {
  /** Whether lists have more prices of it than go with it in one short transaction. */
  hasMany(tx: Tx, company_id: string, product_id: string): Promise<boolean>;
  /** Of these variants and presentations those that have prices, if all of them have more than go in one short transaction; else none. */
  partsOfMany(tx: Tx, company_id: string, ids: readonly string[]): Promise<readonly string[]>;
  /**
   * @param wanted `products`: all that are priced, with the taxes of their variants; `asked`: every way to sell them
   * @throws 422 for a price list that is unknown
   */
  open(
    ctx: Pick<Ctx, 'tx' | 'company' | 'version'>,
    wanted: {
      price_list_id: string | null | undefined;
      client: DocumentClient | null;
      products: readonly { taxes_id: string | null }[];
      asked: readonly AskedPrice[];
      terms: PriceTerms;
    },
  ): Promise<OpenProductPrices>;
};
