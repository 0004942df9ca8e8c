/** Checks values with Ajv. Names each fault by its path as the API writes it (`lines.0.tax_rate`). */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { base64Fault, DecodedFile } from './base64-file.ts';
import { isCalendarDay, isInstant } from './dates.ts';
import { readDecimal, unitsOf } from './decimal.ts';
import { ExactNumber, numberText } from './json.ts';
import type { FieldIssue } from './problem.ts';
import type { DecimalLimits, TSchema } from './schema.ts';
import { isUuid } from './uuid7.ts';

/** In Spanish; undefined when the text keeps the limits. */
function decimalFault(text: string, limits: DecimalLimits): string | undefined {
  if (text.length > 64) return 'Debe ser un número con menos cifras.';
  const read = readDecimal(text);
  if (!read) return 'Debe ser un número.';
  if (Math.abs(read.exponent) > 40) return 'Debe ser un número con menos cifras.';
  const { digits, point } = read;
  const decimals = Math.max(0, digits.length - point);
  const integer = Math.max(0, point);
  if (decimals > limits.decimals) return `Admite ${limits.decimals} decimales como máximo.`;
  if (integer > (limits.integer_digits ?? 12))
    return `Admite ${limits.integer_digits ?? 12} cifras enteras como máximo.`;
  // An integer's trailing zeros are written, so they count.
  const significant = point > 0 ? integer + decimals : digits.length;
  if (limits.significant_digits !== undefined && significant > limits.significant_digits) {
    return `Admite ${limits.significant_digits} cifras significativas como máximo.`;
  }
  const scaled = unitsOf(read, limits.decimals);
  const bound = (limit: string) => unitsOf(readDecimal(limit)!, limits.decimals);
  if (limits.minimum !== undefined && scaled < bound(limits.minimum))
    return `El mínimo es ${limits.minimum}.`;
  if (limits.maximum !== undefined && scaled > bound(limits.maximum))
    return `El máximo es ${limits.maximum}.`;
  if (limits.exclusive_minimum !== undefined && scaled <= bound(limits.exclusive_minimum)) {
    return `Debe ser mayor que ${limits.exclusive_minimum}.`;
  }
  return undefined;
}

type DecimalCheck = {
  (limits: DecimalLimits & { nullable?: boolean }, value: unknown): boolean;
  errors?: object[];
};

const checkDecimal: DecimalCheck = (limits, value) => {
  if (value === null && limits.nullable) return true;
  const fault =
    typeof value === 'number' || value instanceof ExactNumber
      ? decimalFault(numberText(value), limits)
      : 'Debe ser un número.';
  if (fault === undefined) return true;
  checkDecimal.errors = [{ keyword: 'decimal', message: fault, params: {} }];
  return false;
};

type Base64Check = { (wanted: true, value: unknown): boolean; errors?: object[] };

const checkBase64: Base64Check = (_wanted, value) => {
  const fault = base64Fault(value);
  if (fault === undefined) return true;
  checkBase64.errors = [{ keyword: 'base64', message: fault, params: {} }];
  return false;
};

/** Lower case, as the database writes ids: then their texts compare. */
const lowerCase = (
  _: unknown,
  value: unknown,
  __?: unknown,
  place?: { parentData: object; parentDataProperty: string | number },
): boolean => {
  if (typeof value === 'string' && place)
    Object.assign(place.parentData, { [place.parentDataProperty]: value.toLowerCase() });
  return true;
};

/** Ajv takes an ExactNumber for an object; its sender wrote a number, and that of a DecodedFile a text. */
const checkPlain = (_: unknown, value: unknown): boolean =>
  !(value instanceof ExactNumber || value instanceof DecodedFile);

/** Also no sign that turns the direction of the text around it. */
export const linePattern = '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069]*$';
const lineText = new RegExp(linePattern);
const isLine = (text: string): boolean => lineText.test(text);

/** No format has a longer text. */
const formatMax = 100;

function makeAjv(coerceTypes: boolean, allErrors: boolean): Ajv {
  const ajv = new Ajv({
    allErrors,
    // Halves the time to compile a schema, which its first call waits for. V8 does the same work later.
    code: { optimize: false },
    // Schemas are ours, and typed: the meta-schema would be compiled first, and check each.
    meta: false,
    validateSchema: false,
    // A shape that several schemas share is compiled once, not into each of them.
    inlineRefs: false,
    // Gives each error its schema, for `pattern_message`.
    verbose: true,
    coerceTypes,
    strict: false,
    removeAdditional: false,
    useDefaults: false,
    ownProperties: true,
  });
  ajv.addKeyword({ keyword: 'decimal', validate: checkDecimal, errors: true });
  ajv.addKeyword({ keyword: 'base64', validate: checkBase64, errors: true });
  ajv.addKeyword({ keyword: 'plainObject', validate: checkPlain, errors: false });
  ajv.addKeyword({ keyword: 'lowerCase', validate: lowerCase, modifying: true, errors: false });
  ajv.addFormat('line', isLine);
  const addFormat = (name: string, fits: (text: string) => boolean) =>
    ajv.addFormat(name, (text: string) => text.length <= formatMax && fits(text));
  addFormat('uuid', isUuid);
  addFormat('day', isCalendarDay);
  addFormat('instant', isInstant);
  addFormat('moment', (text) => isInstant(text) || isCalendarDay(text));
  return ajv;
}

