import type { Tx } from '../../../kernel/operation.ts';

export type Part = { first: number; last: number } | null;

const partOf = (row: { first: string | null; last: string | null } | undefined): Part =>
  row?.first == null || row.last == null ? null : { first: Number(row.first), last: Number(row.last) };

/** Stamps never run backwards along a chain, so a period is one part of it. */
export async function findParts(
  tx: Tx,
  company_id: string,
  from: Date,
  until: Date,
): Promise<{ records: Part; events: Part }> {
  const [[records], [events]] = await Promise.all([
    tx<{ first: string | null; last: string | null }[]>`
      select min(position) as first, max(position) as last from verifactu_records
       where company_id = ${company_id} and recorded_at >= ${from} and recorded_at < ${until}`,
    tx<{ first: string | null; last: string | null }[]>`
      select min(position) as first, max(position) as last from verifactu_events
       where company_id = ${company_id} and occurred_at >= ${from} and occurred_at < ${until}`,
  ]);
  return { records: partOf(records), events: partOf(events) };
}
