/**
 * Names the schemas that become components: every resource, and objects and long enumerations in several places. A
 * resource's most used shape has the plain name. Its other shapes add the operation that shows them first.
 */
import type { Operation } from '../../kernel/operation.ts';
import type { Steps } from '../../kernel/steps.ts';
import { isSchema, type JsonSchema, type Placer, resourceName, toWireSchema } from '../shared/wire-schema.ts';
import { betterNames } from './schema-names.ts';

/** `delivery_note` to `DeliveryNote`. */
export function pascalCase(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
}

export type Root = {
  schema: JsonSchema;
  /** The operation or event that shows it. */
  owner: string;
  /** The name of a schema that is always a component. */
  name?: string;
  /** The name to try when several places share it. */
  hint?: string;
};

type Shape = {
  key: string;
  resource: string | undefined;
  /** The property of its first place, in the singular. */
  hint: string;
  /** The component or operation around it. */
  parent: string;
  owners: Set<string>;
  descriptions: Set<unknown>;
  /** Only callers send it. */
  is_input: boolean;
  /** A shared shape counts as one place for the shapes inside it. */
  places: number;
};

/** A shorter shape is clearer in its place. */
const lengthMin = 110;
const valuesMin = 6;

export function operationRoots(operations: readonly Operation[]): Root[] {
  return operations.flatMap(({ name, body, output, other_statuses }) => [
    ...(body ? [{ schema: body as JsonSchema, owner: name, name: inputName(name) }] : []),
    ...[output, ...other_statuses.map((other) => other.output ?? output)].map((schema) => ({
      schema: schema as JsonSchema,
      owner: name,
    })),
  ]);
}

/** `create_invoice` to `CreateInvoiceInput`. */
export function inputName(operation: string): string {
  return `${pascalCase(operation)}Input`;
}

export type NamedShapes = { place: Placer; schemas: Record<string, JsonSchema> };

/** @returns the placer that refers to the shared shapes, and the components by name */
export function* nameShapes(roots: readonly Root[]): Steps<NamedShapes> {
  const shapes = yield* collectShapes(roots);
  const names = chooseNames([...shapes.values()], roots);
  const schemas = new Map<string, JsonSchema>();
  const place: Placer = (house, wire) => {
    const key = keyOf(house);
    const name = key === undefined ? undefined : names.get(key);
    if (key === undefined || name === undefined) return wire;
    const { description, ...rest } = wire;
    const said = description === undefined ? {} : { description };
    const is_told_alike = shapes.get(key)?.descriptions.size === 1;
    schemas.set(name, is_told_alike ? wire : rest);
    return { $ref: `#/components/schemas/${name}`, ...(is_told_alike ? {} : said) };
  };
  for (const { schema, name } of roots) {
    const placed = toWireSchema(schema, place);
    // A body that equals another's keeps its own name, as a reference to the other.
    if (name !== undefined && placed.$ref !== `#/components/schemas/${name}`) schemas.set(name, placed);
    yield;
  }
  return { place, schemas: Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))) };
}

const keys = new WeakMap<JsonSchema, string | null>();

/** Two shapes are the same when only their description or nullability differs. */
function keyOf(house: JsonSchema): string | undefined {
  const known = keys.get(house);
  if (known !== undefined) return known ?? undefined;
  const { description: _, ...rest } = house;
  const is_candidate = resourceName(house) !== undefined || house.type === 'object' || isLongEnum(house);
  const key = is_candidate ? JSON.stringify(toWireSchema({ ...rest, nullable: false })) : undefined;
  keys.set(house, key ?? null);
  return key;
}

function isLongEnum({ enum: values }: JsonSchema): boolean {
  return Array.isArray(values) && values.length >= valuesMin;
}

