/** A tax on the wire: what a line of a document takes its rate and its codes from (decisions, section 3). */
import { amountLimits } from '../../domain/money/amount.ts';
import { exemptionReasons, qualifications, regimeKeys } from '../../domain/tax/record-codes.ts';
import { taxKinds } from '../../domain/tax/spanish-taxes.ts';
import { resourceInputs } from '../../kernel/resource-input.ts';
import {
  DayText,
  Decimal,
  Enum,
  Metadata,
  Nullable,
  type Static,
  Text,
  Timestamp,
  Type,
  Uuid,
} from '../../kernel/schema.ts';

/** A retention is kept with the taxes because it is chosen like one; it is never the tax of a line. */
export const allTaxKinds = [...taxKinds, 'retention'] as const;

const RateInput = Decimal({ ...amountLimits.rate, minimum: '0', maximum: '100' }, 'Porcentaje de 0 a 100');
const Rate = Nullable(Type.Number());

const writable = {
  name: Text(120, { minLength: 1 }),
  kind: Enum(allTaxKinds),
  rate: Nullable(RateInput),
  surcharge_rate: Nullable(RateInput),
  qualification: Nullable(Enum(Object.keys(qualifications))),
  exemption_reason: Nullable(Enum(Object.keys(exemptionReasons))),
  regime_key: Nullable(Enum(Object.keys(regimeKeys).sort())),
  valid_from: Nullable(DayText),
  valid_to: Nullable(DayText),
  external_reference: Nullable(Text(255, { minLength: 1 })),
  is_active: Nullable(Type.Boolean()),
  metadata: Nullable(Metadata),
};

export const taxReadOnly = ['id', 'object', 'created_at', 'updated_at'] as const;

export const { create: CreateTaxInput, update: UpdateTaxInput } = resourceInputs(writable, {
  required: ['name', 'kind'],
  read_only: taxReadOnly,
});

export type TaxInput = Static<typeof UpdateTaxInput>;

export const Tax = Type.Object({
  id: Uuid,
  object: Type.Literal('tax'),
  ...writable,
  rate: Rate,
  surcharge_rate: Rate,
  is_active: Type.Boolean(),
  metadata: Metadata,
  created_at: Timestamp,
  updated_at: Timestamp,
});

/** The fields of a tax as they are kept: percentages of at most two decimals, which a number holds exactly. */
export type TaxFields = {
  name: string;
  kind: (typeof allTaxKinds)[number];
  rate: number | null;
  surcharge_rate: number | null;
  qualification: string | null;
  exemption_reason: string | null;
  regime_key: string | null;
  valid_from: string | null;
  valid_to: string | null;
  external_reference: string | null;
  is_active: boolean;
  metadata: Record<string, string>;
};

export type TaxRow = TaxFields & { id: string; created_at: Date; updated_at: Date };

export function present(row: TaxRow) {
  return {
    id: row.id,
    object: 'tax',
    name: row.name,
    kind: row.kind,
    rate: row.rate,
    surcharge_rate: row.surcharge_rate,
    qualification: row.qualification,
    exemption_reason: row.exemption_reason,
    regime_key: row.regime_key,
    valid_from: row.valid_from,
    valid_to: row.valid_to,
    external_reference: row.external_reference,
    is_active: row.is_active,
    metadata: row.metadata,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
