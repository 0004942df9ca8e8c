/** A tax on the wire: what a line of a document takes its rate and its codes from (decisions, section 3). */
import { amountLimits } from '../../domain/money/amount.ts';
import { exemptionReasons, qualifications, regimeKeys } from '../../domain/tax/record-codes.ts';
import { taxKinds } from '../../domain/tax/spanish-taxes.ts';
import { readOnlyKeys } from '../../kernel/read-only.ts';
import {
  DayText,
  Decimal,
  Enum,
  Metadata,
  Nullable,
  Shape,
  type Static,
  Text,
  Timestamp,
  Type,
  Uuid,
} from '../../kernel/schema.ts';

/** A retention is kept with the taxes because it is chosen like one; it is never the tax of a line. */
export const allTaxKinds = [...taxKinds, 'retention'] as const;
export type AnyTaxKind = (typeof allTaxKinds)[number];

const Rate = Decimal({ ...amountLimits.rate, minimum: '0', maximum: '100' }, 'Porcentaje, de 0 a 100');

const Writable = Type.Object({
  name: Text(120, { minLength: 1 }),
  kind: Enum(allTaxKinds),
  rate: Nullable(Rate),
  surcharge_rate: Nullable(Rate),
  qualification: Nullable(Enum(Object.keys(qualifications))),
  exemption_reason: Nullable(Enum(Object.keys(exemptionReasons))),
  regime_key: Nullable(Enum(Object.keys(regimeKeys).sort())),
  valid_from: Nullable(DayText),
  valid_to: Nullable(DayText),
  external_reference: Nullable(Text(255, { minLength: 1 })),
  is_active: Nullable(Type.Boolean()),
  metadata: Nullable(Metadata),
});

export const taxReadOnly = ['id', 'object', 'created_at', 'updated_at'] as const;

export type TaxInput = Partial<Static<typeof Writable>>;

export const CreateTaxInput = Type.Unsafe<TaxInput & { name: string; kind: AnyTaxKind }>(
  Type.Intersect([Writable]),
);
void readOnlyKeys;
void Shape;
void Timestamp;
void Uuid;
