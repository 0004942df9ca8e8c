/**
 * The kinds of sales document: the one list. A kind's number is part of public addresses that people keep: it never
 * changes, and none is used again.
 */
export const documentKinds = {
  invoice: { address_code: 1 },
} as const satisfies Record<string, { address_code: number }>;

export type DocumentKind = keyof typeof documentKinds;

/** The kinds for which a company may state a default VAT. Of a kind that is not built yet it is only kept. */
export const defaultVatKinds = [
  'invoice',
  'quote',
  'proforma',
  'delivery_note',
  'recurring_invoice',
] as const;

/** How people call a document of a kind, in Spanish: for what the service answers. */
export type DocumentNames = {
  /** The API's word: `quote`. */
  object: string;
  /** `un presupuesto` */
  one: string;
  /** `los presupuestos` */
  many: string;
  /** `el presupuesto` */
  the: string;
};

/** The text with a capital, to begin a sentence. */
export function asOpening(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
