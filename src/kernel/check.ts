/** Checks values with Ajv. Names each fault by its path as the API writes it (`lines.0.tax_rate`). */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { base64Fault, DecodedFile } from './base64-file.ts';
import { isCalendarDay, isInstant } from './dates.ts';
import { readDecimal, unitsOf } from './decimal.ts';
import { countedValues, ExactNumber, numberText } from './json.ts';
import type { FieldIssue } from './problem.ts';
import { type DecimalLimits, type TObject, type TSchema, Type } from './schema.ts';
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
  place?: { parentData?: object; parentDataProperty: string | number },
): boolean => {
  // An element that is looked at apart from its list has no place: it is refused, or another one is.
  if (typeof value === 'string' && place?.parentData)
    Object.assign(place.parentData, { [place.parentDataProperty]: value.toLowerCase() });
  return true;
};

/** Elements are texts. Ajv compares objects each with each: ten thousand hold up everybody. Runs after the elements' own checks. */
const areDistinct = (_: unknown, list: unknown[]): boolean => new Set(list).size === list.length;

/** Ajv takes an ExactNumber and a DecodedFile for objects. The sender wrote a number or a text. */
const checkPlain = (_: unknown, value: unknown): boolean =>
  !(value instanceof ExactNumber || value instanceof DecodedFile);

