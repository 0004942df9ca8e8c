/** A list: filters and cursor in the address, one page of rows, keys j and k, and its states. */
import { Box, Button } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { ApiError } from '../app/api.ts';
import { useCommonWords } from '../app/common-words.ts';
import { useAddress } from '../app/navigate.tsx';
import type { Call, CallShape, Input, Page } from '../app/operation.ts';
import { useRead } from '../app/reading.ts';
import { type Filter, ListFilters, filterNames } from './list-filters.tsx';
import { useKeptPlace } from './list-place.ts';
import { Pager } from './list-pager.tsx';
import { type Column, ListTable } from './list-table.tsx';
import { useSay } from './live-region.tsx';
import { EmptyState, Failure, Loading } from './states.tsx';

type ListShape<T> = CallShape & { answer: Page<T> };

type Props<T, S extends ListShape<T>> = {
  call: Call<S>;
  /** Path ids, where the list is below a resource. */
  params?: Record<string, string>;
  /** Sent with every page, whatever the filters. */
  always?: Readonly<Record<string, string>>;
  filters?: readonly Filter[];
  /** For readers: what the rows are. */
  name: string;
  columns: readonly Column<T>[];
  idOf(row: T): string;
  /** Path of a row's own page. */
  open?(row: T): string;
  /** For a list without a row at all. */
  empty: ReactNode;
  every_ms?: number;
};

const perPage = 25;

export function ListPage<T, S extends ListShape<T>>(props: Props<T, S>) {
  const { call, params, always, filters = [], name, columns, idOf, open, empty, every_ms } = props;
  const { search, change } = useAddress();
  const chosen = Object.fromEntries(
    filterNames(filters).flatMap((filter) => (search[filter] ? [[filter, search[filter]]] : [])),
  );
  const cursor = cursorOf(search);
  const query = { ...always, ...chosen, ...cursor, limit: perPage };
  const input = { query, ...(params ? { params } : {}) } as unknown as Input<S>;
  const read = useRead(call, input, { keeps_last: true, ...(every_ms === undefined ? {} : { every_ms }) });
  // An empty page of before says nothing of the next one.
  const page: Page<T> | undefined =
    read.isPlaceholderData && read.data?.data.length === 0 ? undefined : read.data;
  const is_filtered = Object.keys(chosen).some((name) => name !== 'sort');
  // Its rows went away since somebody was here, or kept the address.
  const is_left_empty = page?.data.length === 0 && Object.keys(cursor).length > 0;
  useKeptPlace();
  useLoadedSaid(page?.data.length, read.isPlaceholderData);
  return (
    <Box>
      {filters.length > 0 && <ListFilters filters={filters} chosen={chosen} />}
      {isLostCursor(read.error) || is_left_empty ? (
        <CursorGone begin={() => void change({ after: null, before: null }, { replace: true })} />
      ) : (
        read.error && <Failure error={read.error} retry={() => void read.refetch()} />
      )}
      {!page && !read.error && <Loading rows={8} />}
      {page && page.data.length === 0 && !is_left_empty && (is_filtered ? <NoMatches /> : empty)}
      {page && page.data.length > 0 && (
        <Box opacity={read.isPlaceholderData ? 0.6 : 1} aria-busy={read.isPlaceholderData}>
          <ListTable name={name} rows={page.data} columns={columns} idOf={idOf} open={open} />
          <Pager page={page} search={search} idOf={idOf} go={(next) => void change(next)} />
        </Box>
      )}
    </Box>
  );
}

function cursorOf(search: Readonly<Record<string, string>>): Record<string, string> {
  if (search.after) return { starting_after: search.after };
  return search.before ? { ending_before: search.before } : {};
}

function useLoadedSaid(count: number | undefined, is_old: boolean): void {
  const say = useSay();
  const { list } = useCommonWords();
  useEffect(() => {
    if (count !== undefined && !is_old) say(list.loaded(count));
  }, [count, is_old, say, list]);
}

/** The address names a row that is gone. To ask again would be of no use. */
const isLostCursor = (error: Error | null) =>
  error instanceof ApiError && error.problem?.code === 'parameter_invalid_cursor';

function CursorGone({ begin }: { begin(): void }) {
  const { list } = useCommonWords();
  return (
    <EmptyState icon="search" title={list.cursor_gone_title} text={list.cursor_gone_text}>
      <Button variant="default" onClick={begin}>
        {list.cursor_gone_action}
      </Button>
    </EmptyState>
  );
}

function NoMatches() {
  const { list } = useCommonWords();
  return <EmptyState icon="search" title={list.no_matches_title} text={list.no_matches_text} />;
}
