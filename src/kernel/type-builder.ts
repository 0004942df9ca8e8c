/**
 * The builders of JSON Schema that our schemas use, with TypeBox's types. TypeBox itself loads 370 modules, a fifth of
 * all that a start of the service loads.
 */
import type { Type as TypeBox } from 'typebox';

type Schema = Record<string, unknown>;
type Members = Record<string, object>;

/** A mark that no copy by spread keeps, and no JSON shows. */
const optionalMark = '~optional';

const plain = (said: Schema) => (options?: Schema) => ({ ...said, ...options });

function objectOf(properties: Members, options?: Schema): Schema {
  const required = Object.keys(properties).filter((name) => !Object.hasOwn(properties[name]!, optionalMark));
  return { type: 'object', ...(required.length > 0 ? { required } : {}), properties, ...options };
}

const marked = { value: true, configurable: true };

const optional = (schema: object): object => Object.defineProperty({ ...schema }, optionalMark, marked);

/** With its mark. */
const copyOf = (schema: object): object =>
  Object.hasOwn(schema, optionalMark) ? optional(schema) : { ...schema };

const mapMembers = (members: Members, change: (member: object) => object): Members =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, change(member)]));

const builders = {
  String: plain({ type: 'string' }),
  Number: plain({ type: 'number' }),
  Integer: plain({ type: 'integer' }),
  Boolean: plain({ type: 'boolean' }),
  Null: plain({ type: 'null' }),
  Unknown: plain({}),
  Literal: (value: unknown, options?: Schema) => ({ type: typeof value, const: value, ...options }),
  Array: (items: object, options?: Schema) => ({ type: 'array', items, ...options }),
  Union: (anyOf: readonly object[], options?: Schema) => ({ anyOf, ...options }),
  /** With texts as keys. */
  Record: (_: object, member: object, options?: Schema) => ({
    type: 'object',
    patternProperties: { '^.*$': member },
    ...options,
  }),
  Object: objectOf,
  Optional: optional,
  Partial: ({ properties }: { properties: Members }) => objectOf(mapMembers(properties, optional)),
  Pick: ({ properties }: { properties: Members }, names: readonly string[]) =>
    objectOf(Object.fromEntries(names.map((name) => [name, properties[name]!]))),
  Unsafe: copyOf,
};

export const Type = builders as unknown as Pick<typeof TypeBox, keyof typeof builders>;
