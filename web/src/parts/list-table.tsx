/** Rows of a list. The first column names the row and leads to it; j and k walk from one to the next. */
import { type MantineBreakpoint, Table, VisuallyHidden } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useCommonWords } from '../app/common-words.ts';
import { isTyping } from '../app/shell/shortcuts.tsx';
import { PageLink } from '../app/navigate.tsx';
import classes from './list.module.css';
import { Scrolling } from './scrolling.tsx';

export type Column<T> = {
  id: string;
  /** Empty over what may be done with a row: readers hear so. */
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
  return (
    <Scrolling name={name}>
      <Table highlightOnHover aria-label={name}>
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
            <Row key={idOf(row)} row={row} columns={columns} to={open?.(row)} />
          ))}
        </Table.Tbody>
      </Table>
    </Scrolling>
  );
}

const shownFrom = (from: MantineBreakpoint | undefined) => (from === undefined ? {} : { visibleFrom: from });

function Row<T>({ row, columns, to }: { row: T; columns: readonly Column<T>[]; to: string | undefined }) {
  const [first, ...rest] = columns;
  return (
    <Table.Tr className={to === undefined ? '' : (classes.row ?? '')}>
      <Table.Th scope="row" fw={500}>
        {to === undefined ? (
          first?.cell(row)
        ) : (
          <PageLink to={to} className={classes.open} data-row>
            {first?.cell(row)}
          </PageLink>
        )}
      </Table.Th>
      {rest.map(({ id, cell, is_amount, from }) => (
        <Table.Td key={id} ta={is_amount ? 'end' : 'start'} {...shownFrom(from)}>
          {cell(row)}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

function useRowKeys(body: React.RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if ((event.key !== 'j' && event.key !== 'k') || event.metaKey || event.ctrlKey || event.altKey) return;
      if (isTyping(event.target) || document.querySelector('[aria-modal="true"]')) return;
      const links = [...(body.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
      const at = links.indexOf(document.activeElement as HTMLElement);
      const next = links[event.key === 'j' ? at + 1 : Math.max(at - 1, 0)];
      next?.focus();
    };
    document.addEventListener('keydown', hear);
    return () => document.removeEventListener('keydown', hear);
  }, [body]);
}
