/** When a connection dies, its statements fail. A transaction that is over takes none. */
import postgres, { type Sql } from 'postgres';
import type { Tx } from '../kernel/operation.ts';

/** Nothing of the transaction was kept. */
export class ConnectionLost extends Error {
  readonly code = 'CONNECTION_CLOSED';
}

export function sqlState(error: unknown): string | undefined {
  return error instanceof postgres.PostgresError ? error.code : undefined;
}

/** The driver sends it by `handler`, and settles it by the other two. */
type Statement = {
  handler(self: Statement): void;
  resolve(result: unknown): void;
  reject(error: unknown): void;
  /** Once set, the statement is not sent. */
  cancelled: unknown;
};

/** Calls `step` for each statement before it is sent. */
function watchStatements(driver: () => Sql, step: (statement: Statement) => void): Sql {
  const seen = (made: unknown): unknown => {
    // Fragments are statements that are never sent; identifiers and sets of values are none.
    if (made instanceof Promise) step(made as unknown as Statement);
    return made;
  };
  const unsafe = (...args: Parameters<Sql['unsafe']>) => seen(driver().unsafe(...args));
  return new Proxy(driver(), {
    apply: (_target, _self, args) => seen(Reflect.apply(driver(), undefined, args)),
    get: (_target, name) => (name === 'unsafe' ? unsafe : Reflect.get(driver(), name)),
  });
}

export type Guarded = {
  sql: Sql;
  pending(): number;
};

/**
 * One connection, whose loss fails every statement sent over it. The driver alone forgets those between a socket's
 * error and its close, and sends others over a new connection, outside any transaction. So each connection has its
 * own driver.
 * @param make makes a driver of one connection
 * @param lost hears of a loss before any statement's waiter does
 */
export function guardConnection(make: (onclose: () => void) => Sql, lost: (error: Error) => void): Guarded {
  const sent = new Set<Statement>();
  let current = renew();

  function renew(): Sql {
    const made = make(() => {
      if (made !== current) return;
      current = renew();
      const error = new ConnectionLost('The connection was lost.');
      for (const statement of [...sent]) {
        statement.cancelled = true;
        statement.reject(error);
      }
      lost(error);
      made.end({ timeout: 0 }).catch(() => undefined);
    });
    return made;
  }

  const sql = watchStatements(
    () => current,
    (statement) => {
      const { handler, resolve, reject } = statement;
      statement.handler = (self) => {
        sent.add(self);
        handler(self);
      };
      statement.resolve = (result) => {
        sent.delete(statement);
        resolve(result);
      };
      statement.reject = (error) => {
        sent.delete(statement);
        reject(error);
      };
    },
  );
  return { sql, pending: () => sent.size };
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

const transactionFailed = '25P02';

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
        if (sqlState(error) !== transactionFailed) cause = error;
        reject(error);
      };
    },
  );
  return {
    tx,
    causeOf: (error) => (sqlState(error) === transactionFailed ? (cause ?? error) : error),
    end: () => {
      is_over = true;
    },
  };
}
