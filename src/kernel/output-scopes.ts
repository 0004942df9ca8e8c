/**
 * Members of answers that only keys with a scope see. An answer is made without those that its caller may not see. A
 * stored answer is shown to another caller without those that the other may not see.
 */
import type { Static, TSchema } from './schema.ts';
import { Type } from './schema.ts';

const needed = Symbol('scope that a member needs');

type Node = {
  [needed]?: string;
  properties?: Record<string, Node>;
  items?: Node;
  anyOf?: readonly Node[];
};

/** @param schema takes null, which others see */
export function NeedsScope<T extends TSchema>(scope: string, schema: T) {
  return Type.Unsafe<Static<T>>({ ...schema, [needed]: scope });
}

type Place = { path: readonly string[]; scope: string };

const known = new WeakMap<object, readonly Place[]>();

/** `*` in a path is each element of a list. */
function placesIn(schema: TSchema): readonly Place[] {
  const found = known.get(schema) ?? findPlaces(schema as Node, []);
  known.set(schema, found);
  return found;
}

function findPlaces(node: Node, path: readonly string[]): Place[] {
  if (node[needed] !== undefined) return [{ path, scope: node[needed] }];
  return [
    ...Object.entries(node.properties ?? {}).flatMap(([name, member]) => findPlaces(member, [...path, name])),
    ...(node.items ? findPlaces(node.items, [...path, '*']) : []),
    ...(node.anyOf ?? []).flatMap((form) => findPlaces(form, path)),
  ];
}

/** @param body of the schema; it is not changed */
export function withoutUnseen(schema: TSchema, body: unknown, has: (scope: string) => boolean): unknown {
  return placesIn(schema)
    .filter(({ scope }) => !has(scope))
    .reduce((shown, { path }) => withNullAt(shown, path), body);
}

function withNullAt(value: unknown, [head, ...rest]: readonly string[]): unknown {
  if (head === undefined) return null;
  if (Array.isArray(value)) return head === '*' ? value.map((one) => withNullAt(one, rest)) : value;
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, head)) return value;
  return { ...value, [head]: withNullAt((value as Record<string, unknown>)[head], rest) };
}
