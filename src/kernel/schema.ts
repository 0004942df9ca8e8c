/** Shapes on the wire, as JSON Schema through TypeBox, for checks, static types and OpenAPI. */
import type { Static, TObject, TProperties, TSchema } from 'typebox';
import type { DecodedFile } from './base64-file.ts';
import type { DecimalInput } from './json.ts';
import { Type } from './type-builder.ts';

/** Checked on the number's text. */
export type DecimalLimits = {
  decimals: number;
  integer_digits?: number;
  significant_digits?: number;
  minimum?: string;
  maximum?: string;
  exclusive_minimum?: string;
};

/** The handler gets a DecimalInput and parses it with `parseAmount`. */
export function Decimal(limits: DecimalLimits, description?: string) {
  return Type.Unsafe<DecimalInput>({ decimal: limits, ...(description ? { description } : {}) });
}

/** A file in base64. The handler reads it with `decodedFile`. */
export function Base64File(maxLength: number, description: string) {
  return Type.Unsafe<string | DecodedFile>({ type: 'string', base64: true, maxLength, description });
}

export function Nullable<T extends TSchema>(schema: T) {
  return Type.Unsafe<Static<T> | null>({ ...schema, nullable: true });
}

/** Describes one field, not others with the schema. */
export function Described<T extends TSchema>(schema: T, description: string) {
  return Type.Unsafe<Static<T>>({ ...schema, description });
}

export function Enum<const V extends readonly string[]>(values: V, options: { description?: string } = {}) {
  return Type.Unsafe<V[number]>({ type: 'string', enum: [...values], ...options });
}

/** @param options `pattern_message` says in Spanish what form the pattern wants */
export function Text(
  maxLength: number,
  options: { minLength?: number; description?: string; pattern?: string; pattern_message?: string } = {},
) {
  return Type.String({ maxLength, ...options });
}

/** A text of one line, without control characters: it is printed, logged, and shown on terminals. */
export function Name(maxLength: number, options: Parameters<typeof Text>[1] = {}) {
  return Type.String({ maxLength, format: 'line', ...options });
}

/** An unknown key is `parameter_invalid`, by name. */
export function Shape<T extends TProperties>(properties: T, options: Record<string, unknown> = {}) {
  return Type.Object(properties, { additionalProperties: false, ...options });
}

export const Uuid = Type.String({ format: 'uuid', description: 'UUID v7' });
export const DayText = Type.String({ format: 'day', description: 'YYYY-MM-DD' });
/** For filters: `list-operation.ts` turns a day into the instants it stands for. */
export const Moment = Type.String({
  format: 'moment',
  description: 'ISO 8601 UTC, o un día YYYY-MM-DD en la hora de la empresa',
});
export const Timestamp = Type.String({ format: 'instant', description: 'ISO 8601 UTC' });

export const Money = Type.Number({ description: 'Importe con dos decimales como máximo' });

/** Of tax, surcharge or retention, as a billing record takes it. */
export const RateInput = Decimal({ decimals: 2, integer_digits: 3, minimum: '0', maximum: '100' });

export const PercentInput = Decimal({ decimals: 4, integer_digits: 3, minimum: '0', maximum: '100' });

export const Metadata = Type.Unsafe<Record<string, string>>({
  type: 'object',
  description:
    'Datos de su programa en pares de clave y texto: 50 como máximo, claves de 40 caracteres y textos de 500. Lo enviado sustituye a lo que hubiera',
  maxProperties: 50,
  propertyNames: { type: 'string', minLength: 1, maxLength: 40 },
  additionalProperties: { type: 'string', maxLength: 500 },
});

export const Tags = Type.Array(Name(40, { minLength: 1 }), {
  maxItems: 50,
  uniqueItems: true,
  description: 'Etiquetas, 50 como máximo y sin repetir. Lo enviado sustituye a lo que hubiera',
});

/** `{ data: object }` */
export function One<T extends TSchema>(schema: T) {
  return Type.Object({ data: schema });
}

/** `{ data, warnings?, warning_codes? }`: it was done, and something about it may be wrong. */
export function OneWarned<T extends TSchema>(schema: T, codes: readonly [string, ...string[]]) {
  return Type.Object({
    data: schema,
    warnings: Type.Optional(
      Type.Array(Type.String(), { description: 'Avisos, solo si los hay: no impiden la operación' }),
    ),
    warning_codes: Type.Optional(
      Type.Array(Enum(codes, { description: 'Código de aviso' }), {
        description: 'Códigos de los avisos, sin repetir',
      }),
    ),
  });
}

export function Page<T extends TSchema>(schema: T) {
  return Type.Object({
    data: Type.Array(schema),
    has_more: Type.Boolean(),
    next_cursor: Type.Union([Type.String(), Type.Null()]),
  });
}

export const FileContent = Type.Unsafe<string | Buffer>({ type: 'string', format: 'binary' });

export function Deleted(object: string) {
  return One(Type.Object({ id: Uuid, object: Type.Literal(object), deleted: Type.Literal(true) }));
}

export type { Static, TObject, TProperties, TSchema };
export { Type };
