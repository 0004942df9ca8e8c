/** Rejected records that still ask for something: one that another record of its invoice follows is done with. */
import type { ListedRecord } from './calls.ts';

/** How many are looked at, as many as a filter takes. Older ones are counted as they are. */
export const looksAt = 50;

/** @param later the newest records of the invoices of `rejected` */
export function doneWith(rejected: readonly ListedRecord[], later: readonly ListedRecord[]): number {
  const isFollowed = ({ invoice, position }: ListedRecord) =>
    later.some((one) => one.invoice.id === invoice.id && one.position > position);
  return rejected.filter(isFollowed).length;
}

export const invoicesOf = (rejected: readonly ListedRecord[]): string[] => [
  ...new Set(rejected.map(({ invoice }) => invoice.id)),
];
