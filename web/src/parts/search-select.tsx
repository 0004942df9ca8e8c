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
function Nothing({ read, is_late, none }: { read: UseQueryResult; is_late: boolean; none: string }) {
  const { list } = useCommonWords();
  if (is_late || read.isPending) return list.loading;
  return read.error ? <FailureText error={read.error} /> : none;
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
  const [shown, setShown] = useState(value === '' ? '' : (known_name ?? value));
  const [chosen, setChosen] = useState({ value, label: known_name ?? value });
  const [q] = useDebouncedValue(typed.trim(), typing_ms);
  const query = { is_active: true, limit: 20, ...(q === '' ? {} : { q }) };
  const input = { query } as unknown as Input<Searched<T>>;
  const read = useRead(call, input, { keeps_last: true });
  // What was found for other letters is not offered: who types on, and chooses by keyboard, would take one of those.
  const is_late = typed.trim() !== q || read.isPlaceholderData;
  const rows: readonly T[] = is_late ? [] : (read.data?.data ?? []);
  // The field may have been given another value, as that of a line in the place of one that was removed.
  const own = chosen.value === value ? chosen : { value, label: known_name ?? value };
  // It keeps its name: the field would write another one over what is typed, as one that the list tells with its tax id.
  const found = rows.map(optionOf).map((one) => (one.value === value ? own : one));
  const options = value === '' || found.includes(own) ? found : [own, ...found];
  // The field also tells the name of what was chosen, which nobody searches for.
  const search = (text: string) => {
    setShown(text);
    setTyped(value !== '' && text === own.label ? '' : text);
  };
  return (
    <Select
      searchable
      clearable
      clearButtonProps={{ 'aria-label': clear }}
      data={options}
      filter={({ options: all }) => all}
      value={value === '' ? null : value}
      // Who wants none has a button for it. Chosen once more, it stays, and tells its name again.
      allowDeselect={false}
      onOptionSubmit={(next) => {
        if (next === value) search(own.label);
      }}
      searchValue={shown}
      onSearchChange={search}
      // The form would be sent without what is searched for.
      onKeyDown={(event) => {
        if (event.key === 'Enter' && typed !== '') event.preventDefault();
      }}
      maxLength={100}
      onChange={(next, option) => {
        setChosen({ value: next ?? '', label: option?.label ?? '' });
        onChange?.(next ?? '');
        tellChosen?.(rows.find((row) => optionOf(row).value === next) ?? null);
      }}
      nothingFoundMessage={<Nothing read={read} is_late={is_late} none={none} />}
      // Chromium stops at what scrolls. It is gone as soon as the field is left, and the focus with it.
      scrollAreaProps={{ viewportProps: { tabIndex: -1 } }}
      {...field}
    />
  );
}
