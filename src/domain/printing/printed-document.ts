/**
 * A printed document of any kind. Texts are final, in the reader's language, with amounts and days as people
 * write them. The code that fills it decides what a document says; templates decide only how it looks.
 */

export const printedFormats = ['a4', 'ticket_80', 'ticket_58'] as const;
export type PrintedFormat = (typeof printedFormats)[number];

export const printedLanguages = ['es', 'ca', 'eu', 'gl', 'en'] as const;
export type PrintedLanguage = (typeof printedLanguages)[number];

/** `Vencimiento`: `21/12/2026`. */
export type LabelledText = { label: string; text: string };

export type PrintedParty = {
  /** Emisor, Cliente. */
  label: string;
  name: string;
  commercial_name: string | null;
  tax_id: LabelledText | null;
  address_lines: readonly string[];
  /** E-mail, telephone and website, in this order, as known. */
  contact: readonly string[];
};

export type PrintedLine = {
  description: string;
  /** Small, under the description: agreed price, exemption, retention. */
  details: readonly string[];
  quantity: string;
  unit: string | null;
  unit_price: string;
  discount: string | null;
  /** `21 %`, `21 % + RE 5,2 %`, `Exenta`. */
  tax: string;
  amount: string;
  /** The sum up to this line, for a table that continues on the next page. */
  carried: string;
};

export type PrintedTaxRow = {
  /** `IVA 21 %`, `IGIC 7 %`, `Exenta (art. 20)`. */
  label: string;
  base: string;
  rate: string;
  tax: string;
  /** The equivalence surcharge; null in every row when no row has one. */
  surcharge_rate: string | null;
  surcharge: string | null;
};

export type PrintedQr = {
  url: string;
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
  number: string | null;
  /** The title that viewers show in their window: `Factura F2026-00012`. */
  file_title: string;
  /** Across the page: `BORRADOR`, `ANULADA`, `SIN VALIDEZ FISCAL`. */
  marks: readonly string[];
  issuer: PrintedParty;
  recipient: PrintedParty | null;
  logo: PrintedLogo | null;
  colour: string | null;
  /** Beside the title, most important first: number, days, corrected documents. */
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
    /** `Suma y sigue`, at the foot of a page before the last. */
    forward: string;
    /** `Suma anterior`, at the head of the next page. */
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
  /** Discounts, subtotal, taxes, surcharge. `total`, `retention` and `amount_due` follow. */
  sums: readonly LabelledText[];
  total: LabelledText;
  retention: LabelledText | null;
  /** The total less the retention; null without retention. */
  amount_due: LabelledText | null;
  /** What the law requires: exemptions, reverse charge, regimes, issue by others. */
  mentions: readonly string[];
  payment: { title: string; rows: readonly LabelledText[] } | null;
  notes: { title: string; text: string } | null;
  qr: PrintedQr | null;
  /** `Página {page} de {pages}`. */
  page_label: string;
  /**
   * The file's date, ISO 8601. It comes from the document, so that the same document gives the same bytes.
   */
  made_at: string;
};
