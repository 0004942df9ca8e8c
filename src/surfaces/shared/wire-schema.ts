/**
 * Translates the operations' schemas into JSON Schema 2020-12, the dialect of OpenAPI 3.1. Only kernel/check.ts
 * understands `decimal`, `base64`, `nullable`, `pattern_message` and the formats `line`, `day` and `instant`.
 */
import { linePattern } from '../../kernel/check.ts';
import type { DecimalLimits } from '../../kernel/schema.ts';

export type JsonSchema = { [keyword: string]: unknown };

/** Returns the translated schema, or a reference to a component. */
export type Placer = (house: JsonSchema, wire: JsonSchema) => JsonSchema;

const inline: Placer = (_house, wire) => wire;

const formats: Record<string, string> = { day: 'date', instant: 'date-time' };

const ofTheHouse = new Set(['decimal', 'base64', 'nullable', 'pattern_message']);
const perName = new Set(['properties', 'patternProperties', '$defs']);
const perItem = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const single = new Set([
  'items',
  'additionalProperties',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
  'contains',
]);

export function isSchema(value: unknown): value is JsonSchema {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/**
 * Copies unknown keywords.
 * @param place called for each schema, the inner ones first
 */
export function toWireSchema(house: JsonSchema, place: Placer = inline): JsonSchema {
  const out: JsonSchema = {};
  for (const [keyword, value] of Object.entries(house)) {
    if (ofTheHouse.has(keyword)) continue;
    if (perName.has(keyword) && isSchema(value)) {
      const named = Object.entries(value).map(([name, s]) => [name, toWireSchema(s as JsonSchema, place)]);
      out[keyword] = Object.fromEntries(named);
    } else if (perItem.has(keyword) && Array.isArray(value)) {
      out[keyword] = value.map((s) => toWireSchema(s as JsonSchema, place));
    } else if (single.has(keyword) && isSchema(value)) {
      out[keyword] = toWireSchema(value, place);
    } else if (keyword === 'format' && value === 'line') {
      out.pattern ??= linePattern;
    } else if (keyword === 'format' && typeof value === 'string') {
      out[keyword] = formats[value] ?? value;
    } else {
      out[keyword] = value;
    }
  }
  if (house.base64 === true) out.contentEncoding = 'base64';
  const limits = house.decimal as DecimalLimits | undefined;
  const plain = limits ? withDecimal(out, limits) : out;
  const placed = place(house, plain);
  return house.nullable === true ? orNull(placed) : placed;
}

/** `invoice` for an object with `object: Type.Literal('invoice')`. */
export function resourceName(schema: JsonSchema): string | undefined {
  const { object } = (schema.properties ?? {}) as { object?: { const?: unknown } };
  return typeof object?.const === 'string' ? object.const : undefined;
}

export function decimalText(limits: DecimalLimits): string {
  const { decimals, integer_digits = 12, significant_digits } = limits;
  const places =
    decimals === 0 ? 'Sin decimales' : `${decimals} ${decimals === 1 ? 'decimal' : 'decimales'} como máximo`;
  const digits = `${integer_digits} cifras enteras como máximo`;
  const significant =
    significant_digits === undefined ? '' : ` y ${significant_digits} significativas en total`;
  return `${places}, ${digits}${significant}.`;
}

/** The description gives the decimals, since `multipleOf` compares doubles. */
function withDecimal(schema: JsonSchema, limits: DecimalLimits): JsonSchema {
  const { description, ...rest } = schema;
  const said = typeof description === 'string' ? `${description.replace(/\.?$/, '.')} ` : '';
  return {
    ...rest,
    type: 'number',
    ...(limits.minimum === undefined ? {} : { minimum: Number(limits.minimum) }),
    ...(limits.maximum === undefined ? {} : { maximum: Number(limits.maximum) }),
    ...(limits.exclusive_minimum === undefined ? {} : { exclusiveMinimum: Number(limits.exclusive_minimum) }),
    description: `${said}${decimalText(limits)}`,
  };
}

/** By `type` where that is enough, else by `anyOf`. */
function orNull(schema: JsonSchema): JsonSchema {
  const { type, anyOf, description, ...rest } = schema;
  const said = description === undefined ? {} : { description };
  if (typeof type === 'string' && !('const' in rest)) {
    const values =
      Array.isArray(rest.enum) && !rest.enum.includes(null) ? { enum: [...rest.enum, null] } : {};
    return { type: [type, 'null'], ...rest, ...values, ...said };
  }
  if (Array.isArray(type)) return type.includes('null') ? schema : { ...schema, type: [...type, 'null'] };
  if (Array.isArray(anyOf)) {
    const has_null = anyOf.some((s) => (s as JsonSchema).type === 'null');
    return has_null ? schema : { ...schema, anyOf: [...anyOf, { type: 'null' }] };
  }
  // A schema without keywords takes null already.
  if (Object.keys(rest).length === 0 && type === undefined) return schema;
  return { anyOf: [{ ...(type === undefined ? {} : { type }), ...rest }, { type: 'null' }], ...said };
}
