/** Walks a company's chains elsewhere than on the thread that answers requests: each text costs milliseconds. */
import type { IntegrityCounts, RecordContent } from '../record.ts';
import type { EventToCheck } from './rules/event-walk.ts';
import type { Fault } from './rules/faults.ts';
import type { RecordToCheck } from './rules/record-walk.ts';

/** What a thread runs. The module's index would bring all operations into it. */
export { EventWalk } from './rules/event-walk.ts';
export { RecordWalk } from './rules/record-walk.ts';

declare module '../../../kernel/ports.ts' {
  interface Ports {
    walks: WalkPort;
  }
}

export type WalkStart = {
  now: Date;
  /** The company's NumeroInstalacion; null when unknown. */
  installation: string | null;
  /** Position of the first one to check. */
  first: number;
};

/** One call at a time. */
export type ChainWalker = {
  /** @param before the record before the first one, when there is one */
  beginRecords(start: WalkStart, before: RecordToCheck | null): Promise<void>;
  /** @returns the contents in order; null for an unreadable text or one known as broken */
  checkRecords(
    rows: readonly RecordToCheck[],
  ): Promise<{ faults: Fault[]; contents: (RecordContent | null)[]; counts: IntegrityCounts }>;
  beginEvents(start: WalkStart): Promise<void>;
  checkEvents(rows: readonly EventToCheck[]): Promise<{ faults: Fault[]; counts: IntegrityCounts }>;
};

export type WalkPort = {
  /**
   * Runs the check with a walker of its own, which ends with it.
   * @param owner_id the company in whose share the check counts (ADR 34): one at a time; null for an operator's
   * @throws TurnsFull
   */
  run<T>(owner_id: string | null, check: (walker: ChainWalker) => Promise<T>): Promise<T>;
};
