/** Filters of a list, kept in the address. A change begins again at the first page. */
import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { useCommonWords } from '../app/common-words.ts';
import { Icon } from '../app/icons.tsx';
import { useAddress } from '../app/navigate.tsx';

export type Choice = { value: string; label: string };

/** Its name is the operation's parameter. `days` is a range: `{name}[gte]` and `{name}[lte]`. */
export type Filter =
  /** The service refuses a search for less than `least` characters. */
  | { kind: 'search'; name: string; label: string; least?: number }
  | { kind: 'text'; name: string; label: string }
  | { kind: 'choice'; name: string; label: string; options: readonly Choice[] }
  | { kind: 'sort'; name: 'sort'; label: string; options: readonly Choice[] }
  | { kind: 'days'; name: string; label: string };

/** Of lists of things with names: the last that was made is first until another order is chosen. */
export function useNameOrder(): Filter {
  const { list } = useCommonWords();
  return {
    kind: 'sort',
    name: 'sort',
    label: list.sort,
    options: [
      { value: '-created', label: list.newest },
      { value: 'name', label: list.by_name },
    ],
  };
}

export function filterNames(filters: readonly Filter[]): string[] {
  return filters.flatMap(({ kind, name }) => (kind === 'days' ? [`${name}[gte]`, `${name}[lte]`] : [name]));
}

type Chosen = Readonly<Record<string, string | undefined>>;
type Choose = (changes: Record<string, string | null>) => void;

export function ListFilters({ filters, chosen }: { filters: readonly Filter[]; chosen: Chosen }) {
  const { list, actions } = useCommonWords();
  const { change } = useAddress();
  const choose: Choose = (changes) =>
    void change({ ...changes, after: null, before: null }, { replace: true });
  // A field that is made anew holds nothing that was typed and not sent yet.
  const [clears, setClears] = useState(0);
  const names = filterNames(filters);
  const is_any = names.some((name) => name !== 'sort' && chosen[name] !== undefined);
  return (
    <Group component="search" aria-label={list.filters} align="flex-end" gap="sm" mb="md">
      {filters.map((filter) => (
        <Field key={`${filter.name} ${clears}`} filter={filter} chosen={chosen} choose={choose} />
      ))}
      {is_any && (
        <Button
          variant="subtle"
          onClick={() => {
            setClears(clears + 1);
            choose(Object.fromEntries(names.map((name) => [name, null])));
          }}
          leftSection={<Icon name="close" size={14} />}
        >
          {actions.clear}
        </Button>
      )}
    </Group>
  );
}

function Field({ filter, chosen, choose }: { filter: Filter; chosen: Chosen; choose: Choose }) {
  const { list } = useCommonWords();
  const { name, label } = filter;
  if (filter.kind === 'search' || filter.kind === 'text')
    return (
      <TextFilter filter={filter} value={chosen[name] ?? ''} choose={(text) => choose({ [name]: text })} />
    );
  if (filter.kind === 'days')
    return (
      <>
        {(['gte', 'lte'] as const).map((bound) => (
          <DayFilter
            key={bound}
            label={`${label}: ${(bound === 'gte' ? list.from : list.to).toLowerCase()}`}
            value={chosen[`${name}[${bound}]`] ?? ''}
            choose={(day) => choose({ [`${name}[${bound}]`]: day })}
          />
        ))}
      </>
    );
  const any = filter.kind === 'sort' ? [] : [{ value: '', label: list.any }];
  return (
    <NativeSelect
      label={label}
      data={[...any, ...filter.options]}
      value={chosen[name] ?? (filter.kind === 'sort' ? (filter.options[0]?.value ?? '') : '')}
      onChange={(event) => choose({ [name]: event.currentTarget.value })}
    />
  );
}

/** What is typed and not sent yet. What comes back of one's own typing would undo what was typed since. */
function useTyped(value: string) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  useEffect(() => {
    if (value !== sent.current) setText(value);
    sent.current = value;
  }, [value]);
  return { text, setText, sent };
}

type DayProps = { label: string; value: string; choose(day: string): void };

/** While a year is typed, the browser tells of the days of 0002, 0020 and 0202. */
const firstWholeYear = '1000';

function DayFilter({ label, value, choose }: DayProps) {
  const { text, setText, sent } = useTyped(value);
  return (
    <TextInput
      type="date"
      label={label}
      value={text}
      onChange={(event) => {
        const day = event.currentTarget.value;
        setText(day);
        if (day !== '' && day < firstWholeYear) return;
        sent.current = day;
        choose(day);
      }}
    />
  );
}

const typing_ms = 300;

type TextProps = {
  filter: Extract<Filter, { kind: 'search' | 'text' }>;
  value: string;
  choose(text: string): void;
};

/** What the service searches for at most. */
const longestSearch = 100;

/** Asks when the typing rests. */
function TextFilter({ filter, value, choose }: TextProps) {
  const { list } = useCommonWords();
  const { text, setText, sent } = useTyped(value);
  const chooseLater = useDebouncedCallback((next: string) => {
    sent.current = next;
    choose(next);
  }, typing_ms);
  const is_search = filter.kind === 'search';
  const least = (is_search && filter.least) || 0;
  const isShort = (typed: string) => typed !== '' && [...typed].length < least;
  return (
    <TextInput
      label={filter.label}
      type={is_search ? 'search' : 'text'}
      leftSection={is_search ? <Icon name="search" size={16} /> : undefined}
      {...(is_search ? { 'data-list-search': true } : {})}
      maxLength={longestSearch}
      value={text}
      onChange={(event) => {
        const typed = event.currentTarget.value.trim();
        setText(event.currentTarget.value);
        // So few letters search for nothing, whatever was searched for before.
        chooseLater(isShort(typed) ? '' : typed);
      }}
      inputWrapperOrder={['label', 'input', 'description']}
      description={isShort(text.trim()) ? list.search_short(least) : undefined}
      flex={is_search ? '1 1 14rem' : undefined}
      maw="24rem"
    />
  );
}
