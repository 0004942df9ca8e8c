/**
 * The short schemas of a tool: a list carries them whole for each tool, and a model reads them all. Each accepts what
 * the operation takes or answers, within what a message of the address may hold. They leave out what only a form refuses
 * (control characters) and what an answer never breaks (its own lengths and patterns). The reference has both.
 */
import { linePattern } from '../../kernel/check.ts';
import { largestBody, type Operation } from '../../kernel/operation.ts';
import { isSchema, type JsonSchema, resourceName, toWireSchema } from '../shared/wire-schema.ts';
import { withDefinitions } from './definitions.ts';

export function inputForModels(schema: JsonSchema): JsonSchema {
  return rewrite(schema, (one) => {
    const { description, pattern, ...rest } = one;
    if (typeof one.maxLength === 'number' && one.maxLength > largestBody)
      return { ...one, maxLength: largestBody };
    if (typeof description === 'string' && Object.keys(one).length === 1 && /^Solo lectura/.test(description))
      return { readOnly: true };
    return pattern === linePattern ? { ...rest, ...(description ? { description } : {}) } : one;
  });
}

/**
 * Every success that the operation may answer. If an object names no `required`, its members are always there; else
 * only those that it names.
 */
export function outputForModels({ output, other_statuses, transaction }: Operation): JsonSchema {
  const others = other_statuses.flatMap((other) => (other.output ? [other.output] : []));
  const schemas = [output, ...others].map((schema) => {
    const wire = toWireSchema(schema as JsonSchema);
    return rewrite(transaction === 'read' ? wire : withoutParts(wire), short);
  });
  const [first, ...rest] = schemas;
  return withDefinitions(rest.length === 0 ? first! : { type: 'object', anyOf: schemas });
}

const ofInputs = new Set([
  'description',
  'title',
  'examples',
  'format',
  'pattern',
  'contentEncoding',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'propertyNames',
]);

function short(schema: JsonSchema): JsonSchema {
  const { properties, required = [] } = schema as { properties?: object; required?: string[] };
  const entries = Object.entries(schema).filter(([keyword, value]) => {
    if (keyword === 'additionalProperties') return value !== false;
    if (keyword === 'type') return !('enum' in schema || 'const' in schema);
    return keyword !== 'required' && !ofInputs.has(keyword);
  });
  const may_lack = properties !== undefined && required.length < Object.keys(properties).length;
  return Object.fromEntries(may_lack ? [...entries, ['required', required]] : entries);
}

/** A resource within another one is told by kind and id: a reading tool tells it whole. */
function withoutParts(schema: JsonSchema, is_within = false): JsonSchema {
  const is_resource = resourceName(schema) !== undefined;
  if (!is_resource || !is_within)
    return withInner(schema, (inner) => withoutParts(inner, is_within || is_resource));
  const { object, id } = schema.properties as { object: JsonSchema; id?: JsonSchema };
  const properties = id ? { object, id } : { object };
  return { type: schema.type, properties, required: Object.keys(properties) };
}

const perName = new Set(['properties', 'patternProperties', '$defs']);
const values = new Set(['enum', 'const', 'required', 'examples', 'default']);

/** The inner ones first. */
function rewrite(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  return change(withInner(schema, (inner) => rewrite(inner, change)));
}

function withInner(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const of = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(of);
    return isSchema(value) ? change(value) : value;
  };
  const entries = Object.entries(schema).map(([keyword, value]) => {
    if (values.has(keyword)) return [keyword, value];
    if (!perName.has(keyword)) return [keyword, of(value)];
    const named = Object.entries(value as JsonSchema).map(([name, inner]) => [name, of(inner)]);
    return [keyword, Object.fromEntries(named)];
  });
  return Object.fromEntries(entries);
}
