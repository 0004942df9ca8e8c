/** What all lists share: query parameters, the refusal of a bad cursor, the answer. */
import { commonErrors as c } from './common.errors.ts';
import { filterReader, withSeveral } from './list-filters.ts';
import { type Ctx, defineOperation, type Operation, type OperationDef, type Tx } from './operation.ts';
import {
  type PageAnswer,
  type PageQuery,
  type PageRequest,
  pageParameters,
  readPage,
  sortParameter,
} from './page.ts';
import { fail, type ProblemDef } from './problem.ts';
import { invalidField, refuseIssues } from './resource-input.ts';
import { Page, Shape, type Static, Text, type TObject, type TProperties, type TSchema } from './schema.ts';
import { sqlStates } from './sql-states.ts';

/** For each statement of a list. */
const statementMs = 5000;

export type ListInput<P, Q> = { params: P; query: Q & PageQuery; page: PageRequest };

/** Whether it asks for the first page in the default order, without filters. */
function isPlain(query: PageQuery): boolean {
  return Object.entries(query).every(([name, value]) => name === 'limit' || value === undefined);
}

/** By the name before the bracket. */
export type KeyedFilters = Readonly<
  Record<string, { key_max: number; value_max: number; description: string }>
>;

/** Each key is a condition of its own. */
const keysMax = 5;

/** @throws 422 parameter_invalid */
function refuseManyKeys(names: readonly string[], query: object): void {
  for (const param of names) {
    const count = Object.keys(query).filter((key) => key.startsWith(`${param}[`)).length;
    if (count <= keysMax) continue;
    refuseIssues([invalidField(param, `Admite ${keysMax} claves como máximo.`)]);
  }
}

/** Read as a key, `metadata[pedido][in]` would find nothing and say nothing. */
const furtherBracket = /\]\[(in|gte|lte|gt|lt)?\]$/;

/** @throws 422 parameter_invalid */
function refuseFurtherBrackets(names: readonly string[], query: object): void {
  const keys = Object.keys(query).filter((key) => names.some((name) => key.startsWith(`${name}[`)));
  const message = 'Se compara con un solo valor exacto: no admite [in] ni rangos.';
  refuseIssues(keys.filter((key) => furtherBracket.test(key)).map((key) => invalidField(key, message)));
}

/** OpenAPI and reference read `keyed`. */
function keyedOptions(filters: KeyedFilters): Record<string, unknown> {
  const entries = Object.entries(filters);
  if (entries.length === 0) return {};
  const patterns = entries.map(([name, { key_max, value_max }]) => [
    `^${name}\\[.{1,${key_max}}\\]$`,
    Text(value_max),
  ]);
  return { patternProperties: Object.fromEntries(patterns), keyed: filters };
}

type Told =
  | 'name'
  | 'path'
  | 'scope'
  | 'also_scopes'
  | 'profile_scope'
  | 'tag'
  | 'summary'
  | 'description'
  | 'acts_on'
  | 'environment'
  | 'callers'
  | 'mcp'
  | 'params'
  | 'examples';

export type ListDef<P extends TObject, Q extends TProperties, F> = Pick<
  OperationDef<P, TObject, TSchema, TSchema, F>,
  Told
> & {
  /** Query parameters besides those of pages and order. */
  filters: Q;
  /** Filters by a key that the caller names, such as `metadata[pedido]`. */
  keyed_filters?: KeyedFilters;
  /** Fields to order by; without any, the list takes no `sort`. */
  sorts?: readonly string[];
  /** Filters without `field[in]`. */
  single?: readonly string[];
  item: TSchema;
  /** Besides that of a bad cursor. */
  errors?: readonly ProblemDef[];
  /**
   * Read with the company, before the caller is admitted, so it must cost little in a list of any length.
   * @param first the page, if it is the first one in the default order, without filters
   */
  prefetch?(tx: Tx, company_id: string, first: PageRequest | null): Promise<F>;
  list(
    ctx: Ctx,
    input: ListInput<Static<P>, Static<TObject<Q>>>,
    prefetched: F,
  ): Promise<PageAnswer<unknown>>;
};

export function defineList<
  P extends TObject = TObject<Record<never, never>>,
  Q extends TProperties = TProperties,
  F = undefined,
>({
  filters: named,
  keyed_filters = {},
  single = [],
  sorts,
  item,
  errors = [],
  prefetch,
  list,
  ...def
}: ListDef<P, Q, F>): Operation {
  const filters = withSeveral(named, single);
  const readFilters = filterReader(filters);
  const framed = {
    ...def,
    method: 'GET',
    transaction: 'read',
    takes_turn: true,
    query: Shape(
      { ...filters, ...pageParameters, ...(sorts ? sortParameter(sorts) : {}) },
      keyedOptions(keyed_filters),
    ),
    output: Page(item),
    errors: [...errors, c.parameter_invalid_cursor, c.list_too_costly],
    ...(prefetch
      ? {
          prefetch: async (tx: Tx, company_id: string, { query }: { query: PageQuery }) =>
            prefetch(tx, company_id, isPlain(query) ? readPage(query, sorts) : null),
        }
      : {}),
    async handle(ctx: Ctx, { params, query }: { params: unknown; query: PageQuery }, prefetched: F) {
      refuseManyKeys(Object.keys(keyed_filters), query);
      refuseFurtherBrackets(Object.keys(keyed_filters), query);
      const read = readFilters(query, ctx.company.time_zone);
      const asked = { params, query: read, page: readPage(query, sorts) };
      const bounded = ctx.tx.unsafe(`set local statement_timeout = ${statementMs}`).execute();
      bounded.catch(() => undefined);
      try {
        return await list(ctx, asked as ListInput<Static<P>, Static<TObject<Q>>>, prefetched);
      } catch (error) {
        throw (error as { code?: unknown } | null)?.code === sqlStates.query_canceled
          ? fail(c.list_too_costly)
          : error;
      }
    },
  };
  // The frame's members are typed here, a list's own where it is defined.
  return defineOperation(framed as unknown as OperationDef<TObject, TObject, TSchema, TSchema, F>);
}
