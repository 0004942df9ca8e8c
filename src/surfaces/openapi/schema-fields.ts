/** The fields of a schema for people. It reads the operation's own schema, which knows decimals and days. */
import { DayText, type DecimalLimits, Money, Timestamp, Uuid } from '../../kernel/schema.ts';
import { type Html, html } from '../../kernel/html.ts';
import { inlineProse } from './html.ts';
import { decimalText, isSchema, type JsonSchema, resourceName } from '../shared/wire-schema.ts';

const typeNames: Record<string, string> = {
  string: 'texto',
  number: 'número',
  integer: 'número entero',
  boolean: 'sí o no',
  object: 'objeto',
  array: 'lista',
  null: 'null',
};

const formatNames: Record<string, string> = {
  uuid: 'UUID',
  day: 'fecha',
  instant: 'fecha y hora',
  uri: 'dirección',
};

/** Descriptions that only repeat the type. */
const saidByType: ReadonlySet<unknown> = new Set(
  [Uuid, DayText, Timestamp, Money].map((schema) => (schema as { description?: string }).description),
);

const depthMax = 6;

/** As `lista de UUID o null`. */
export function typeText(schema: JsonSchema): string {
  const base = plainType(schema);
  return schema.nullable === true && !base.endsWith('null') ? `${base} o null` : base;
}

function plainType(schema: JsonSchema): string {
  if (schema.decimal) return 'número decimal';
  if (schema.base64) return 'texto en base64';
  if ('const' in schema) return typeof schema.const === 'string' ? `"${schema.const}"` : String(schema.const);
  const options = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  if (options) return [...new Set(options.map(typeText))].join(' o ');
  const { type, format } = schema;
  if (type === 'number' && schema.description === (Money as { description?: string }).description)
    return 'importe';
  if (type === 'array') return `lista de ${isSchema(schema.items) ? typeText(schema.items) : 'valores'}`;
  if (typeof format === 'string' && formatNames[format]) return formatNames[format];
  if (Array.isArray(type)) return type.map((name) => typeNames[String(name)] ?? String(name)).join(' o ');
  return typeof type === 'string' ? (typeNames[type] ?? type) : 'cualquier valor';
}

export function limitsText(schema: JsonSchema): string[] {
  const {
    minLength,
    maxLength,
    minItems,
    maxItems,
    minimum,
    maximum,
    minProperties,
    maxProperties,
    pattern,
  } = schema;
  const decimal = schema.decimal as DecimalLimits | undefined;
  const items = isSchema(schema.items) && !schema.items.properties ? limitsText(schema.items) : [];
  return [
    between(minLength, maxLength, 'caracteres'),
    between(minItems, maxItems, 'elementos'),
    between(minProperties, maxProperties, 'claves'),
    schema.uniqueItems === true ? 'sin repetir' : '',
    between(minimum, maximum, ''),
    decimal ? between(decimal.minimum, decimal.maximum, '') : '',
    decimal?.exclusive_minimum === undefined ? '' : `mayor que ${decimal.exclusive_minimum}`,
    decimal ? decimalText(decimal).replace(/\.$/, '').toLowerCase() : '',
    typeof pattern === 'string' && pattern !== '\\S' && pattern.length <= 60 ? `patrón \`${pattern}\`` : '',
    ...items.map((limit) => `cada uno: ${limit}`),
  ].filter((text) => text !== '');
}

function between(min: unknown, max: unknown, unit: string): string {
  const tail = unit === '' ? '' : ` ${unit}`;
  if (min === undefined && max === undefined) return '';
  if (min === undefined) return `${String(max)}${tail} como máximo`;
  if (max === undefined) return `${String(min)}${tail} como mínimo`;
  return min === max ? `${String(min)}${tail}` : `de ${String(min)} a ${String(max)}${tail}`;
}

