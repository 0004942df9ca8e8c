/** The table of a list. The first column names the row and leads to it; j and k walk from one to the next. */
import { type MantineBreakpoint, Table, VisuallyHidden } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { useCommonWords } from '../app/common-words.ts';
import { ListRow, useRowKeys, useRowLinks } from './list-rows.tsx';
import { Scrolling } from './scrolling.tsx';

export type Column<T> = {
  id: string;
  /** Empty over a row's actions: readers hear that word. */
  title: string;
  cell(row: T): ReactNode;
  is_amount?: boolean;
  /** Not on screens narrower than that. The first column is always there. */
  from?: MantineBreakpoint;
};

type Props<T> = {
  name: string;
  rows: readonly T[];
  columns: readonly Column<T>[];
  idOf(row: T): string;
  open?: ((row: T) => string) | undefined;
};

export function ListTable<T>({ name, rows, columns, idOf, open }: Props<T>) {
  const { list } = useCommonWords();
  const body = useRef<HTMLTableSectionElement>(null);
  useRowKeys(body);
  useRowLinks(body);
  return (
    <Scrolling name={name}>
      <Table aria-label={name}>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ id, title, is_amount, from }) => (
              <Table.Th key={id} scope="col" ta={is_amount ? 'end' : 'start'} {...shownFrom(from)}>
                {title === '' ? <VisuallyHidden>{list.actions}</VisuallyHidden> : title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody ref={body}>
          {rows.map((row) => (
            <ListRow key={idOf(row)} row={row} columns={columns} to={open?.(row)} />
          ))}
        </Table.Tbody>
      </Table>
    </Scrolling>
  );
}

const shownFrom = (from: MantineBreakpoint | undefined) => (from === undefined ? {} : { visibleFrom: from });
