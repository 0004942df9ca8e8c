/** What all lists share: query parameters, the refusal of a bad cursor, the answer. */
import { commonErrors as c } from './common.errors.ts';
import { type Ctx, defineOperation, type Operation, type OperationDef, type Tx } from './operation.ts';
import {
  type PageAnswer,
  pageParameters,
  type PageQuery,
  type PageRequest,
  readPage,
  sortParameter,
} from './page.ts';
import { filterReader, withSeveral } from './list-filters.ts';
import type { ProblemDef } from './problem.ts';
import { Page, Shape, type Static, type TObject, type TProperties, type TSchema } from './schema.ts';

export type ListInput<P, Q> = { params: P; query: Q & PageQuery; page: PageRequest };

type Told =
  | 'name'
  | 'path'
  | 'scope'
  | 'also_scopes'
  | 'tag'
  | 'summary'
  | 'description'
  | 'acts_on'
  | 'mcp'
  | 'params'
  | 'examples';

export type ListDef<P extends TObject, Q extends TProperties, F> = Pick<
  OperationDef<P, TObject, TSchema, TSchema, F>,
  Told
> & {
  /** Query parameters besides those of pages and order. */
  filters: Q;
  /** Fields to order by; without any, the list takes no `sort`. */
  sorts?: readonly string[];
  /** Filters without `field[in]`. */
  single?: readonly string[];
  item: TSchema;
  /** Besides that of a bad cursor. */
  errors?: readonly ProblemDef[];
  prefetch?(tx: Tx, company_id: string): Promise<F>;
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
    query: Shape({ ...filters, ...pageParameters, ...(sorts ? sortParameter(sorts) : {}) }),
    output: Page(item),
    errors: [...errors, c.parameter_invalid_cursor],
    ...(prefetch ? { prefetch: (tx: Tx, company_id: string) => prefetch(tx, company_id) } : {}),
    handle(ctx: Ctx, { params, query }: { params: unknown; query: PageQuery }, prefetched: F) {
      const read = readFilters(query, ctx.company.time_zone);
      const asked = { params, query: read, page: readPage(query, sorts) };
      return list(ctx, asked as ListInput<Static<P>, Static<TObject<Q>>>, prefetched);
    },
  };
  // The frame's members are typed here, a list's own where it is defined.
  return defineOperation(framed as unknown as OperationDef<TObject, TObject, TSchema, TSchema, F>);
}
