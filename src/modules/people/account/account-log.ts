/** Writes what waits in `account_entries` into the audit logs of companies, one transaction after another. */
import type { Log } from '../../../kernel/log.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db.ts';
import { delayEntry, listDueEntries, type WaitingEntry, writeEntry } from './account-entries.ts';
import { makeOutboxLoop, type OutboxLoop } from '../outbox-loop.ts';

const batch = 50;
/** After a company's transaction failed. */
const waitMs = 60_000;

export type AccountLog = OutboxLoop & {
  /** Once, what is due now. */
  writeDue(): Promise<void>;
};

type Parts = { db: Database; clock: Clock; log: Log };

export function makeAccountLog({ db, clock, log }: Parts): AccountLog {
  async function writeAll(isStopping: () => boolean): Promise<void> {
    for (let is_more = true; is_more; ) {
      const due = await listDueEntries(db.index, clock.now(), batch);
      for (const waiting of due) {
        if (isStopping()) return;
        await writeOne(waiting);
      }
      is_more = due.length === batch;
    }
  }

  async function writeOne(waiting: WaitingEntry): Promise<void> {
    const { company_id, action } = waiting;
    try {
      await db.transaction(company_id, (tx) => writeEntry(tx, waiting), 'background');
    } catch (error) {
      log.warn({ err: error, company_id, action }, 'an entry about an account is not written yet');
      await delayEntry(db.index, waiting, new Date(clock.now().getTime() + waitMs));
    }
  }

  const loop = makeOutboxLoop({
    drain: writeAll,
    onFault: (error) => log.error({ err: error }, 'entries about accounts are not written'),
  });
  return { ...loop, writeDue: () => writeAll(() => false) };
}
