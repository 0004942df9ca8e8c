/**
 * Payments of a page of documents. A hundred documents may have fifty thousand, of some ten kilobytes each, and a page shows
 * 2 MB. So they are read document by document, until the page is full (ADR 34).
 */
import { pageBytesMax } from '../../kernel/page.ts';
import { paymentsMax } from './most-payments.ts';
import type { PaidRow } from './paid.ts';

/** In one statement. Most pages have fewer. */
const paymentsAtOnce = paymentsMax;

export type PagePayments<P> = {
  payments: P[];
  /** So many of the documents have all of their payments here. */
  whole: number;
};

/** Less than what its JSON takes. */
function leastBytes({ notes, metadata }: PaidRow): number {
  let bytes = 300 + (notes?.length ?? 0);
  for (const [key, value] of Object.entries(metadata)) bytes += key.length + value.length;
  return bytes;
}

/**
 * @param ids of the documents, in the order of the page
 * @param read of these documents in their order; so many payments at most, or all
 * @param bytes_max the payments of one document may go beyond
 */
export async function readPagePayments<P extends PaidRow>(
  ids: readonly string[],
  documentOf: (payment: P) => string,
  read: (ids: readonly string[], limit: number | null) => Promise<readonly P[]>,
  bytes_max: number = pageBytesMax,
): Promise<PagePayments<P>> {
  const payments: P[] = [];
  let bytes = 0;
  let whole = 0;
  while (whole < ids.length && bytes <= bytes_max) {
    const rest = ids.slice(whole);
    let found = await read(rest, paymentsAtOnce + 1);
    let count = found.length > paymentsAtOnce ? rest.indexOf(documentOf(found.at(-1)!)) : rest.length;
    if (count === 0) {
      // A document from before there was a limit.
      found = await read(rest.slice(0, 1), null);
      count = 1;
    }
    const held = new Set(rest.slice(0, count));
    for (const payment of found) {
      if (!held.has(documentOf(payment))) break;
      payments.push(payment);
      bytes += leastBytes(payment);
    }
    whole += count;
  }
  return { payments, whole };
}
