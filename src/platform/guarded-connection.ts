/** When a connection dies, its statements fail. A transaction that is over takes none. */
import postgres, { type Sql } from 'postgres';
import type { Tx } from '../kernel/operation.ts';
import { sqlStates } from '../kernel/sql-states.ts';
import { faultCode, type OpenSpan, tracing } from '../kernel/tracing.ts';
import { statementName } from './statement-name.ts';

/** Nothing was kept, unless a commit was sent. */
export class ConnectionLost extends Error {
  readonly code: string = 'CONNECTION_CLOSED';
}

export function sqlState(error: unknown): string | undefined {
  return error instanceof postgres.PostgresError ? error.code : undefined;
}

/** The driver sends it by `handler`, settles it by `resolve` or `reject`. */
type Statement = {
  handler(self: Statement): void;
  resolve(result: unknown): void;
  reject(error: unknown): void;
  /** Once set, the statement is not sent. */
  cancelled: unknown;
  /** Its text, between its values. */
  strings: readonly string[];
};

/** Calls `step` for each statement before it is sent. */
function watchStatements(driver: () => Sql, step: (statement: Statement) => void): Sql {
  const seen = (made: unknown): unknown => {
    // Fragments count as statements, though they are never sent. Identifiers and sets of values do not.
    if (made instanceof Promise) step(made as unknown as Statement);
    return made;
  };
  const unsafe = (...args: Parameters<Sql['unsafe']>) => seen(driver().unsafe(...args));
  return new Proxy(driver(), {
    apply: (_target, _self, args) => seen(Reflect.apply(driver(), undefined, args)),
    get: (_target, name) => (name === 'unsafe' ? unsafe : Reflect.get(driver(), name)),
  });
}

/**
 * A failure that nobody awaits would end the process. Of statements that are sent together and awaited in turn, nobody
 * awaits those after the first that fails. Nothing is missed by that where the connection is lost, nor in a transaction,
 * which cannot commit. What comes after its end is left over of a call that was given up, as an early one (ADR 87).
 */
function hush(statement: Statement): void {
  // The driver's own `then` would send it.
  Promise.prototype.then.call(statement, undefined, () => undefined);
}

/** A statement's name says all. */
const none = {};

/** Null where no traces are kept, and for what only opens or ends a transaction. */
function openStatement({ strings }: Statement): OpenSpan | null {
  const keeper = tracing();
  const name = keeper && statementName(strings);
  return name ? keeper.open(name, 'client', none) : null;
}

/**
 * The statement that a driver would connect again for fails.
 * @returns lets it connect again
 */
function stopConnecting(driver: Sql, why: string): () => void {
  const options = driver.options as { socket?: unknown };
  const { socket } = options;
  options.socket = () => {
    throw new ConnectionLost(why);
  };
  return () => {
    options.socket = socket;
  };
}

/**
 * To a server that closes each connection before its first answer, as a proxy without a database behind it, a driver
 * connects again without an end.
 * @throws ConnectionLost when there is no answer by then
 */
export async function firstAnswer<T>(driver: Sql, patience_ms: number, ask: () => Promise<T>): Promise<T> {
  let connectAgain = () => {};
  const timer = setTimeout(() => {
    connectAgain = stopConnecting(driver, 'it closes each connection at once');
  }, patience_ms);
  try {
    return await ask();
  } finally {
    clearTimeout(timer);
    connectAgain();
  }
}

/**
 * Statements under way have this many seconds to end. A driver that waits to connect again would do so even after its
 * end, and leave a session that nobody uses.
 */
export function endDriver(driver: Sql, seconds: number): void {
  stopConnecting(driver, 'The connection was given up.');
  driver.end({ timeout: seconds }).catch(() => undefined);
}

export type Guarded = {
  sql: Sql;
  pending(): number;
  /** Until `release`, nothing but a loss replaces the connection. */
  hold(): void;
  release(): void;
  /** The next statements go over a new connection. Those under way have five seconds to end on the old one. */
  renew(): void;
  /** Gives the connection up if statements are under way and none has ended for so long. */
  giveUpSilent(silent_ms: number): void;
};

