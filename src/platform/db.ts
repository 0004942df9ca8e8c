/**
 * The one place that knows the driver. `begin` and `set local app.company` share a pipeline with the first statements
 * (docs/sql-rules.md, rules 7 to 9).
 */
import { readFileSync } from 'node:fs';
import postgres, { type Sql } from 'postgres';
import { isCertificateCode } from '../kernel/certificate-codes.ts';
import type { Tx } from '../kernel/operation.ts';
import { isUuid } from '../kernel/uuid7.ts';
import { sqlStates } from '../kernel/sql-states.ts';
import { traced, tracing, withoutSpan } from '../kernel/tracing.ts';
import { arrayTypes } from './array-types.ts';
import { notesOf } from './commit-notes.ts';
import { careForConnections, type ConnectionCare } from './connection-care.ts';
import {
  type Borrower,
  ConnectionPool,
  type Loan,
  type PoolBounds,
  type PoolUse,
  ShareSpent,
} from './connection-pool.ts';
import {
  ConnectionLost,
  type Guarded,
  guardConnection,
  joinConnections,
  lendConnection,
  sqlState,
} from './guarded-connection.ts';
import { lastWritesOf } from './last-writes.ts';
import { ShareOwners } from './share-owners.ts';

export { ConnectionLost, ShareSpent, sqlState };
export type { PoolUse };

export type ConnectOptions = {
  /** Options are for the embedded server. */
  target: string | postgres.Options<Record<string, never>>;
  pool_size: number;
  /** Cannot bypass row-level security; null keeps the login role. */
  role: string | null;
  /** Behind PgBouncer in transaction mode: a connection keeps no settings. */
  pooled?: boolean;
  application_name?: string;
  /** Sets `bounds`; not for migrations. */
  is_bounded?: boolean;
  /** Ten when left out. */
  connect_seconds?: number;
  /** Hears whether the database can be used; without it nobody asks. */
  tell?: (line: string) => void;
  /** How long calls wait for a connection; for tests. */
  pool_bounds?: Partial<PoolBounds>;
};

/** Whose share of the connections the work counts in: the company's when left out (ADR 34). A person whose role is not known has their own. */
export type ShareUse = 'company' | 'background' | 'service' | { of_person: string };

/** Milliseconds. */
const bounds = {
  statement_timeout: '20000',
  lock_timeout: '10000',
  idle_in_transaction_session_timeout: '30000',
};

const dateOid = 1082;
const timestamptzOid = 1184;

function driverOptions(options: ConnectOptions): postgres.Options<Record<string, postgres.PostgresType>> {
  const startup: Record<string, string> = { application_name: options.application_name ?? 'folio' };
  if (!options.pooled && options.role) startup.role = options.role;
  if (!options.pooled && options.is_bounded) Object.assign(startup, bounds);
  return {
    max: options.pool_size,
    prepare: !options.pooled,
    onnotice: () => undefined,
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: options.connect_seconds ?? 10,
    // The driver's own pauses grow to twenty seconds.
    backoff: (retries: number) => Math.min(2 ** retries / 100, 1),
    connection: startup,
    fetch_types: false,
    types: {
      ...arrayTypes,
      day: { to: dateOid, from: [dateOid], serialize: (v: string) => v, parse: (v: string) => v },
      instant: {
        to: timestamptzOid,
        from: [timestamptzOid],
        serialize: (v: Date | string) => (v instanceof Date ? v.toISOString() : v),
        parse: (v: string) => new Date(v),
      },
    },
  };
}

/** Every connection is made here. */
export function connect(options: ConnectOptions, onclose: () => void = () => undefined): Sql {
  const merged = { ...driverOptions(options), onclose };
  const made =
    typeof options.target === 'string'
      ? postgres(options.target, merged)
      : postgres({ ...options.target, ...merged });
  return made as unknown as Sql;
}

export type Database = {
  /** For index tables only. */
  readonly index: Sql;
  transaction<T>(company_id: string, work: (tx: Tx) => Promise<T>, share?: ShareUse): Promise<T>;
  /** Of index tables alone: no company is set, so rows of companies are not seen. */
  indexTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** The answer does not wait for the commit. */
  read<T>(company_id: string, work: (tx: Tx) => Promise<T>, share?: ShareUse): Promise<T>;
  /** On a connection that requests use, outside any transaction. @throws ConnectionLost when none is free in time */
  probe<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** Of the connections that requests and jobs share. */
  use(): PoolUse;
  /** In whose share each company counts. */
  readonly shares: ShareOwners;
  /**
   * Calls back after each commit with this note.
   * @returns a function that stops it
   */
  watchCommits(note: string, listener: (company_id: string) => void): () => void;
  /** Why the database cannot be used at the moment, for an operator; null while it can. */
  trouble(): string | null;
  /** Calls back when the database goes out of use, and when it returns: maybe as another server. */
  whenTurned(listener: () => void): void;
  close(): Promise<void>;
};

