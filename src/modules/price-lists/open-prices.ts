/** The prices of a list, with the rates that convert them: as a new invoice of the client would have both. */
import type { Amount } from '../../domain/money/amount.ts';
import { indexItems } from '../../domain/pricing/choose-item.ts';
import type { Prices, PriceTerms } from '../../domain/pricing/list-price.ts';
import { defaultTaxOf } from '../../domain/sales/default-tax.ts';
import type { AskedPrice } from '../../domain/sales/asked-prices.ts';
import { lineClient } from '../../domain/sales/line-client.ts';
import { rateOfLine } from '../../domain/sales/lines.ts';
import type { LineFacts, LineProduct } from '../../domain/sales/line-facts.ts';
import { commonErrors as c } from '../../kernel/common.errors.ts';
import type { Ctx } from '../../kernel/operation.ts';
import { Problem } from '../../kernel/problem.ts';
import { invalidParam } from '../../kernel/resource-input.ts';
import type { DocumentClient } from '../contacts/index.ts';
import { findLineTaxes } from '../taxes/index.ts';
import { type ReadItems, readPrices } from './prices.ts';

type Wanted = {
  /** As it was asked for. */
  price_list_id: string | null | undefined;
  client: DocumentClient | null;
  /** With the taxes that they name, of variants too. */
  products: readonly { taxes_id: string | null }[];
  asked: readonly AskedPrice[];
  terms: PriceTerms;
  with_next?: boolean;
  /** What was read of a list beforehand, on these terms. */
  read?: ReadItems | undefined;
};

export type OpenPrices = {
  prices: Prices;
  /** Of the tax that a line of the product takes, in percent. Asked only where prices are converted. */
  rateOf(product: LineProduct, index: number): Amount | null;
  /** Whether a document refuses the tax that the line takes. Where it finds none, the line may still say one. */
  refusesTax(product: LineProduct): boolean;
};

/** The list asked for, else the client's, else the default one. */
export function listOf(
  asked: string | null | undefined,
  client: Pick<DocumentClient, 'price_list_id'> | null | undefined,
  { default_price_list_id }: Pick<Ctx['company'], 'default_price_list_id'>,
): string | null {
  return asked ?? client?.price_list_id ?? default_price_list_id;
}

/** @throws 422 for a list asked for that is unknown */
export async function openPrices(
  ctx: Pick<Ctx, 'tx' | 'company' | 'version'>,
  wanted: Wanted,
): Promise<OpenPrices> {
  const { tx, company } = ctx;
  const { price_list_id, client, asked, terms, with_next = false, read } = wanted;
  const id = listOf(price_list_id, client, company);
  const known = read?.price_list_id === id ? read : undefined;
  const [found, facts] = await Promise.all([
    id === null ? undefined : readPrices(tx, company.company_id, id, asked, { terms, with_next, known }),
    rateFacts(ctx, wanted),
  ]);
  if (price_list_id && !found) throw invalidParam('price_list_id', 'La tarifa no existe.');
  const prices = found ?? { terms, list: null, items: indexItems([]) };
  const rateOf = (product: LineProduct, index: number) =>
    rateOfLine({ product_id: product.id }, product, index, facts);
  return { prices, rateOf, refusesTax: (product) => isRefused(() => rateOf(product, 0)) };
}

function isRefused(work: () => unknown): boolean {
  try {
    work();
    return false;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.def !== c.missing_required_param;
  }
}

/** Reads what the taxes of an invoice's lines follow from. */
async function rateFacts(
  { tx, company, version }: Pick<Ctx, 'tx' | 'company' | 'version'>,
  { client, products, terms }: Wanted,
): Promise<LineFacts> {
  const ids = [client?.default_taxes_id, ...products.map(({ taxes_id }) => taxes_id)];
  const asked = [...new Set(ids.filter((id) => id !== null && id !== undefined))];
  const taxes = asked.length === 0 ? [] : await findLineTaxes(tx, company.company_id, asked);
  return {
    products: new Map(),
    taxes: new Map(taxes.map((one) => [one.id, one])),
    ...defaultTaxOf(company.default_vat, 'invoice'),
    client: client && lineClient(client),
    is_surcharge_subject: false,
    on_date: terms.on_date,
    version,
  };
}
