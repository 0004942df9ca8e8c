import { Button, Group } from '@mantine/core';
import { useCommonWords } from '../app/common-words.ts';
import { Icon } from '../app/icons.tsx';
import type { Page } from '../app/operation.ts';

type Changes = Record<string, string | null>;

type Props<T> = {
  page: Page<T>;
  search: Readonly<Record<string, string>>;
  idOf(row: T): string;
  go(changes: Changes): void;
};

/** Pages have no numbers: there is one before and one after. */
export function Pager<T>({ page, search, idOf, go }: Props<T>) {
  const { list } = useCommonWords();
  const [first, last] = [page.data[0], page.data.at(-1)];
  const goes_back = search.before !== undefined;
  const has_previous = goes_back ? page.has_more : search.after !== undefined;
  const has_next = goes_back || page.has_more;
  if (!has_previous && !has_next) return null;
  return (
    <Group component="nav" aria-label={list.pager} justify="flex-end" mt="md" gap="xs">
      <Button
        variant="default"
        {...closed(!has_previous)}
        onClick={() => has_previous && first && go({ before: idOf(first), after: null })}
        leftSection={<Icon name="back" size={16} />}
      >
        {list.previous}
      </Button>
      <Button
        variant="default"
        {...closed(!has_next)}
        onClick={() => has_next && last && go({ after: page.next_cursor ?? idOf(last), before: null })}
        rightSection={<Icon name="next" size={16} />}
      >
        {list.next}
      </Button>
    </Group>
  );
}

/** A button that leads no further keeps the focus of whoever pressed it; one that is disabled would lose it. */
const closed = (is_closed: boolean) =>
  is_closed ? ({ 'data-disabled': true, 'aria-disabled': true } as const) : {};
