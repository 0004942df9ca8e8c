/** A read, while it loads, when it failed, and when it is there. */
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useContext } from 'react';
import { isGone } from '../app/api.ts';
import { PageNameContext } from '../app/page-name.ts';
import { PageTitle } from './page-title.tsx';
import { Failure, Loading } from './states.tsx';

type Props<T> = {
  read: UseQueryResult<T, Error>;
  children(answer: T): ReactNode;
  /** Lines of the grey picture. */
  rows?: number;
  /** The answer brings the heading: without one, the page's name is it. */
  is_page?: boolean;
  /** What is typed in the page stays, also where what it edits was deleted meanwhile. */
  has_form?: boolean;
};

export function Ready<T>({ read, children, rows = 5, is_page = false, has_form = false }: Props<T>) {
  const name = useContext(PageNameContext);
  // What was read before stays, with the failure above it. What is no longer there offers nothing.
  const is_over = is_page && !has_form && isGone(read.error);
  if (read.data !== undefined && !is_over)
    return (
      <>
        {read.error && <Failure error={read.error} retry={() => void read.refetch()} />}
        {children(read.data)}
      </>
    );
  if (read.error)
    return (
      <>
        {is_page && <PageTitle>{name}</PageTitle>}
        <Failure error={read.error} retry={() => void read.refetch()} />
      </>
    );
  return <Loading rows={rows} />;
}