/** One stops at the first fault, the other gathers all. */
type Pass = 'first' | 'all';

const bodies = { first: makeAjv(false, false), all: makeAjv(false, true) };
const texts = { first: makeAjv(true, false), all: makeAjv(true, true) };
const compiled = {
  first: new WeakMap<object, ValidateFunction>(),
  all: new WeakMap<object, ValidateFunction>(),
};

/**
 * Puts `nullable` into Ajv's form, marks objects so that no ExactNumber passes as one, and tries no pattern on a text
 * that is too long for its field.
 */
function spellForAjv(node: unknown): void {
  if (node === null || typeof node !== 'object') return;
  for (const member of Object.values(node)) spellForAjv(member);
  const schema = node as {
    nullable?: unknown;
    type?: unknown;
    enum?: unknown[];
    decimal?: object;
    base64?: true;
    plainObject?: true;
    format?: unknown;
    lowerCase?: true;
    pattern?: string;
    pattern_message?: string;
    maxLength?: number;
    if?: object;
    then?: object;
  };
  if (typeof schema.pattern === 'string' && schema.maxLength !== undefined) {
    const { pattern, pattern_message, maxLength } = schema;
    schema.if = { maxLength };
    // biome-ignore lint/suspicious/noThenProperty: JSON Schema calls it so
    schema.then = { pattern, ...(pattern_message === undefined ? {} : { pattern_message }) };
    delete schema.pattern;
  }
  if (schema.base64) {
    delete schema.type;
    delete schema.maxLength;
  }
  if (schema.type === 'object') schema.plainObject = true;
  if (schema.format === 'uuid') schema.lowerCase = true;
  if (schema.nullable !== true) return;
  if (schema.decimal) {
    schema.decimal = { ...schema.decimal, nullable: true };
    delete schema.nullable;
  } else if (schema.enum && !schema.enum.includes(null)) {
    schema.enum.push(null);
  } else if (typeof schema.type !== 'string' || 'const' in schema) {
    const { nullable: _, ...inner } = schema;
    for (const key of Object.keys(schema)) delete (schema as Record<string, unknown>)[key];
    Object.assign(schema, { anyOf: [inner, { type: 'null' }] });
  }
}

type ObjectSchema = { type: 'object'; properties: object };

/** The names of shapes by their members, and by what else is said of them. */
const shapes = new WeakMap<Ajv, WeakMap<object, Map<string, string>>>();
let shapeCount = 0;

const isShape = (node: unknown): node is ObjectSchema =>
  node !== null &&
  typeof node === 'object' &&
  'properties' in node &&
  'type' in node &&
  node.type === 'object';

/** A copy in Ajv's form, in which each shape within stands by its name. */
function spell(ajv: Ajv, schema: object): object {
  const plain: object = JSON.parse(
    JSON.stringify(schema, (key, value: unknown) =>
      key !== '' && isShape(value) ? { $ref: shapeName(ajv, value) } : value,
    ),
  );
  spellForAjv(plain);
  return plain;
}

function shapeName(ajv: Ajv, { properties, ...said }: ObjectSchema): string {
  const by_members = shapes.get(ajv) ?? new WeakMap<object, Map<string, string>>();
  shapes.set(ajv, by_members);
  const names = by_members.get(properties) ?? new Map<string, string>();
  by_members.set(properties, names);
  const key = JSON.stringify({ ...said, description: undefined });
  const known = names.get(key);
  if (known !== undefined) return known;
  const name = `shape${++shapeCount}`;
  names.set(key, name);
  ajv.addSchema(spell(ajv, { ...said, properties }), name);
  return name;
}

function compile(schema: TSchema, coerce: boolean, pass: Pass): ValidateFunction {
  const known = compiled[pass].get(schema);
  if (known) return known;
  const ajv = (coerce ? texts : bodies)[pass];
  const made = ajv.compile(spell(ajv, schema));
  compiled[pass].set(schema, made);
  return made;
}

function pathOf(error: ErrorObject): string {
  const parts = error.instancePath
    .split('/')
    .slice(1)
    .map((p) => p.replaceAll('~1', '/').replaceAll('~0', '~'));
  const named =
    error.keyword === 'required'
      ? error.params.missingProperty
      : error.keyword === 'additionalProperties'
        ? error.params.additionalProperty
        : error.propertyName;
  return (named === undefined ? parts : [...parts, named]).join('.');
}

