/** What a client decides about the lines of its documents. */

export const operationRegimes = [
  'general',
  'surcharge',
  'intra_community',
  'export',
  'exempt',
  'reverse_charge',
] as const;
export type OperationRegime = (typeof operationRegimes)[number];

export type LineClient = {
  regime: OperationRegime | null;
  taxes_id: string | null;
  /** Percentages. */
  vat_rate: number | null;
  retention_rate: number | null;
  discount_percent: number | null;
};

export function lineClient(client: {
  preferred_operation_regime: OperationRegime | null;
  default_taxes_id: string | null;
  default_vat_rate: number | null;
  default_retention_rate: number | null;
  default_discount: number | null;
}): LineClient {
  return {
    regime: client.preferred_operation_regime,
    taxes_id: client.default_taxes_id,
    vat_rate: client.default_vat_rate,
    retention_rate: client.default_retention_rate,
    discount_percent: client.default_discount,
  };
}