/** No control character, and none that turns a text around. */
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
  ajv.addKeyword({ keyword: 'distinct', type: 'array', validate: areDistinct, errors: false });
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
 * Puts `nullable` into Ajv's form, marks objects so that no ExactNumber passes as one, tries no pattern on a text that is
 * too long for its field, and looks for equal elements in its own way.
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
    uniqueItems?: boolean;
    distinct?: true;
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
  if (schema.uniqueItems) {
    schema.distinct = true;
    delete schema.uniqueItems;
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

/** The names of shapes, by their members and by their other keywords. */
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

const blank = 'No puede estar en blanco.';
/** What the patterns of many fields want. */
const usualPatterns: ReadonlyMap<string, string> = new Map([
  ['\\S', blank],
  ['^[A-Z]{2}$', 'Debe ser un código de dos letras mayúsculas.'],
  ['^[A-Z]{3}$', 'Debe ser un código de tres letras mayúsculas.'],
  ['^[0-9]{2}$', 'Deben ser dos cifras, por ejemplo 01.'],
]);
/** Such as `^[A-Z]{2}$`: what it wants says how long the text is. */
const ofOneLength = /^\^#?\[[^\]]+\]\{\d+\}\$$/;

/** A schema with a pattern, or the `then` that `spellForAjv` puts it into. */
type Patterned = { pattern?: string; pattern_message?: string } | undefined;

/** @returns undefined where the pattern has no words */
export const patternWords = (schema: Patterned): string | undefined =>
  schema?.pattern_message ?? usualPatterns.get(schema?.pattern ?? '');

function tooLong({ parentSchema, params }: ErrorObject): string {
  const patterned = parentSchema?.then as Patterned;
  const wanted = ofOneLength.test(patterned?.pattern ?? '') ? patternWords(patterned) : undefined;
  return wanted ?? `Admite ${params.limit} caracteres como máximo.`;
}

const formatNames: Record<string, string> = {
  line: 'Ocupa una línea: no admite saltos de línea ni otros caracteres de control.',
  uuid: 'Debe ser un UUID.',
  day: 'Debe ser una fecha existente, AAAA-MM-DD.',
  moment:
    'Debe ser un día (AAAA-MM-DD) o un instante ISO 8601 con zona, por ejemplo 2026-11-21T10:00:00Z. El + de una zona se escribe en la dirección como %2B.',
  instant: 'Debe ser un instante ISO 8601 con zona, por ejemplo 2026-11-21T10:00:00Z.',
};

export const unknownField = 'El campo no existe en esta operación.';
export const noObject = 'Debe ser un objeto.';

/** A list may be sent unawares: a parameter twice, or PHP's empty object. */
function wrongType({ params, data }: ErrorObject): string {
  const wanted = String(params.type)
    .split(',')
    .map((t) => typeNames[t] ?? t);
  return `Debe ser ${wanted.join(' o ')}${Array.isArray(data) ? ', no una lista' : ''}.`;
}

function messageOf(error: ErrorObject): string {
  const limit = error.params.limit as number;
  switch (error.keyword) {
    case 'required':
      return 'Falta el campo.';
    case 'additionalProperties':
      return unknownField;
    case 'type':
      return wrongType(error);
    case 'enum':
      return `Debe ser uno de: ${(error.params.allowedValues as unknown[]).filter((v) => v !== null).join(', ')}.`;
    case 'const':
      return `Debe ser ${JSON.stringify(error.params.allowedValue)}.`;
    case 'maxLength':
      return tooLong(error);
    case 'minLength':
      return limit === 1 ? blank : `Necesita ${limit} caracteres como mínimo.`;
    case 'maxItems':
      return `Admite ${limit} elementos como máximo.`;
    case 'minItems':
      return `Necesita ${limit} ${limit === 1 ? 'elemento' : 'elementos'} como mínimo.`;
    case 'distinct':
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
      return patternWords(error.parentSchema as Patterned) ?? 'El formato no es válido.';
    case 'base64':
      return error.message ?? 'Debe ser base64.';
    case 'decimal':
      return error.message ?? 'Debe ser un número.';
    case 'plainObject':
      return noObject;
    default:
      return 'El valor no es válido.';
  }
}

export const issuesMax = 100;

/** A larger value gets only its first fault: gathering all would hold up everybody. */
const gatheredMax = 10_000;

/** In larger values the elements of long lists are looked at one by one, until there are faults enough. */
const togetherMax = 1000;
const longList = 50;

/** How many values lie within; about one more than `most` where there are more. */
function countValues(value: unknown, most: number): number {
  if (value === null || typeof value !== 'object' || value instanceof ExactNumber) return 0;
  const counted = countedValues(value);
  if (counted !== undefined) return counted;
  const members = Array.isArray(value) ? value : Object.values(value);
  let count = members.length;
  for (const member of members) {
    if (count > most) break;
    count += countValues(member, most - count);
  }
  return count;
}

const bare = new WeakMap<object, Map<string, TSchema>>();

/** The schema of an object, without the schemas of these lists' elements. */
export function withoutElements(schema: TSchema, lists: readonly string[]): TSchema {
  const known = bare.get(schema) ?? new Map<string, TSchema>();
  bare.set(schema, known);
  const key = lists.join();
  const made = known.get(key);
  if (made) return made;
  const { properties } = schema as TObject;
  const frames = lists.map((list) => [list, { ...properties[list], items: Type.Unknown() }] as const);
  const frame = { ...schema, properties: { ...properties, ...Object.fromEntries(frames) } } as TSchema;
  known.set(key, frame);
  return frame;
}

/** The members that are long lists, where the schema says what their elements must be. */
function longLists(schema: TSchema, value: unknown): string[] {
  const { type, properties } = schema as Partial<TObject>;
  if (type !== 'object' || !properties || value === null || typeof value !== 'object') return [];
  return Object.entries(properties).flatMap(([name, member]) => {
    const list = (value as Record<string, unknown>)[name];
    const is_long = Array.isArray(list) && list.length > longList;
    return is_long && 'items' in member && 'type' in member && member.type === 'array' ? [name] : [];
  });
}

/** What is around the long lists first, then their elements in order. */
function issuesApart(
  schema: TSchema,
  value: unknown,
  lists: readonly string[],
  coerce: boolean,
): FieldIssue[] {
  const issues = issuesOf(compile(withoutElements(schema, lists), coerce, 'all'), value);
  for (const name of lists) {
    const { items } = (schema as TObject).properties[name] as unknown as { items: TSchema };
    const list = (value as Record<string, unknown[]>)[name]!;
    for (let at = 0; at < list.length && issues.length < issuesMax; at++)
      for (const issue of checkSchema(items, list[at], coerce)) {
        const param = issue.param === '' ? `${name}.${at}` : `${name}.${at}.${issue.param}`;
        issues.push({ ...issue, param });
      }
  }
  return issues.slice(0, issuesMax);
}

const wholeNumber = /^-?\d+$/;

/** JavaScript reads `0x5`, `1e1` and ` 10` as numbers too. In their place stands what is none. */
function refuseOtherSpellings(schema: TSchema, value: unknown): void {
  const { properties = {} } = schema as Partial<TObject>;
  const texts = (value ?? {}) as Record<string, unknown>;
  for (const [name, text] of Object.entries(texts)) {
    const { type } = (Object.hasOwn(properties, name) ? properties[name]! : {}) as { type?: string };
    if (type === 'integer' && typeof text === 'string' && !wholeNumber.test(text)) texts[name] = 'NaN';
  }
}

/**
 * The faults, one a field, in the order found; of a value with over ten thousand members only the first. Ids of the
 * value become lower case, in place.
 * @param coerce for query and path: also reads texts as the schema's type, in place
 */
export function checkSchema(schema: TSchema, value: unknown, coerce = false): FieldIssue[] {
  if (coerce) refuseOtherSpellings(schema, value);
  const first = compile(schema, coerce, 'first');
  if (first(value)) return [];
  const errors = first.errors ?? [];
  const count = countValues(value, gatheredMax);
  if (count > gatheredMax) return toIssues(errors);
  const lists = count > togetherMax ? longLists(schema, value) : [];
  return lists.length > 0
    ? issuesApart(schema, value, lists, coerce)
    : issuesOf(compile(schema, coerce, 'all'), value);
}

function issuesOf(validate: ValidateFunction, value: unknown): FieldIssue[] {
  return validate(value) ? [] : toIssues(validate.errors ?? []);
}

function toIssues(errors: readonly ErrorObject[]): FieldIssue[] {
  const issues = new Map<string, FieldIssue>();
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
