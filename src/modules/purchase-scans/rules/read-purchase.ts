/** What a paper says of a purchase, whoever its supplier is here. Amounts are texts, as printed but with a point. */

export type ReadLine = {
  description: string;
  quantity: string;
  unit_price: string;
  discount_percent: string | null;
  tax_kind: string;
  tax_rate: string | null;
  surcharge_rate: string | null;
  retention_rate: string | null;
};

export type ReadPurchase = {
  /** Spanish, valid by its checksum. */
  supplier_tax_id: string | null;
  supplier_vat_id: string | null;
  number: string | null;
  kind: 'invoice' | 'simplified' | 'corrective';
  issued_on: string | null;
  operation_on: string | null;
  due_on: string | null;
  currency: string;
  lines: readonly ReadLine[];
  /** What the supplier asks for with its taxes, before any retention. */
  total: string | null;
};
