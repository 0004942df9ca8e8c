/** A line as a request sends it, and what a stored line brings along when it is asked again. */
import type { DecimalInput } from '../../kernel/json.ts';
import type { Qualification } from '../tax/record-codes.ts';
import type { PurchaseTaxKind } from '../tax/spanish-taxes.ts';
import type { LineDetails, LineKind } from './rows.ts';

export type LineInput = {
  id?: string;
  description?: string | null;
  product_id?: string | null;
  quantity?: DecimalInput;
  unit?: string | null;
  /** Null says nothing: then it is the product's kind, else a good. */
  kind?: LineKind | null;
  unit_price?: DecimalInput;
  discount_percent?: DecimalInput | null;
  taxes_id?: string | null;
  tax_rate?: DecimalInput | null;
  tax_kind?: PurchaseTaxKind;
  retention_rate?: DecimalInput | null;
  surcharge_rate?: DecimalInput | null;
  qualification?: Qualification | null;
  exemption_reason?: string | null;
  exemption_reason_text?: string | null;
  regime_key?: string | null;
  variant_id?: string | null;
  presentation_id?: string | null;
  options?: readonly OptionInput[];
  linked_expense_ids?: readonly string[];
  /**
   * References of a stored line; never on the wire. Not checked again: they may have been archived or deleted
   * since. A line whose tax is gone keeps it by id and name, and one whose product is gone keeps what it took.
   */
  stored_tax?: { id: string; name: string | null };
  stored_product_id?: string;
  /** A stored line's surcharge that depends on its client and goes with it; never on the wire. */
  stored_surcharge_rate?: DecimalInput | null;
  /** What a stored line took from a product that may be gone; never on the wire. */
  stored_kind?: LineKind | null;
  /** What a stored line of a template says; never on the wire. */
  stored_said?: readonly string[];
  /** A stored line's; never on the wire. What it refers to is not checked again. */
  stored_details?: LineDetails | null;
  /** A stored line's price, for a new choice of its product that has no price; never on the wire. */
  stored_unit_price?: DecimalInput;
  /** Goes with `stored_unit_price`. */
  stored_discount_percent?: DecimalInput | null | undefined;
  /** A stored line's unit, for a new product or presentation without one; never on the wire. */
  stored_unit?: string | null | undefined;
  /** The line has a new variant and sends nothing of its tax, so it takes the variant's; never on the wire. */
  has_open_tax?: true;
  /** A stored line that never said its tax: it is found anew in any version, as no caller left it out; never on the wire. */
  is_found_anew?: true;
};

/** The ids may be absent: a line that comes back from an answer has the answer's members in their place. */
export type OptionInput = { group_id?: string; value_id?: string };
