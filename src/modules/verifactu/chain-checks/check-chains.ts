/** Walks a company's stored chains. Memory holds one page. */
import type { Tx } from '../../../kernel/operation.ts';
import { listEventsBetween, listRecordsBetween, readEnds } from './chain-checks.store.ts';
import type { RecordPort } from '../ports.ts';
import { EventWalk } from './rules/event-walk.ts';
import { headFaults } from './rules/chain-walk.ts';
import type { Fault } from './rules/faults.ts';
import { RecordWalk, type RecordToCheck } from './rules/record-walk.ts';
import type { IntegrityCounts } from '../record.ts';
import type { StoredRecord } from './chain-checks.store.ts';

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

/**
 * @param also checks each page for more, such as its documents
 * @returns how many were checked, for event 03
 */
export async function checkRecords(
  read: Reader,
  texts: RecordPort,
  { company_id, now, installation }: { company_id: string; now: Date; installation: string | null },
  { from, to }: { from: number; to: number },
  addFaults: FaultSink,
  also: (tx: Tx, rows: readonly StoredRecord[]) => Promise<Fault[]>,
): Promise<{ count: number; checked: IntegrityCounts }> {
  const walk = new RecordWalk(texts, now, installation, from);
  if (from > 1) {
    const [before] = await read((tx) => listRecordsBetween(tx, company_id, from - 2, from - 1, 1));
    if (before) walk.begin(recordToCheck(before));
  }
  let count = 0;
  for (let after = from - 1; ; ) {
    const { rows, found } = await read(async (tx) => {
      const rows = await listRecordsBetween(tx, company_id, after, to, pageSize);
      return { rows, found: await also(tx, rows) };
    });
    for (const row of rows) addFaults(walk.check(recordToCheck(row)));
    addFaults(found);
    count += rows.length;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return { count, checked: { ...walk.counts } };
    after = last.position;
  }
}

/** @returns how many were checked, for event 05 */
export async function checkEvents(
  read: Reader,
  texts: RecordPort,
  { company_id, now, installation }: { company_id: string; now: Date; installation: string | null },
  to: number,
  addFaults: FaultSink,
): Promise<{ count: number; checked: IntegrityCounts }> {
  const walk = new EventWalk(texts, now, installation, 1);
  let count = 0;
  for (let after = 0; ; ) {
    const rows = await read((tx) => listEventsBetween(tx, company_id, after, to, pageSize));
    for (const { xml, ...columns } of rows)
      addFaults(walk.check({ id: columns.id, position: columns.position, xml, columns }));
    count += rows.length;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return { count, checked: { ...walk.counts } };
    after = last.position;
  }
}
