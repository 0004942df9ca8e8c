/**
 * A document as it is printed: every text final, in the reader's language, amounts and days written as people write
 * them. What fills it decides what a document says; what prints it decides only how it looks. Invoices, quotes,
 * pro-formas and delivery notes are all printed from this.
 */

export const printedFormats = ['a4', 'ticket_80', 'ticket_58'] as const;
export type PrintedFormat = (typeof printedFormats)[number];

export const printedLanguages = ['es', 'ca', 'eu', 'gl', 'en'] as const;
export type PrintedLanguage = (typeof printedLanguages)[number];

/** A line of a list: what it is, and what it says. */
export type LabelledText = { label: string; text: string };

export type PrintedParty = {
  /** Emisor, Cliente. */
  label: string;
  name: string;
  commercial_name: string | null;
  /** With its label: NIF, VAT number, passport. */
  tax_id: LabelledText | null;
  address_lines: readonly string[];
  /** E-mail, telephone, website, in this order, those that there are. */
  contact: readonly string[];
};

export type PrintedLine = {
  description: string;
  /** Under the description, smaller: discount, exemption, operation mentions of the line. */
  details: readonly string[];
  quantity: string;
  unit: string | null;
  unit_price: string;
  discount: string | null;
  /** `21 %`, `21 % + RE 5,2 %`, `Exenta`. */
  tax: string;
  amount: string;
  /** Sum of the amounts up to this line, for a table that goes on over the page. */
  carried: string;
};

export type PrintedTaxRow = {
  /** `IVA 21 %`, `IGIC 7 %`, `Exenta (art. 20)`. */
  label: string;
  base: string;
  rate: string;
  tax: string;
  /** Equivalence surcharge; null in every row when no row has one. */
  surcharge_rate: string | null;
  surcharge: string | null;
};

export type PrintedQr = {
  url: string;
  /** Exactly what the authority prescribes, in Spanish whatever the language. */
  above: string;
  /** Null outside VERI*FACTU. */
  below: string | null;
};

export type PrintedLogo = {
  media_type: 'image/png' | 'image/jpeg';
  base64: string;
  alternative_text: string;
};

export type PrintedDocument = {
  /** BCP 47. */
  language: PrintedLanguage;
  /** `Factura`, `Factura simplificada`, `Factura rectificativa`. */
  title: string;
  /** Null for a draft. */
  number: string | null;
  /** For the properties of the file and the reader's window: `Factura F2026-00012`. */
  file_title: string;
  /** Across the page: `BORRADOR`, `ANULADA`, `SIN VALIDEZ FISCAL`; none for a document in force. */
  marks: readonly string[];
  issuer: PrintedParty;
  recipient: PrintedParty | null;
  logo: PrintedLogo | null;
  /** `#rrggbb`; null for the house's own. */
  colour: string | null;
  /** Number, days, what it corrects: beside the title, in order of weight. */
  facts: readonly LabelledText[];
  column_labels: {
    description: string;
    quantity: string;
    unit_price: string;
    discount: string;
    tax: string;
    amount: string;
  };
  lines: readonly PrintedLine[];
  carried_labels: {
    /** `Suma y sigue`, at the foot of a page that is not the last. */
    forward: string;
    /** `Suma anterior`, at the head of the next. */
    brought: string;
  };
  breakdown: {
    title: string;
    column_labels: {
      label: string;
      base: string;
      rate: string;
      tax: string;
      surcharge_rate: string;
      surcharge: string;
    };
    rows: readonly PrintedTaxRow[];
  };
  /** Subtotal, discounts, taxes, surcharge. The last are `total` and, when it differs, `amount_due`. */
  sums: readonly LabelledText[];
  total: LabelledText;
  /** After retention; null when it is the total. */
  retention: LabelledText | null;
  amount_due: LabelledText | null;
  /** What the law asks to be said: exemptions, reverse charge, regimes, issue by others. */
  mentions: readonly string[];
  /** What the reader needs to pay: method, IBAN, due day, reference. */
  payment: { title: string; rows: readonly LabelledText[] } | null;
  notes: { title: string; text: string } | null;
  qr: PrintedQr | null;
  /** `Página {page} de {pages}`. */
  page_label: string;
  /** The instant of the document, ISO 8601, which the file gives as its own: the same document, the same bytes. */
  made_at: string;
};