const typeNames: Record<string, string> = {
  string: 'un texto',
  number: 'un número',
  integer: 'un número entero',
  boolean: 'true o false',
  object: 'un objeto',
  array: 'una lista',
  null: 'null',
};

const formatNames: Record<string, string> = {
  line: 'Ocupa una línea: no admite saltos de línea ni otros caracteres de control.',
  uuid: 'Debe ser un UUID.',
  day: 'Debe ser una fecha existente, AAAA-MM-DD.',
  moment: 'Debe ser un día (AAAA-MM-DD) o un instante ISO 8601 con zona.',
  instant: 'Debe ser un instante ISO 8601 con zona, por ejemplo 2026-11-21T10:00:00Z.',
};

function messageOf(error: ErrorObject): string {
  const limit = error.params.limit as number;
  switch (error.keyword) {
    case 'required':
      return 'Falta el campo.';
    case 'additionalProperties':
      return 'El campo no existe en esta operación.';
    case 'type':
      return `Debe ser ${String(error.params.type)
        .split(',')
        .map((t) => typeNames[t] ?? t)
        .join(' o ')}.`;
    case 'enum':
      return `Debe ser uno de: ${(error.params.allowedValues as unknown[]).filter((v) => v !== null).join(', ')}.`;
    case 'const':
      return `Debe ser ${JSON.stringify(error.params.allowedValue)}.`;
    case 'maxLength':
      return `Admite ${limit} caracteres como máximo.`;
    case 'minLength':
      return `Necesita ${limit} caracteres como mínimo.`;
    case 'maxItems':
      return `Admite ${limit} elementos como máximo.`;
    case 'minItems':
      return `Necesita ${limit} ${limit === 1 ? 'elemento' : 'elementos'} como mínimo.`;
    case 'uniqueItems':
      return 'Tiene elementos repetidos.';
    case 'maximum':
      return `El máximo es ${limit}.`;
    case 'minimum':
      return `El mínimo es ${limit}.`;
    case 'maxProperties':
      return `Admite ${limit} claves como máximo.`;
    case 'minProperties':
      return 'Necesita al menos un campo.';
    case 'format':
      return formatNames[error.params.format as string] ?? 'El formato no es válido.';
    case 'pattern':
      return (error.parentSchema?.pattern_message as string | undefined) ?? 'El formato no es válido.';
    case 'base64':
      return error.message ?? 'Debe ser base64.';
    case 'decimal':
      return error.message ?? 'Debe ser un número.';
    case 'plainObject':
      return 'Debe ser un objeto.';
    default:
      return 'El valor no es válido.';
  }
}

export const issuesMax = 100;

/** Larger values are told their first fault alone: gathering all would hold up everybody. */
const gatheredMax = 10_000;

/** Whether so many values lie within. */
function hasValues(value: unknown, most: number): boolean {
  let count = 0;
  const exceeds = (one: unknown): boolean => {
    if (one === null || typeof one !== 'object' || one instanceof ExactNumber) return false;
    const members = Array.isArray(one) ? one : Object.values(one);
    count += members.length;
    return count > most || members.some(exceeds);
  };
  return exceeds(value);
}

/**
 * The faults, one a field, in the order found; of a value with over ten thousand members only the first. Ids of the
 * value become lower case, in place.
 * @param coerce for query and path: also reads texts as the schema's type, in place
 */
export function checkSchema(schema: TSchema, value: unknown, coerce = false): FieldIssue[] {
  const first = compile(schema, coerce, 'first');
  if (first(value)) return [];
  const is_large = hasValues(value, gatheredMax);
  const validate = is_large ? first : compile(schema, coerce, 'all');
  if (!is_large) validate(value);
  const issues = new Map<string, FieldIssue>();
  const errors = validate.errors ?? [];
  const numbers = new Set(errors.filter((e) => e.keyword === 'plainObject').map((e) => e.instancePath));
  for (const error of errors) {
    if (error.keyword === 'propertyNames' || error.keyword === 'if') continue;
    if (error.keyword !== 'plainObject' && within(error.instancePath, numbers)) continue;
    if (issues.size === issuesMax) break;
    const param = pathOf(error);
    if (!issues.has(param))
      issues.set(param, { param, code: 'parameter_invalid', message: messageOf(error) });
  }
  return [...issues.values()];
}

function within(path: string, places: ReadonlySet<string>): boolean {
  for (let at = path; places.size > 0; at = at.slice(0, at.lastIndexOf('/'))) {
    if (places.has(at)) return true;
    if (at === '') break;
  }
  return false;
}

/** The path of the first text that PostgreSQL cannot hold: a NUL, or half a surrogate pair. */
export function findUnstorableText(value: unknown, path = ''): string | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : path;
  if (value === null || typeof value !== 'object' || value instanceof ExactNumber) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const here = path === '' ? key : `${path}.${key}`;
    if (!isStorable(key)) return path === '' ? 'body' : path;
    const found = findUnstorableText(member, here);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
