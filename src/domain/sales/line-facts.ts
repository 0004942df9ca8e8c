/** What lines are built from, besides what they say. The caller fetches it. */
import type { Prices } from '../pricing/list-price.ts';
import type { Choices } from '../pricing/selection.ts';
import type { SoldComponent } from '../pricing/sell.ts';
import type { PurchaseTaxKind } from '../tax/spanish-taxes.ts';
import type { DefaultTaxKind } from './default-tax.ts';
import type { LineClient } from './line-client.ts';
import type { LineKind } from './rows.ts';

export type LineProduct = {
  id: string;
  name: string;
  kind: LineKind;
  unit: string | null;
  unit_price: string;
  taxes_id: string | null;
  is_active: boolean;
  /** It has variants, presentations, options, or is a pack of `pack_size` others. */
  is_configured?: boolean;
  pack_size?: number;
};

export type LineTax = {
  id: string;
  name: string;
  kind: string;
  rate: string | null;
  surcharge_rate: string | null;
  qualification: string | null;
  exemption_reason: string | null;
  regime_key: string | null;
  valid_from: string | null;
  valid_to: string | null;
  is_active: boolean;
};

export type PaperFacts = {
  /** Of lines that say none. */
  tax_kind: PurchaseTaxKind;
  /** It charges no Spanish tax, so no rate is asked for. */
  is_untaxed: boolean;
  /** A line that says neither tax nor rate has the usual tax of the company's place. */
  takes_default_kind: boolean;
};

export type LineFacts = {
  products: ReadonlyMap<string, LineProduct>;
  taxes: ReadonlyMap<string, LineTax>;
  /** Of configured products, by what lines ask of them (`choiceKey`). */
  choices?: ReadonlyMap<string, LineChoice>;
  /** By product. A pack is left out when the document's packs together would be too large. */
  packs?: ReadonlyMap<string, LinePack>;
  /** For this kind of document, as exact text. */
  default_vat: string | null;
  /** The tax that has this rate and those of clients and suppliers; VAT when left out. */
  default_tax_kind?: DefaultTaxKind;
  /** Its defaults; absent or null without a client. */
  client?: LineClient | null;
  is_surcharge_subject: boolean;
  /** The day of the operation, else of the issue: its rates apply. */
  on_date: string;
  version: string;
  /** Purchases that lines may charge on, besides those that they charge already. */
  expenses?: ReadonlyMap<string, { id: string; number: string }>;
  /** For a document of a supplier: its lines are as its paper says. */
  paper?: PaperFacts;
  /** The lines of a template remember what they say. */
  is_template?: boolean;
  /** When left out, products have their own prices. */
  prices?: Prices;
};

export type LinePack = {
  pricing: 'sum' | 'fixed';
  discount_percent: string | null;
  expand: 'components' | 'single';
  components: readonly (SoldComponent & { product: LineProduct })[];
};

/** The parts of a product that decide what lines ask of it. */
export type LineChoice = { choices: Choices; pack: LinePack | null };