/** Only a checked uuid becomes part of SQL text. */
export function setCompanyText(company_id: string): string {
  if (!isUuid(company_id)) throw new Error('A company id is a uuid.');
  return `set local app.company = '${company_id}'`;
}

/** `lost` hears when the connection dies: the driver would reconnect unseen. */
type Member = Guarded & { lost: ((error: Error) => void) | null };

/** Sent with each transaction, as a connection keeps none. */
function localSettings({ role }: ConnectOptions): string {
  return [
    ...(role ? [`set local role ${role}`] : []),
    ...Object.entries(bounds).map(([name, value]) => `set local ${name} = ${value}`),
  ].join('; ');
}

function borrowerOf(owners: ShareOwners, company_id: string | null, share: ShareUse): Borrower {
  if (company_id === null || share === 'service') return { owner: null };
  if (typeof share === 'object') return { owner: share.of_person };
  return { owner: owners.ownerOf(company_id), goes_first: share === 'background' };
}

/** The next borrower's statements queue behind this commit. If it fails, nothing is lost. */
function endReading(sql: Sql): void {
  const ended = sql.unsafe('commit').execute();
  ended.catch(() => undefined);
}

function checkCommitted({ command }: { command: string }, is_lost: boolean): void {
  if (is_lost) throw new ConnectionLost('The connection was lost before the commit.');
  if (command !== 'COMMIT') throw new Error('A statement failed unseen; the transaction was rolled back.');
}

/** From the wait for a connection to the commit. */
const inSpan = <T>(name: string, work: () => Promise<T>): Promise<T> =>
  tracing() === null ? work() : traced(name, 'internal', {}, work);

class CommitListeners {
  readonly #listeners = new Map<string, Set<(company_id: string) => void>>();

  watch(note: string, listener: (company_id: string) => void): () => void {
    const those = this.#listeners.get(note) ?? new Set();
    this.#listeners.set(note, those.add(listener));
    return () => void those.delete(listener);
  }

  /** The listeners serve other callers too, so their work is not part of this span. */
  tell(notes: Iterable<string> | undefined, company_id: string): void {
    withoutSpan(() => {
      for (const note of notes ?? [])
        for (const listener of this.#listeners.get(note) ?? []) listener(company_id);
    });
  }
}

const indexConnectionsOf = (pool_size: number) => Math.max(2, Math.ceil(pool_size / 3));

/** The driver listens on a connection of its own, and hints go out on another (`due-hint.ts`). */
const hintConnections = 2;
/** Each look opens a new one. */
const watchConnections = 1;

/**
 * How many connections a process has at most: those of the pool, of index tables, of hints and of the watch. Migrations
 * have ended theirs before.
 */
export function connectionsOf(pool_size: number): number {
  return pool_size + indexConnectionsOf(pool_size) + hintConnections + watchConnections;
}

type TransactionParts = {
  pool: ConnectionPool<Member>;
  owners: ShareOwners;
  commits: CommitListeners;
  /** Sent with each transaction; null where connections keep theirs. */
  local_settings: string | null;
};

/** Transactions on the connections of a pool. */
function makeTransactions({ pool, owners, commits, local_settings }: TransactionParts) {
  function giveBack(loan: Loan<Member>): void {
    loan.member.lost = null;
    loan.member.release();
    pool.giveBack(loan);
  }

  async function run<T>(
    company_id: string | null,
    read_only: boolean,
    work: (tx: Tx) => Promise<T>,
    share: ShareUse = 'company',
  ): Promise<T> {
    const setCompany = company_id === null ? null : setCompanyText(company_id);
    const loan = await pool.borrow(borrowerOf(owners, company_id, share));
    const { member } = loan;
    const { sql } = member;
    member.hold();
    const lent = lendConnection(sql);
    let is_lost = false;
    const lost = new Promise<never>((_, reject) => {
      member.lost = (error) => {
        is_lost = true;
        lent.end();
        reject(error);
      };
    });
    lost.catch(() => undefined);
    let given_back = false;
    let ending: Promise<{ command: string }> | undefined;
    try {
      const opening = [read_only ? 'begin read only' : 'begin', setCompany, local_settings];
      const began = Promise.all([
        ...opening.flatMap((text) => (text ? [sql.unsafe(text).execute()] : [])),
        company_id === null || owners.hasMet(company_id) ? undefined : owners.meet(sql, company_id),
      ]);
      began.catch(() => undefined);
      const working = work(lent.tx);
      working.catch(() => undefined);
      const result = await Promise.race([working, lost]);
      lent.end();
      await began;
      if (read_only) {
        endReading(sql);
        given_back = true;
        giveBack(loan);
      } else {
        ending = sql.unsafe('commit').execute();
        const [done] = await Promise.all([ending, lastWritesOf(lent.tx)]);
        checkCommitted(done, is_lost);
        if (company_id !== null) commits.tell(notesOf(lent.tx), company_id);
      }
      return result;
    } catch (error) {
      lent.end();
      // A commit after a statement that failed is a rollback.
      if (ending || !is_lost) await (ending ?? sql.unsafe('rollback')).catch(() => undefined);
      throw asFault(lent.causeOf(error), read_only);
    } finally {
      if (!given_back) giveBack(loan);
    }
  }

  return { run, giveBack };
}

/**
 * Our own pool: a driver per connection, lent to one transaction at a time. So a pipeline can begin with `begin`, and
 * a transaction ends at once when its connection dies.
 */
export function openDatabase(given: ConnectOptions): Database {
  const options = { ...given, is_bounded: true };
  if (options.role && !/^[a-z_]+$/.test(options.role)) throw new Error('A role name has letters only.');
  const local_settings = options.pooled ? localSettings(options) : null;
  const commits = new CommitListeners();
  const members = Array.from({ length: options.pool_size }, () => {
    const member: Member = { ...guard((error) => member.lost?.(error)), lost: null };
    return member;
  });
  const pool = new ConnectionPool(members, given.pool_bounds);
  const owners = new ShareOwners();
  const indexes = Array.from({ length: indexConnectionsOf(options.pool_size) }, () => guard(() => undefined));
  const index = joinConnections(indexes);
  const care: ConnectionCare = careForConnections({
    connections: [...members, ...indexes],
    connect: () => connect({ ...options, pool_size: 1, is_bounded: false, connect_seconds: 3 }),
    isOutOfUse,
    tell: options.tell,
  });

  function guard(lost: (error: Error) => void): Guarded {
    const make = (onclose: () => void) => connect({ ...options, pool_size: 1 }, onclose);
    return guardConnection(make, lost, (error) => care.heed(error));
  }

  const { run, giveBack } = makeTransactions({ pool, owners, commits, local_settings });

  return {
    index,
    transaction: (company_id, work, share) =>
      inSpan('transaction', () => run(company_id, false, work, share)),
    indexTransaction: (work) => inSpan('transaction', () => run(null, false, work)),
    read: (company_id, work, share) => inSpan('read', () => run(company_id, true, work, share)),
    async probe(work) {
      const loan = await pool.borrow({ owner: null });
      loan.member.hold();
      try {
        return await work(loan.member.sql);
      } finally {
        giveBack(loan);
      }
    },
    use: () => pool.use(),
    shares: owners,
    watchCommits: (note, listener) => commits.watch(note, listener),
    trouble: care.trouble,
    whenTurned: care.whenTurned,
    close: async () => {
      care.stop();
      pool.close();
      await Promise.all([...members, ...indexes].map(({ sql }) => sql.end({ timeout: 5 })));
    },
  };
}

export function constraintOf(error: unknown): string | undefined {
  return error instanceof postgres.PostgresError ? error.constraint_name : undefined;
}

/** The table whose row a statement waited for in vain. */
export function heldTable(error: unknown): string | undefined {
  if (!(error instanceof postgres.PostgresError) || error.code !== sqlStates.lock_not_available)
    return undefined;
  return /in relation "([^"]+)"/.exec(error.where ?? '')?.[1];
}

