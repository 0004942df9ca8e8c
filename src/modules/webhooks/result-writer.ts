/**
 * Stores results, one transaction per company. Retries, so that no request is repeated because the database
 * was away.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Tx } from '../../kernel/operation.ts';
import { withoutSpan } from '../../kernel/tracing.ts';
import { PoolClosed } from '../../platform/connection-pool.ts';
import { type Database, sqlState } from '../../platform/db.ts';
import type { JobLog } from '../../platform/worker.ts';
import { type AttemptResult, storeResults } from './deliveries.store.ts';
import { healthChange } from './rules/health.ts';

export type ResultWriter = {
  /** Resolves once the result is stored. Never rejects. */
  add(company_id: string, result: AttemptResult): Promise<void>;
  /** Stops retrying. Another process repeats what is not stored. */
  abandon(): void;
};

export type ResultWriterOptions = {
  db: Database;
  log: JobLog;
  /** The database was closed: what waits is never stored by this process. */
  onClosed(): void;
  /** How long results gather while more are expected. */
  gather_ms?: number;
  batch?: number;
};

type Entry = { result: AttemptResult; stored: () => void };
const defaults = { gather_ms: 4, batch: 500 };
const pauseMs = 500;

export function makeResultWriter(options: ResultWriterOptions): ResultWriter {
  const { db, log, onClosed } = options;
  const { gather_ms, batch } = { ...defaults, ...options };
  const waiting = new Map<string, Entry[]>();
  let is_abandoned = false;

  async function write(company_id: string, entries: Entry[]): Promise<void> {
    await wait(gather_ms);
    while (entries.length > 0 && !is_abandoned) {
      const part = entries.slice(0, batch);
      try {
        await store(
          company_id,
          part.map((entry) => entry.result),
        );
        entries.splice(0, part.length);
        for (const { stored } of part) stored();
      } catch (error) {
        if (error instanceof PoolClosed) {
          is_abandoned = true;
          onClosed();
          break;
        }
        log.warn({ err: error, company_id }, 'results of deliveries were not stored, it is tried again');
        if (isUnstorable(error)) for (const { result } of part) forgetAnswer(result);
        else await wait(pauseMs);
      }
    }
    waiting.delete(company_id);
  }

  function store(company_id: string, results: readonly AttemptResult[]): Promise<void> {
    const by_endpoint = Map.groupBy(results, (result) => result.delivery.endpoint_id);
    const health = [...by_endpoint].map(([id, ends]) => ({ id, ...healthChange(ends) }));
    const write = (tx: Tx) => storeResults(tx, company_id, results, health);
    return db.transaction(company_id, write, 'background');
  }

  return {
    add(company_id, result) {
      return new Promise((stored) => {
        const entry = { result, stored };
        const entries = waiting.get(company_id);
        if (entries) return void entries.push(entry);
        const begun = [entry];
        waiting.set(company_id, begun);
        withoutSpan(() => void write(company_id, begun));
      });
    },
    abandon() {
      is_abandoned = true;
    },
  };
}

/** PostgreSQL refuses the data itself: no retry helps. */
function isUnstorable(error: unknown): boolean {
  return sqlState(error)?.startsWith('22') ?? false;
}

/** Removes what the receiver may have sent. */
function forgetAnswer(result: AttemptResult): void {
  result.response_body = null;
  result.error = null;
}
