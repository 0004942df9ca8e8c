/**
 * `address_code` is part of public addresses that people keep: it never changes and is never used again. `one` is how Spanish texts
 * name a document of the kind.
 */
export const documentKinds = {
  invoice: { address_code: 1, one: 'una factura' },
  proforma: { address_code: 3, one: 'una factura proforma' },
  quote: { address_code: 2, one: 'un presupuesto' },
  delivery_note: { address_code: 4, one: 'un albarán' },
} as const satisfies Record<string, { address_code: number; one: string }>;

export type DocumentKind = keyof typeof documentKinds;

/** Kinds that are not built yet only store their default VAT. */
export const defaultVatKinds = [
  'invoice',
  'quote',
  'proforma',
  'delivery_note',
  'recurring_invoice',
] as const;

/** Kinds that are valid until a day. */
export const validKinds = ['quote', 'proforma'] as const;

/** How answers name a kind, in Spanish. */
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

/** `del presupuesto`, `de la factura`. @param the with its article */
export function ofThe(the: string): string {
  return `de ${the}`.replace(/^de el /, 'del ');
}

export function asOpening(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
