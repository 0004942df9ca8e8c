/**
 * The kinds of sales document: the one list. A kind's number is part of public addresses that people keep: it never
 * changes, and none is used again.
 */
export const documentKinds = {
  invoice: { address_code: 1 },
} as const satisfies Record<string, { address_code: number }>;

export type DocumentKind = keyof typeof documentKinds;

/** How people call a document of a kind, in Spanish: for what the service answers. */
export type DocumentNames = {
  /** The word of the API: `quote`. */
  object: string;
  /** `un presupuesto` */
  one: string;
  /** `los presupuestos` */
  many: string;
  /** `el presupuesto` */
  the: string;
};

/** The text as a sentence begins. */
export function asOpening(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
