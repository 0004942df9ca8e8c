/** The rows of a list, cheap each: plain elements, and one listener for the links of all. */
import { useRouter } from '@tanstack/react-router';
import { type RefObject, useEffect } from 'react';
import { useCompanyPath } from '../app/company.ts';
import { publicPath } from '../app/server-words.ts';
import { useGo } from '../app/navigate.tsx';
import { isTyping } from '../app/shell/shortcuts.tsx';
import classes from './list.module.css';
import type { Column } from './list-table.tsx';

type Props<T> = { row: T; columns: readonly Column<T>[]; to: string | undefined };

export function ListRow<T>({ row, columns, to }: Props<T>) {
  const base = useCompanyPath();
  const [first, ...rest] = columns;
  return (
    <tr className={to === undefined ? classes.line : `${classes.line} ${classes.row}`}>
      <th scope="row" className={classes.cell}>
        {to === undefined ? (
          first?.cell(row)
        ) : (
          <a href={`${publicPath}/dashboard${base}${to}`} className={classes.open} data-row={to}>
            {first?.cell(row)}
          </a>
        )}
      </th>
      {rest.map(({ id: column, cell, is_amount, from }) => (
        <td key={column} className={cellClass(is_amount, from)}>
          {cell(row)}
        </td>
      ))}
    </tr>
  );
}

function cellClass(is_amount = false, from?: string): string {
  const shown = from === undefined ? '' : ` mantine-visible-from-${from}`;
  return `${classes.cell}${is_amount ? ` ${classes.amount}` : ''}${shown}`;
}

const linkOf = ({ target }: Event) =>
  target instanceof Element ? target.closest<HTMLAnchorElement>('a[data-row]') : null;

const isPlain = (event: MouseEvent) =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;

/** Links of rows stay within the page, whose code is fetched when somebody comes near one. */
export function useRowLinks(body: RefObject<HTMLElement | null>): void {
  const go = useGo();
  const router = useRouter();
  const base = useCompanyPath();
  useEffect(() => {
    const rows = body.current;
    if (!rows) return;
    const follow = (event: MouseEvent) => {
      const to = linkOf(event)?.dataset.row;
      if (to === undefined || event.defaultPrevented || !isPlain(event)) return;
      event.preventDefault();
      go(to);
    };
    const near = (event: Event) => {
      const to = linkOf(event)?.dataset.row;
      if (to !== undefined) void router.preloadRoute({ to: `${base}${to}` } as never);
    };
    rows.addEventListener('click', follow);
    rows.addEventListener('pointerover', near);
    rows.addEventListener('focusin', near);
    return () => {
      rows.removeEventListener('click', follow);
      rows.removeEventListener('pointerover', near);
      rows.removeEventListener('focusin', near);
    };
  }, [body, go, router, base]);
}

/** j and k walk from one row to the next, unless the key is of use to the shortcuts, which hear it first: `g k` leads to a page. */
export function useRowKeys(body: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if ((event.key !== 'j' && event.key !== 'k') || event.metaKey || event.ctrlKey || event.altKey) return;
      if (event.defaultPrevented) return;
      if (isTyping(event.target) || document.querySelector('[aria-modal="true"]')) return;
      const links = [...(body.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
      const at = links.indexOf(document.activeElement as HTMLElement);
      const next = links[event.key === 'j' ? at + 1 : Math.max(at - 1, 0)];
      next?.focus();
    };
    addEventListener('keydown', hear);
    return () => removeEventListener('keydown', hear);
  }, [body]);
}
