/**
 * The one list of kinds of sales document. The table of lines of a kind tells whether a product is on a
 * document. `address_code` is part of public addresses that people keep: never change or reuse one.
 */
export const documentKinds = {
  invoice: { lines: 'invoice_lines', address_code: 1 },
} as const satisfies Record<string, { lines: string; address_code: number }>;

export type DocumentKind = keyof typeof documentKinds;

/** What people call a document of a kind, in Spanish, for messages. */
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
