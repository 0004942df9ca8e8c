/** A choice among many: the service searches while one types, and answers the first few. */
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useCommonWords } from '../app/common-words.ts';
import type { Call, CallShape, Input, ListQuery, Page } from '../app/operation.ts';
import { useRead } from '../app/reading.ts';
import type { Choice } from './list-filters.tsx';
import { FailureText } from './states.tsx';

type Searched<T> = CallShape & {
  query: ListQuery & { q?: string; is_active?: boolean };
  answer: Page<T>;
};

/** What `fields('client_id')` gives. */
export type SearchField = {
  value?: string;
  onChange?: (value: string) => void;
  error?: ReactNode;
};

type Props<T> = SearchField & {
  call: Call<Searched<T>>;
  optionOf(found: T): Choice;
  /** Of the value before, which the list may not have. */
  known_name?: string | undefined;
  /** The whole of what was chosen; null when nothing is. */
  chosen?: (found: T | null) => void;
  label: string;
  description?: string;
  clear: string;
  none: string;
};

const typing_ms = 250;

/** Nothing was found only where the service has answered so. */
function Nothing({ read: { error, isPending }, none }: { read: UseQueryResult; none: string }) {
  const { list } = useCommonWords();
  if (error) return <FailureText error={error} />;
  return isPending ? list.loading : none;
}

export function SearchSelect<T>(props: Props<T>) {
  const {
    call,
    optionOf,
    known_name,
    chosen: tellChosen,
    clear,
    none,
    value = '',
    onChange,
    ...field
  } = props;
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState({ value, label: known_name ?? value });
  const [q] = useDebouncedValue(typed.trim(), typing_ms);
  const query = { is_active: true, limit: 20, ...(q === '' ? {} : { q }) };
  const input = { query } as unknown as Input<Searched<T>>;
  const read = useRead(call, input, { keeps_last: true });
  const rows: readonly T[] = read.data?.data ?? [];
  const found = rows.map(optionOf);
  const has_chosen = value === '' || found.some((one) => one.value === value);
  // The field may have been given another value, as that of a line in the place of one that was removed.
  const named = chosen.value === value ? chosen : { value, label: known_name ?? value };
  const options = has_chosen ? found : [named, ...found];
  // The field also tells the name of what was chosen, which nobody searches for.
  const search = (text: string) => setTyped(options.some(({ label }) => label === text) ? '' : text);
  return (
    <Select
      searchable
      clearable
      clearButtonProps={{ 'aria-label': clear }}
      data={options}
      filter={({ options: all }) => all}
      value={value === '' ? null : value}
      onSearchChange={search}
      maxLength={100}
      onChange={(next, option) => {
        setChosen({ value: next ?? '', label: option?.label ?? '' });
        onChange?.(next ?? '');
        tellChosen?.(rows.find((row) => optionOf(row).value === next) ?? null);
      }}
      nothingFoundMessage={<Nothing read={read} none={none} />}
      // Chromium stops at what scrolls. It is gone as soon as the field is left, and the focus with it.
      scrollAreaProps={{ viewportProps: { tabIndex: -1 } }}
      {...field}
    />
  );
}