const renewSeconds = 5;

/** One driver with one connection, and what is under way on it. */
type Line = { driver: Sql; sent: Set<Statement>; is_used: boolean; heard_at: number };

/**
 * A connection whose loss fails every statement sent over it. By itself the driver forgets those between a socket's
 * error and its close, and sends others over a new connection, outside any transaction. So each connection has its
 * own driver.
 * @param make makes a driver of one connection
 * @param lost hears of a loss before any statement's waiter does
 * @param failed hears of each statement's error
 */
export function guardConnection(
  make: (onclose: () => void) => Sql,
  lost: (error: Error) => void,
  failed: (error: unknown) => void = () => undefined,
): Guarded {
  let current = open();
  let is_held = false;
  let is_stale = false;

  function open(): Line {
    const line: Line = { driver: undefined as unknown as Sql, sent: new Set(), is_used: false, heard_at: 0 };
    line.driver = make(() => lose(line));
    return line;
  }

  function lose(line: Line): void {
    const is_current = line === current;
    if (is_current) current = open();
    const error = new ConnectionLost('The connection was lost.');
    for (const statement of [...line.sent]) {
      statement.cancelled = true;
      statement.reject(error);
    }
    if (is_current) lost(error);
    endDriver(line.driver, 0);
  }

  function renew(): void {
    is_stale = is_held && current.is_used;
    if (is_held || !current.is_used) return;
    const { driver } = current;
    current = open();
    endDriver(driver, renewSeconds);
  }

  const sql = watchStatements(
    () => current.driver,
    (statement) => {
      const line = current;
      const { handler, resolve, reject } = statement;
      let span: OpenSpan | null = null;
      const settled = () => {
        line.heard_at = performance.now();
        line.sent.delete(statement);
      };
      statement.handler = (self) => {
        if (line.sent.size === 0) line.heard_at = performance.now();
        line.is_used = true;
        line.sent.add(self);
        span = openStatement(statement);
        handler(self);
      };
      statement.resolve = (result) => {
        settled();
        span?.end(null);
        resolve(result);
      };
      statement.reject = (error) => {
        settled();
        span?.end(faultCode(error));
        failed(error);
        reject(error);
        if (!(error instanceof postgres.PostgresError)) hush(statement);
      };
    },
  );
  return {
    sql,
    pending: () => current.sent.size,
    hold() {
      is_held = true;
    },
    release() {
      is_held = false;
      if (is_stale) renew();
    },
    renew,
    giveUpSilent(silent_ms) {
      if (current.sent.size > 0 && performance.now() - current.heard_at > silent_ms) lose(current);
    },
  };
}

export function joinConnections(connections: readonly Guarded[]): Sql {
  const pick = (): Sql =>
    connections.reduce((best, other) => (other.pending() < best.pending() ? other : best)).sql;
  return new Proxy(connections[0]!.sql, {
    apply: (_target, _self, args) => Reflect.apply(pick(), undefined, args),
    get: (target, name) => Reflect.get(name === 'unsafe' ? pick() : target, name),
  });
}

export type LentConnection = {
  tx: Tx;
  /** The first error, when this one only says that the transaction had failed. */
  causeOf(error: unknown): unknown;
  /** Keeps left-over work out of the next transaction. */
  end(): void;
};

export function lendConnection(sql: Sql): LentConnection {
  let is_over = false;
  let cause: unknown;
  const tx = watchStatements(
    () => sql,
    (statement) => {
      const { handler, reject } = statement;
      statement.handler = (self) => {
        if (is_over) self.reject(new Error('The transaction of this statement is over.'));
        else handler(self);
      };
      statement.reject = (error) => {
        if (sqlState(error) !== sqlStates.transaction_failed) cause = error;
        reject(error);
        hush(statement);
      };
    },
  );
  return {
    tx,
    causeOf: (error) => (sqlState(error) === sqlStates.transaction_failed ? (cause ?? error) : error),
    end: () => {
      is_over = true;
    },
  };
}