/** A fault of ours. In a transaction that may write, the server is to blame. */
class WriteInRead extends Error {
  readonly code = sqlStates.read_only_transaction;
}

function asFault(error: unknown, read_only: boolean): unknown {
  const is_ours = read_only && sqlState(error) === sqlStates.read_only_transaction;
  return is_ours ? new WriteInRead('A read tried to write.', { cause: error }) : error;
}

const systemCodes = new Set(
  (
    'ECONNREFUSED ECONNRESET ECONNABORTED EPIPE EHOSTUNREACH ENETUNREACH ETIMEDOUT ENOTFOUND EAI_AGAIN ' +
    'CONNECTION_CLOSED CONNECTION_ENDED CONNECTION_DESTROYED CONNECT_TIMEOUT'
  ).split(' '),
);

/** The database is away, is stopping, took too long, or cannot write: a standby, a full disk. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof WriteInRead) return false;
  const { code = '', syscall } = (error ?? {}) as { code?: string; syscall?: string };
  // The embedded server's socket may be missing. Any other file that is missing says nothing of the database.
  if (code === 'ENOENT') return syscall === 'connect';
  return systemCodes.has(code) || /^(57P0[1-5]|57014|25P0[34]|25006|08[\dP]\d\d|53\d\d\d|58030)$/.test(code);
}

/**
 * The database refuses a new connection: who logs in, by which password, or as which role. No statement of ours gives
 * such an error once it is connected.
 */
function isRefused(error: unknown): boolean {
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string };
  return (
    /^(28000|28P01|3D000)$/.test(code) || (code === sqlStates.not_allowed && /to set role/.test(message))
  );
}

/** TLS refuses the server's certificate. */
export const isUntrusted = (error: unknown): boolean =>
  isCertificateCode((error as { code?: string } | null)?.code ?? '');

/** No statement can be run for now. A start is not worth another try where the login is refused: see `isUnreachable`. */
export const isOutOfUse = (error: unknown): boolean =>
  isUnreachable(error) || isRefused(error) || isUntrusted(error);

export function readSql(path: string | URL): string {
  return readFileSync(path, 'utf8');
}
