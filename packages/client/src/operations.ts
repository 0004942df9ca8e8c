/** The operations of the API as types: what each takes, and what it answers. */
import type { operations } from './generated/types.ts';
import { table } from './generated/table.ts';

/** Every operation by its `operationId`. */
export type OperationName = keyof operations & keyof typeof table;

/**
 * key: takes an Idempotency-Key. repeatable: changes nothing, so it may be sent again. list: answers pages.
 * file: answers bytes.
 */
export type Trait = 'key' | 'repeatable' | 'list' | 'file';

type Of<Has extends Trait> = {
  [K in OperationName]: (typeof table)[K] extends `${string} ${Has}${'' | ` ${string}`}` ? K : never;
}[OperationName];

/** Operations that answer pages. */
export type ListName = Of<'list'>;
/** Operations that answer a file. */
export type FileName = Of<'file'>;
/** All others: they answer one JSON value. */
export type CallName = Exclude<OperationName, FileName>;

type ParametersOf<K extends OperationName> = operations[K]['parameters'];

type Part<Name extends string, T> = [T] extends [undefined | never]
  ? unknown
  : undefined extends T
    ? { [K in Name]?: Exclude<T, undefined> }
    : Record<never, never> extends T
      ? { [K in Name]?: T }
      : { [K in Name]: T };

type BodyOf<K extends OperationName> = operations[K] extends { requestBody: { content: infer C } }
  ? C[keyof C]
  : operations[K] extends { requestBody?: { content: infer C } }
    ? C[keyof C] | undefined
    : undefined;

/** A filter `field[in]` takes a list too, of what `field` takes. */
type WithLists<Q> = Q extends object
  ? {
      [M in keyof Q]:
        | Q[M]
        | (M extends `${infer F}[in]` ? readonly (F extends keyof Q ? NonNullable<Q[F]> : string)[] : never);
    }
  : Q;

/** What an operation takes: the parameters of its path and of its query, and its body. */
export type Input<K extends OperationName> = Part<'path', ParametersOf<K>['path']> &
  Part<'query', WithLists<ParametersOf<K>['query']>> &
  Part<'body', BodyOf<K>>;

type Json<R> = R extends { content: { 'application/json': infer T } } ? T : never;
type Good = 200 | 201 | 202;

/** What an operation answers, over all its good statuses. */
export type Answer<K extends OperationName> = {
  [S in keyof operations[K]['responses']]: S extends Good ? Json<operations[K]['responses'][S]> : never;
}[keyof operations[K]['responses']];

/** An item of a list. */
export type Item<K extends ListName> = Answer<K> extends { data: readonly (infer T)[] } ? T : never;

type CodeIn<R> = R extends { error: { code: infer C extends string } } ? C : never;

/** The codes that an operation may refuse with. Of several operations, those of each. */
export type CodeOf<K extends OperationName> = K extends OperationName
  ? {
      [S in keyof operations[K]['responses']]: S extends Good | 304
        ? never
        : CodeIn<Json<operations[K]['responses'][S]>>;
    }[keyof operations[K]['responses']]
  : never;

/** Every code of the API. */
export type ErrorCode = CodeOf<OperationName>;

export type Route = { method: string; path: string; traits: readonly Trait[] };

/** @throws TypeError for a name that JavaScript hands on and no operation has */
export function routeOf(name: OperationName): Route {
  if (!Object.hasOwn(table, name)) throw new TypeError(`There is no operation ${name}.`);
  const [method = '', path = '', ...traits] = table[name].split(' ');
  return { method, path, traits: traits as Trait[] };
}
