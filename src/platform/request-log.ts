/**
 * The log is written in batches after the answers. What does not fit the buffer is dropped and counted. It never
 * holds a body, a query value or a secret.
 */
import type { Principal, Tx } from '../kernel/operation.ts';
import type { Database } from './db.ts';
import { type Columns, insertRows } from './rows.ts';

export type RequestLogEntry = {
  company_id: string;
  id: string;
  request_id: string;
  principal: Principal;
  operation: string | null;
  method: string;
  path: string;
  status: number;
  error_code: string | null;
  duration_ms: string;
  ip: string | null;
  api_version: string;
  idempotency_key: string | null;
  created_at: string;
};

/** Older versions of the service read `key_id`, null when the principal is no key. */
const columns: Columns = {
  id: 'uuid',
  request_id: 'text',
  key_id: 'uuid',
  principal_kind: 'text',
  principal_id: 'uuid',
  principal_name: 'text',
  operation: 'text',
  method: 'text',
  path: 'text',
  status: 'integer',
  error_code: 'text',
  duration_ms: 'numeric',
  ip: 'text',
  api_version: 'text',
  idempotency_key: 'text',
  created_at: 'timestamptz',
};

function toRow({ principal, ...entry }: RequestLogEntry) {
  const { kind, id, name } = principal;
  return {
    ...entry,
    key_id: kind === 'api_key' ? id : null,
    principal_kind: kind,
    principal_id: id,
    principal_name: name,
  };
}

const bufferMax = 20_000;
const batchMax = 500;
const flushMs = 500;

export type RequestLog = {
  add(entry: RequestLogEntry): void;
  dropped(): number;
  flush(): Promise<void>;
  close(): Promise<void>;
};

/** @param writes_by_itself false: only `flush` writes, so that a test knows when */
export function makeRequestLog(
  db: Database,
  onError: (error: unknown) => void,
  writes_by_itself = true,
): RequestLog {
  let buffer: RequestLogEntry[] = [];
  let dropped = 0;
  let flushing: Promise<void> | null = null;

  async function writeAll(): Promise<void> {
    while (buffer.length > 0) {
      const taken = buffer;
      buffer = [];
      const byCompany = Map.groupBy(taken, (entry) => entry.company_id);
      for (const [company_id, entries] of byCompany) {
        for (let i = 0; i < entries.length; i += batchMax) {
          const batch = entries.slice(i, i + batchMax);
          try {
            const write = (tx: Tx) =>
              // One commit per company: none should wait for the disk.
              Promise.all([
                tx.unsafe('set local synchronous_commit = off').execute(),
                insertRows(tx, company_id, 'request_logs', columns, batch.map(toRow)),
              ]);
            // One company's share must not hold up the log of the others.
            await db.transaction(company_id, write, 'service');
          } catch (error) {
            dropped += batch.length;
            onError(error);
          }
        }
      }
    }
  }

  const flush = (): Promise<void> => {
    flushing ??= writeAll().finally(() => {
      flushing = null;
    });
    return flushing;
  };
  const timer = writes_by_itself ? setInterval(() => void flush(), flushMs).unref() : undefined;

  return {
    add(entry) {
      if (buffer.length >= bufferMax) dropped += 1;
      else buffer.push(entry);
    },
    dropped: () => dropped,
    flush,
    async close() {
      clearInterval(timer);
      await (writes_by_itself ? flush() : flushing);
    },
  };
}

/**
 * Deletes the oldest entries. Their ids are an array, read once: PostgreSQL may read a joined sub-select anew for
 * each row.
 * @returns how many
 */
export async function deleteOldRequestLogs(
  tx: Tx,
  company_id: string,
  before: Date,
  rows_max: number,
): Promise<number> {
  const { count } = await tx`
    delete from request_logs as l
     where l.company_id = ${company_id}
       and l.id = any (array(select o.id from request_logs o
                              where o.company_id = ${company_id} and o.created_at < ${before}
                              order by o.created_at limit ${rows_max}))`;
  return count;
}