/** The schemas directly inside, each with its property. */
function childrenOf(schema: JsonSchema, hint: string): [hint: string, child: JsonSchema][] {
  const named = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  const choices = ['anyOf', 'oneOf', 'allOf'].flatMap((word) => (schema[word] ?? []) as JsonSchema[]);
  const { items, additionalProperties: values } = schema;
  return [
    ...named,
    ...choices.map((choice): [string, JsonSchema] => [hint, choice]),
    ...(isSchema(items) ? [[singular(hint), items] as [string, JsonSchema]] : []),
    ...(isSchema(values) ? [[hint, values] as [string, JsonSchema]] : []),
  ];
}

type Place = { hint: string; parent: string; owner: string; is_input: boolean; is_first: boolean };

function* collectShapes(roots: readonly Root[]): Steps<Map<string, Shape>> {
  const shapes = new Map<string, Shape>();
  const visit = (schema: JsonSchema, at: Place) => {
    const key = keyOf(schema);
    let inside = at;
    if (key !== undefined) {
      const known = shapes.get(key);
      const shape = known ?? {
        key,
        resource: resourceName(schema),
        hint: at.hint,
        parent: at.parent,
        owners: new Set(),
        descriptions: new Set(),
        is_input: true,
        places: 0,
      };
      shapes.set(key, shape);
      shape.owners.add(at.owner);
      shape.descriptions.add(schema.description);
      shape.is_input &&= at.is_input;
      if (at.is_first) shape.places += 1;
      const parent = shape.resource === undefined ? at.parent : pascalCase(shape.resource);
      inside = { ...at, parent, is_first: at.is_first && known === undefined };
    }
    for (const [hint, child] of childrenOf(schema, at.hint)) visit(child, { ...inside, hint });
  };
  for (const { schema, owner, name, hint = '' } of roots) {
    visit(schema, {
      hint,
      parent: pascalCase(owner),
      owner,
      is_input: name !== undefined,
      is_first: true,
    });
    yield;
  }
  return shapes;
}

/** The answer of a DELETE is no shape of the resource. */
function isReceipt({ key }: Shape): boolean {
  return key.includes('"deleted":{"type":"boolean","const":true}');
}

function chooseNames(shapes: readonly Shape[], roots: readonly Root[]): Map<string, string> {
  const names = new Map<string, string>();
  const taken = new Set(roots.flatMap(({ name }) => name ?? []));
  const giveName = (shape: Shape, wanted: readonly string[]) => {
    const free = wanted.map((name) => betterNames[name] ?? name).find((name) => !taken.has(name));
    const last = wanted.at(-1) ?? '';
    let name = free ?? last;
    for (let n = 2; taken.has(name); n++) name = `${last}${n}`;
    taken.add(name);
    names.set(shape.key, name);
  };
  for (const { schema, name } of roots) {
    const key = name === undefined ? undefined : keyOf(schema);
    if (key !== undefined && name !== undefined && !names.has(key)) names.set(key, name);
  }
  const resources = shapes.filter((shape) => shape.resource !== undefined && !isReceipt(shape));
  for (const [resource, variants] of Map.groupBy(resources, (shape) => shape.resource ?? '')) {
    // Sorting is stable: of two equally used shapes the catalogue's first gets the plain name.
    for (const shape of variants.toSorted((a, b) => b.owners.size - a.owners.size)) {
      const [first = ''] = shape.owners;
      giveName(shape, [pascalCase(resource), `${pascalCase(resource)}Of${pascalCase(first)}`]);
    }
  }
  for (const shape of shapes) {
    if (names.has(shape.key) || shape.resource !== undefined || shape.places < 2) continue;
    if (shape.key.length < lengthMin || shape.hint === '') continue;
    const [plain, end] = [pascalCase(shape.hint), shape.is_input ? 'Input' : ''];
    giveName(shape, [`${plain}${end}`, `${shape.parent}${plain}${end}`]);
  }
  return names;
}

/** `lines` to `line`. */
function singular(word: string): string {
  if (/series$|status$|ss$/.test(word)) return word;
  return word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.replace(/s$/, '');
}
