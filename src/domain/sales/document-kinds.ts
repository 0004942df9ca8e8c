/** `address_code` is part of public addresses that people keep: it never changes and is never used again. */
export const documentKinds = {
  invoice: { address_code: 1 },
  proforma: { address_code: 3 },
  quote: { address_code: 2 },
  delivery_note: { address_code: 4 },
} as const satisfies Record<string, { address_code: number }>;

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
