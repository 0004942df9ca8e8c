/** Walks a company's stored chains. Memory holds one page. */
import type { Tx } from '../../../kernel/operation.ts';
import { listEventsBetween, listRecordsBetween, readEnds } from './chain-checks.store.ts';
import { headFaults } from './rules/chain-walk.ts';
import type { Fault } from './rules/faults.ts';
import type { RecordToCheck } from './rules/record-walk.ts';
import type { IntegrityCounts, RecordContent } from '../record.ts';
import type { StoredRecord } from './chain-checks.store.ts';
import type { ChainWalker } from './ports.ts';

/** A long check gives each read its own transaction. */
export type Reader = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

export type Ends = Awaited<ReturnType<typeof readEnds>>;

export type FaultSink = (faults: readonly Fault[]) => void;

const pageSize = 100;

export function readChainEnds(read: Reader, company_id: string): Promise<Ends> {
  return read((tx) => readEnds(tx, company_id));
}

export function endFaults({ records, events }: Ends): Fault[] {
  return [...headFaults('record', records), ...headFaults('event', events)];
}

export function recordToCheck(row: StoredRecord): RecordToCheck {
  const { xml, is_known_broken, ...columns } = row;
  return { id: row.id, position: row.position, mode: row.mode, xml, columns, is_known_broken };
}

const noCounts: IntegrityCounts = { huellas: 0, signatures: 0, links: 0, dates: 0 };

export type ReadPage = readonly { row: StoredRecord; content: RecordContent | null }[];

/**
 * Each read is a transaction of its own where the reader makes it so; none is open while texts are checked.
 * @param also checks each page for more, such as its documents
 * @returns how many were checked, for event 03
 */
export async function checkRecords(
  read: Reader,
  walker: ChainWalker,
  { company_id, now, installation }: { company_id: string; now: Date; installation: string | null },
  { from, to }: { from: number; to: number },
  addFaults: FaultSink,
  also: (page: ReadPage) => Promise<Fault[]>,
): Promise<{ count: number; checked: IntegrityCounts }> {
  const [before] =
    from > 1 ? await read((tx) => listRecordsBetween(tx, company_id, from - 2, from - 1, 1)) : [];
  await walker.beginRecords({ now, installation, first: from }, before ? recordToCheck(before) : null);
  let count = 0;
  let checked = noCounts;
  for (let after = from - 1; ; ) {
    const rows = await read((tx) => listRecordsBetween(tx, company_id, after, to, pageSize));
    const last = rows.at(-1);
    if (last === undefined) return { count, checked };
    const { faults, contents, counts } = await walker.checkRecords(rows.map(recordToCheck));
    addFaults(faults);
    addFaults(await also(rows.map((row, i) => ({ row, content: contents[i] ?? null }))));
    count += rows.length;
    checked = counts;
    if (rows.length < pageSize) return { count, checked };
    after = last.position;
  }
}

/** @returns how many were checked, for event 05 */
export async function checkEvents(
  read: Reader,
  walker: ChainWalker,
  { company_id, now, installation }: { company_id: string; now: Date; installation: string | null },
  to: number,
  addFaults: FaultSink,
): Promise<{ count: number; checked: IntegrityCounts }> {
  await walker.beginEvents({ now, installation, first: 1 });
  let count = 0;
  let checked = noCounts;
  for (let after = 0; ; ) {
    const rows = await read((tx) => listEventsBetween(tx, company_id, after, to, pageSize));
    const last = rows.at(-1);
    if (last === undefined) return { count, checked };
    const { faults, counts } = await walker.checkEvents(
      rows.map(({ xml, ...columns }) => ({ id: columns.id, position: columns.position, xml, columns })),
    );
    addFaults(faults);
    count += rows.length;
    checked = counts;
    if (rows.length < pageSize) return { count, checked };
    after = last.position;
  }
}
