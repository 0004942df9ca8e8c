/**
 * A printed document of any kind, in final texts. The code that fills it decides what it says; templates
 * decide only how it looks.
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
  /** E-mail, telephone, website. */
  contact: readonly string[];
};

export type PrintedLine = {
  /** Above the line and those that follow: the delivery note that they come from. */
  heading?: string;
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
  /** The sum up to this line, for a table that continues overleaf. */
  carried: string;
};

export type PrintedTaxRow = {
  /** `IVA 21 %`, `IGIC 7 %`, `Exenta (art. 20)`. */
  label: string;
  base: string;
  rate: string;
  tax: string;
  /** Null in every row when no row has one. */
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
  language: PrintedLanguage;
  title: string;
  number: string | null;
  /** The window's title: `Factura F2026-00012`. */
  file_title: string;
  /** Across the page: `BORRADOR`, `ANULADA`, `SIN VALIDEZ FISCAL`. */
  marks: readonly string[];
  issuer: PrintedParty;
  recipient: PrintedParty | null;
  logo: PrintedLogo | null;
  colour: string | null;
  /** Most important first, beside the title. */
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
    /** `Suma y sigue`, at the foot of a page. */
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
    /** None for a single rate, which the sums name. */
    rows: readonly PrintedTaxRow[];
  };
  sums: readonly LabelledText[];
  total: LabelledText;
  retention: LabelledText | null;
  /** `total` less the retention; null without one. */
  amount_due: LabelledText | null;
  /** Exemptions, reverse charge, regimes, issue by others. */
  mentions: readonly string[];
  payment: { title: string; rows: readonly LabelledText[] } | null;
  notes: { title: string; text: string } | null;
  /** Whoever received it signed. */
  signature?: { title: string; rows: readonly LabelledText[]; image: PrintedLogo | null };
  /** Paper alone: where the receiver signs by hand, with a line under each label. */
  to_sign?: { title: string; labels: readonly string[] };
  /** At the foot of the document: the issuer's entry in the Registro Mercantil. Left out without one. */
  registry_data?: string;
  qr: PrintedQr | null;
  /** `Página {page} de {pages}`. */
  page_label: string;
  /** ISO 8601. Comes from the document: the same document gives the same bytes. */
  made_at: string;
};
