/** Gives up connections that lead nowhere, and those to a server that another has replaced. */
import type { Sql } from 'postgres';
import { sqlStates } from '../kernel/sql-states.ts';
import { type DatabaseWatch, troubles, watchDatabase } from './database-watch.ts';
import { type Guarded, sqlState } from './guarded-connection.ts';

/** The server ends a statement after twenty seconds. If nothing comes for longer, the server or the way to it is gone. */
const silenceMs = 30_000;
const silenceWhileAwayMs = 2000;
const lookMs = 1000;
const renewPauseMs = 1000;

type Parts = {
  connections: readonly Guarded[];
  /** Makes a connection for one question. */
  connect(): Sql;
  /** True for an error that a database out of use gives. */
  isOutOfUse(error: unknown): boolean;
  /** Without it nobody asks whether the database can be used. */
  tell: ((line: string) => void) | undefined;
};

export type ConnectionCare = {
  /** Hears of each statement's error. */
  heed(error: unknown): void;
  /** For people; null while the database can be used. */
  trouble(): string | null;
  whenTurned(listener: () => void): void;
  stop(): void;
};

export function careForConnections({ connections, connect, isOutOfUse, tell }: Parts): ConnectionCare {
  let renewed_at = -renewPauseMs;
  const listeners: (() => void)[] = [];

  /** Old sessions may live on at a server that takes no writes. */
  function renewAll(): void {
    renewed_at = performance.now();
    for (const connection of connections) connection.renew();
  }

  function giveUpSilent(silent_ms: number): void {
    for (const connection of connections) connection.giveUpSilent(silent_ms);
  }

  function tellTurn(): void {
    for (const listener of listeners) listener();
  }

  const watch: DatabaseWatch | undefined =
    tell &&
    watchDatabase({
      connect,
      // A statement that took too long is no sign.
      isSuspect: (error) => isOutOfUse(error) && sqlState(error) !== sqlStates.query_canceled,
      onTrouble(trouble, is_new) {
        if (is_new && trouble !== 'full' && trouble !== 'refused') tellTurn();
        if (trouble !== 'away') return;
        renewAll();
        giveUpSilent(silenceWhileAwayMs);
      },
      onEnd() {
        renewAll();
        tellTurn();
      },
      tell,
    });
  let looked_at = performance.now();
  const look = setInterval(() => {
    const is_late = performance.now() - looked_at > 2 * lookMs;
    looked_at = performance.now();
    // Then the process was busy, and may not have read what has come.
    if (!is_late) giveUpSilent(silenceMs);
  }, lookMs).unref();

  return {
    heed(error) {
      const is_read_only = sqlState(error) === sqlStates.read_only_transaction;
      if (is_read_only && performance.now() - renewed_at > renewPauseMs) renewAll();
      watch?.heed(error);
    },
    trouble() {
      const trouble = watch?.trouble();
      return trouble ? troubles[trouble] : null;
    },
    whenTurned(listener) {
      listeners.push(listener);
    },
    stop() {
      watch?.stop();
      clearInterval(look);
    },
  };
}
