/** A read, while it loads, when it failed, and when it is there. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure, Loading } from './states.tsx';

type Props<T> = {
  read: UseQueryResult<T, Error>;
  children(answer: T): ReactNode;
  /** Lines of the grey picture. */
  rows?: number;
};

export function Ready<T>({ read, children, rows = 5 }: Props<T>) {
  // What was read before stays, with the failure above it.
  if (read.data !== undefined)
    return (
      <>
        {read.error && <Failure error={read.error} retry={() => void read.refetch()} />}
        {children(read.data)}
      </>
    );
  if (read.error) return <Failure error={read.error} retry={() => void read.refetch()} />;
  return <Loading rows={rows} />;
}
