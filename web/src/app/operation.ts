/**
 * A call of an operation. Its address is printed from the catalogue (`web/src/printed/`), its types are those of the
 * resource's schema in `src/`, by `import type`.
 */
import type { Static, TSchema } from 'typebox';
import { operations } from '../printed/operations.ts';

export type OperationName = keyof typeof operations;

export type CallShape = {
  params?: Record<string, string>;
  query?: object;
  body?: unknown;
  answer: unknown;
};

/** `etag` is that of the answer's header, where a resource was read. */
export type One<T> = { data: T; etag?: string };
export type Page<T> = { data: T[]; has_more: boolean; next_cursor: string | null };

/** What a schema describes: `Wire<typeof Company>`. */
export type Wire<S extends TSchema> = Static<S>;

/** Of every list. Its filters are added to it. */
export type ListQuery = { limit?: number; starting_after?: string; ending_before?: string; sort?: string };

export type Call<S extends CallShape> = {
  name: OperationName;
  /** Only for the type check. */
  shape?: S;
};

/** `const getInvoice = call<{ params: { invoice: string }; answer: One<Invoice> }>('get_invoice')` */
export function call<S extends CallShape>(name: OperationName): Call<S> {
  return { name };
}

export type Input<S extends CallShape> = Omit<S, 'answer'>;

type Operation = { method: string; path: string; scopes: readonly string[]; only: 'live' | 'test' | null };

export function operationOf(name: OperationName): Operation {
  const [method = '', path = '', ...rest] = operations[name].split(' ');
  const only = rest.find((word) => word.startsWith('@'))?.slice(1) ?? null;
  return {
    method,
    path,
    scopes: rest.filter((word) => !word.startsWith('@')),
    only: only === 'live' || only === 'test' ? only : null,
  };
}

/** The path under `/dashboard/api`. */
export function pathOf(company_id: string, name: OperationName, params: Record<string, string> = {}): string {
  const { path } = operationOf(name);
  const filled = path.replace(/:(\w+)/g, (_, param: string) => encodeURIComponent(params[param] ?? ''));
  return `/${company_id}${filled.replace(/^\/dashboard\/api\/[^/]+/, '')}`;
}
