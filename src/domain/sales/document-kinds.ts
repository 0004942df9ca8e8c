type KindFacts = {
  /** Part of public addresses that people keep: it never changes and is never used again. Null for a kind without paper of ours. */
  address_code: number | null;
  /** Takes a number of a series. */
  is_numbered: boolean;
  /** A company may say which VAT its new lines have. */
  has_default_vat: boolean;
  /** Is valid until a day. */
  has_validity: boolean;
};

/** Every kind of document. Each is a family. */
export const documentKinds = {
  invoice: { address_code: 1, is_numbered: true, has_default_vat: true, has_validity: false },
  quote: { address_code: 2, is_numbered: true, has_default_vat: true, has_validity: true },
  proforma: { address_code: 3, is_numbered: true, has_default_vat: true, has_validity: true },
  delivery_note: { address_code: 4, is_numbered: true, has_default_vat: true, has_validity: false },
  recurring_invoice: { address_code: null, is_numbered: false, has_default_vat: true, has_validity: false },
  purchase_invoice: { address_code: null, is_numbered: true, has_default_vat: false, has_validity: false },
} as const satisfies Record<string, KindFacts>;

export type DocumentKind = keyof typeof documentKinds;

/** Kinds of which a fact is true, or not null. */
type KindsWith<Fact extends keyof KindFacts> = {
  [Kind in DocumentKind]: (typeof documentKinds)[Kind][Fact] extends number | true ? Kind : never;
}[DocumentKind];

const kindsWith = <Fact extends keyof KindFacts>(fact: Fact): readonly KindsWith<Fact>[] =>
  Object.entries<KindFacts>(documentKinds).flatMap(([kind, facts]) =>
    facts[fact] === null || facts[fact] === false ? [] : [kind as KindsWith<Fact>],
  );

/** Those with paper of ours: a page, a PDF and e-mails. */
export const paperKinds = kindsWith('address_code');
export type PaperKind = (typeof paperKinds)[number];
export const numberedKinds = kindsWith('is_numbered');
export const defaultVatKinds = kindsWith('has_default_vat');
export const validKinds = kindsWith('has_validity');

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
