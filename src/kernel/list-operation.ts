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
import { fail, type ProblemDef } from './problem.ts';
import { Page, Shape, type Static, type TObject, type TProperties, type TSchema } from './schema.ts';

/** For each statement of a list. */
const statementMs = 5000;
const statementTimedOut = '57014';

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
>({ filters, sorts, item, errors = [], prefetch, list, ...def }: ListDef<P, Q, F>): Operation {
  const framed = {
    ...def,
    method: 'GET',
    transaction: 'read',
    query: Shape({ ...filters, ...pageParameters, ...(sorts ? sortParameter(sorts) : {}) }),
    output: Page(item),
    errors: [...errors, c.parameter_invalid_cursor, c.list_too_costly],
    ...(prefetch ? { prefetch: (tx: Tx, company_id: string) => prefetch(tx, company_id) } : {}),
    async handle(ctx: Ctx, { params, query }: { params: unknown; query: PageQuery }, prefetched: F) {
      const asked = { params, query, page: readPage(query, sorts) };
      const bounded = ctx.tx.unsafe(`set local statement_timeout = ${statementMs}`).execute();
      bounded.catch(() => undefined);
      try {
        return await list(ctx, asked as ListInput<Static<P>, Static<TObject<Q>>>, prefetched);
      } catch (error) {
        throw (error as { code?: unknown } | null)?.code === statementTimedOut
          ? fail(c.list_too_costly)
          : error;
      }
    },
  };
  // The frame's members are typed here, a list's own where it is defined.
  return defineOperation(framed as unknown as OperationDef<TObject, TObject, TSchema, TSchema, F>);
}
