/**
 * Whether the database can be used, asked over a new connection: old ones may live on at a server that is stopping, or
 * that another has replaced. It is asked now and then, and at once when a statement failed as it does on such a server.
 */
import type { Sql } from 'postgres';
import { sqlStates } from '../kernel/sql-states.ts';
import { endDriver } from './guarded-connection.ts';

export const troubles = {
  away: 'the database does not answer',
  read_only: 'the database is read only',
  full: 'the disk of the database is full',
  /** A password that was changed, say. Connections that are there go on. */
  refused: 'the database refuses the login',
} as const;
export type Trouble = keyof typeof troubles;

const calmMs = 5000;
const alertMs = 500;
const answerMs = 3000;
/** One failure may be the network's; a server that is stopping says so. */
const missesMax = 2;
const refusals: ReadonlySet<string> = new Set([
  sqlStates.wrong_user,
  sqlStates.wrong_password,
  sqlStates.no_such_database,
  sqlStates.not_allowed,
]);

export type WatchParts = {
  /** Makes a connection for one question. */
  connect(): Sql;
  /** True for an error that a database out of use gives. */
  isSuspect(error: unknown): boolean;
  /** Repeated while it lasts. */
  onTrouble(trouble: Trouble, is_new: boolean): void;
  onEnd(): void;
  tell(line: string): void;
};

export type DatabaseWatch = {
  trouble(): Trouble | null;
  /** Looks at once if a statement's error makes it worth while. */
  heed(error: unknown): void;
  stop(): void;
};

export function watchDatabase(parts: WatchParts): DatabaseWatch {
  let trouble: Trouble | null = null;
  let misses = 0;
  let may_be_full = false;
  let is_asking = false;
  let is_stopped = false;
  let asked_at = -alertMs;
  let timer: NodeJS.Timeout | undefined;

  function plan(ms: number): void {
    clearTimeout(timer);
    if (!is_stopped) timer = setTimeout(() => void look(), ms).unref();
  }

  async function look(): Promise<void> {
    if (is_asking) return;
    is_asking = true;
    asked_at = performance.now();
    try {
      const looks_at_disk = may_be_full;
      const found = await ask(parts.connect(), looks_at_disk);
      misses = 0;
      // The disk may be full by now.
      turn(found ?? (may_be_full && !looks_at_disk ? 'full' : null));
    } catch (error) {
      const code = codeOf(error);
      misses += 1;
      // Others took all connections, but the service keeps its own.
      if (code === sqlStates.too_many_connections) {
        misses = 0;
        turn(trouble === 'away' ? null : trouble);
      } else if (refusals.has(code)) {
        misses = 0;
        turn('refused', (error as Error).message);
      } else if (code === sqlStates.cannot_connect_now || misses >= missesMax) turn('away');
    } finally {
      is_asking = false;
      plan(isCalm() && misses === 0 ? calmMs : alertMs);
    }
  }

  /** Who is refused does not ask often: some servers shut out whoever does. */
  const isCalm = () => trouble === null || trouble === 'refused';

  /** @param said by the database, where it refuses */
  function turn(now: Trouble | null, said = ''): void {
    if (is_stopped) return;
    if (now === null) may_be_full = false;
    const before = trouble;
    trouble = now;
    if (now === 'refused' && now !== before)
      parts.tell(`New connections are refused (${said}): see to DATABASE_URL. Those that are there go on.`);
    else if (now !== null && now !== before) parts.tell(`Not ready: ${troubles[now]}.`);
    if (now === null && before !== null) parts.tell('Ready again: the database can be used.');
    if (now !== null) parts.onTrouble(now, now !== before);
    else if (before !== null) parts.onEnd();
  }

  plan(calmMs);
  return {
    trouble: () => trouble,
    heed(error) {
      if (is_stopped || !parts.isSuspect(error)) return;
      if (codeOf(error) === sqlStates.disk_full) {
        may_be_full = true;
        if (isCalm()) turn('full');
      }
      if (!is_asking && isCalm()) plan(Math.max(0, asked_at + alertMs - performance.now()));
    },
    stop() {
      is_stopped = true;
      clearTimeout(timer);
    },
  };
}

const codeOf = (error: unknown): string => (error as { code?: string } | null)?.code ?? '';

async function ask(sql: Sql, may_be_full: boolean): Promise<Trouble | null> {
  const { promise: too_late, reject } = Promise.withResolvers<never>();
  const limit = setTimeout(() => reject(new Error('no answer in time')), answerMs);
  try {
    return await Promise.race([askOver(sql, may_be_full), too_late]);
  } finally {
    clearTimeout(limit);
    endDriver(sql, 0);
  }
}

async function askOver(sql: Sql, may_be_full: boolean): Promise<Trouble | null> {
  const [state] = await sql.unsafe<{ read_only: boolean }[]>(
    `select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as read_only`,
  );
  if (state?.read_only) return 'read_only';
  return may_be_full && (await isFull(sql)) ? 'full' : null;
}

/** Finds a full disk by a sort that has too little memory. The sort writes a megabyte to disk, and the database deletes it at once. */
async function isFull(sql: Sql): Promise<boolean> {
  try {
    await sql.unsafe(`begin; set local work_mem = '64kB';
      select count(*) from (select repeat(md5(n::text), 4) as t from generate_series(1, 8000) n order by t offset 0) sorted;
      rollback`);
    return false;
  } catch (error) {
    if (codeOf(error) === sqlStates.disk_full) return true;
    throw error;
  }
}
