/** Checks texts of records and events in a thread. It holds one walk of each kind. */
import { parentPort, workerData } from 'node:worker_threads';
import type { ChainWalker, EventToCheck, RecordToCheck, WalkStart } from '../../modules/verifactu/index.ts';
import { EventWalk, RecordWalk } from '../../modules/verifactu/chain-checks/ports.ts';
import { loadOfficialSchemas } from './official-schemas.ts';
import { makeRecordReader } from './record-reader.ts';

/** `forget` comes after a company's check: the next one may be another's. */
export type WalkAsked = { method: keyof ChainWalker | 'forget'; args: unknown[] };
export type WalkAnswered = { answer: unknown } | { fault: string };

const { schemas } = workerData as { schemas: string | null };
const texts = makeRecordReader(schemas === null ? null : loadOfficialSchemas(schemas));
let records: RecordWalk | undefined;
let events: EventWalk | undefined;

function contentOf({ xml, is_known_broken }: RecordToCheck) {
  if (is_known_broken) return null;
  try {
    return texts.readRecord(xml).content;
  } catch {
    // The walk reports it.
    return null;
  }
}

const methods = {
  beginRecords({ now, installation, first }: WalkStart, before: RecordToCheck | null) {
    records = new RecordWalk(texts, now, installation, first);
    if (before !== null) records.begin(before);
  },
  checkRecords(rows: readonly RecordToCheck[]) {
    const walk = records!;
    const faults = rows.flatMap((row) => walk.check(row));
    return { faults, contents: rows.map(contentOf), counts: { ...walk.counts } };
  },
  beginEvents({ now, installation, first }: WalkStart) {
    events = new EventWalk(texts, now, installation, first);
  },
  checkEvents(rows: readonly EventToCheck[]) {
    const walk = events!;
    return { faults: rows.flatMap((row) => walk.check(row)), counts: { ...walk.counts } };
  },
  forget() {
    records = undefined;
    events = undefined;
    return null;
  },
};

parentPort?.on('message', ({ method, args }: WalkAsked) => {
  let answered: WalkAnswered;
  try {
    answered = { answer: (methods[method] as (...given: unknown[]) => unknown)(...args) };
  } catch (error) {
    answered = { fault: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  parentPort?.postMessage(answered);
});
