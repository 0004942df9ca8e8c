/** Reads of the current company. A secret is never read here: it comes once, as the answer of a change. */
import { keepPreviousData, QueryClient, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { ApiError, NoAnswer, requestTagged } from './api.ts';
import { useCurrentCompany } from './company.ts';
import {
  type Call,
  type CallShape,
  type Input,
  operationOf,
  type OperationName,
  pathOf,
} from './operation.ts';

const triesMax = 2;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5000,
      gcTime: 300_000,
      networkMode: 'always',
      retry: (tries, error) => tries < triesMax && mayPass(error),
    },
  },
});

function mayPass(error: unknown): boolean {
  return error instanceof NoAnswer || (error instanceof ApiError && error.status === 503);
}

export type ReadOptions = {
  is_enabled?: boolean;
  /** Asks again after so many milliseconds. */
  every_ms?: number;
  /** Shows the last answer until the next one is there. */
  keeps_last?: boolean;
};

/** `useRead(listInvoices, { query: { status: 'draft' } })` */
export function useRead<S extends CallShape>(call: Call<S>, input: Input<S>, options: ReadOptions = {}) {
  return useReadIn(useCurrentCompany().id, call, input, options);
}

/** Nothing is read where there is no company. */
export function useReadIn<S extends CallShape>(
  company_id: string | null,
  { name }: Call<S>,
  input: Input<S>,
  { is_enabled = true, every_ms, keeps_last = false }: ReadOptions = {},
) {
  return useQuery<S['answer'], Error>({
    queryKey: [company_id, name, input],
    queryFn: ({ signal }) => readOnce<S>(company_id!, name, input, signal),
    enabled: is_enabled && company_id !== null,
    ...(every_ms === undefined ? {} : { refetchInterval: every_ms }),
    ...(keeps_last ? { placeholderData: keepPreviousData } : {}),
  });
}

export type OneRead<A> = { data: A | undefined; is_loading: boolean; error: Error | null; again(): void };

/** Several of a kind, in their order. One that was refused, or is gone, has no data. */
export function useReads<S extends CallShape>(
  { name }: Call<S>,
  inputs: readonly Input<S>[],
): OneRead<S['answer']>[] {
  const { id } = useCurrentCompany();
  const queries = inputs.map((input) => ({
    queryKey: [id, name, input],
    queryFn: ({ signal }: { signal: AbortSignal }) => readOnce<S>(id, name, input, signal),
  }));
  return useQueries({ queries }).map(({ data, isFetching, error, refetch }) => ({
    data,
    is_loading: data === undefined && isFetching,
    error: data === undefined ? error : null,
    again: () => void refetch(),
  }));
}

async function readOnce<S extends CallShape>(
  company_id: string,
  name: OperationName,
  { params, query, body }: CallShape | Input<S>,
  signal?: AbortSignal,
): Promise<S['answer']> {
  const { method } = operationOf(name);
  const { body: answer, etag } = await requestTagged<S['answer']>(pathOf(company_id, name, params), {
    method,
    query: query as Record<string, unknown> | undefined,
    body,
    signal,
  });
  return etag === undefined ? answer : { ...(answer as object), etag };
}

/** What a change made untrue is read again. Without names: everything of the company. */
export function useForget(): (...names: OperationName[]) => Promise<void> {
  const { id } = useCurrentCompany();
  const client = useQueryClient();
  return useCallback(
    async (...names: OperationName[]) => {
      const keys = names.length === 0 ? [[id]] : names.map((name) => [id, name]);
      await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
    },
    [client, id],
  );
}