/** The object with the fields to show: the schema, its items, or the only object among its options. */
function fieldsOf(schema: JsonSchema): JsonSchema | undefined {
  if (isSchema(schema.properties)) return schema;
  if (isSchema(schema.items)) return fieldsOf(schema.items);
  const options = ((schema.anyOf ?? schema.oneOf ?? schema.allOf ?? []) as JsonSchema[]).map(fieldsOf);
  const found = options.filter((option) => option !== undefined);
  return found.length === 1 || schema.allOf ? mergeAll(found) : undefined;
}

function mergeAll(schemas: readonly JsonSchema[]): JsonSchema | undefined {
  if (schemas.length === 0) return undefined;
  return {
    properties: Object.assign({}, ...schemas.map((schema) => schema.properties)) as unknown,
    required: schemas.flatMap((schema) => (schema.required ?? []) as string[]),
  };
}

function alternativesOf(schema: JsonSchema): JsonSchema[] {
  if (isSchema(schema.items)) return alternativesOf(schema.items);
  const objects = ((schema.anyOf ?? schema.oneOf ?? []) as JsonSchema[]).filter((option) => fieldsOf(option));
  return objects.length > 1 ? objects : [];
}

/** Where fields are shown. Each gets an id there, so that a link can lead to it. */
export type FieldPlace = {
  /** What the ids begin with. */
  prefix: string;
  /** @returns an id that no other field of the page has */
  take(id: string, name: string, schema: JsonSchema): string;
};

/**
 * The fields of an object, or of each alternative, with inner fields below them.
 * @param sent whether callers send it, so that it shows what is required
 */
export function fieldList(
  schema: JsonSchema,
  sent: boolean,
  place?: FieldPlace,
  depth = 0,
): Html | undefined {
  const alternatives = alternativesOf(schema);
  if (alternatives.length > 0)
    return html`${alternatives.map((option, i) => html`<p>${titleOf(option, i)}:</p>${fieldList(option, sent, place, depth)}`)}`;
  const object = fieldsOf(schema);
  if (!object || depth > depthMax) return undefined;
  const required = new Set((object.required ?? []) as string[]);
  const properties = Object.entries(object.properties as Record<string, JsonSchema>);
  if (properties.length === 0) return undefined;
  return html`<ul class="fields">${properties.map(([name, field]) => fieldItem(name, field, { sent, depth, is_required: required.has(name), place }))}</ul>`;
}

function titleOf(option: JsonSchema, i: number): Html {
  const name = resourceName(option);
  return name === undefined
    ? html`Forma ${String(i + 1)}`
    : html`Si <code>object</code> es <code>${name}</code>`;
}

type ItemOptions = { sent: boolean; depth: number; is_required: boolean; place?: FieldPlace | undefined };

export function fieldItem(name: string, schema: JsonSchema, options: ItemOptions): Html {
  const { sent, depth, is_required, place } = options;
  const prefix = place && `${place.prefix}.${name.replace(/\W.*$/, '')}`;
  const id = prefix && place.take(prefix, name, schema);
  // Limits matter to whoever sends the field.
  const limits = sent ? limitsText(schema).join(' · ') : '';
  const values = (schema.enum ?? (isSchema(schema.items) ? schema.items.enum : undefined)) as
    | unknown[]
    | undefined;
  const inner = fieldList(schema, sent, place && prefix ? { ...place, prefix } : undefined, depth + 1);
  const mark = sent
    ? is_required && html` <b class="must">obligatorio</b>`
    : !is_required && html` <i class="may">no siempre</i>`;
  return html`<li${id !== undefined && html` id="${id}"`}><code class="name">${name}</code> <span class="type">${typeText(schema)}</span>${mark}
${typeof schema.description === 'string' && !saidByType.has(schema.description) && html`<p>${inlineProse(schema.description)}</p>`}
${limits !== '' && html`<p class="limits">${inlineProse(limits)}</p>`}
${values && html`<p class="values">${values.filter((value) => value !== null).map((value) => html`<code>${String(value)}</code> `)}</p>`}
${inner && (depth === 0 ? inner : html`<details open><summary>campos</summary>${inner}</details>`)}</li>`;
}
