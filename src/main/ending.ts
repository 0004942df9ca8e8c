/** Readiness drops, requests in flight and background work finish, then the rest ends. */
import { Server } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { closeDoors } from './listen-at.ts';
import { watchRequests } from './requests-in-flight.ts';

const abandonMs = 3000;

type Parts = {
  /** That of the API, and others beside it. */
  apps: readonly [FastifyInstance, ...FastifyInstance[]];
  stopListening(): void;
  stopBackground(): Promise<unknown>;
  /** Writes the summaries of no-verifactu mode. If it fails, the next summary covers the same time. */
  sayLastWords(): Promise<void>;
  closeAll(): Promise<void>;
};

export type Ending = {
  readonly is_stopping: boolean;
  drain(quiet_ms: number, limit_ms: number): Promise<void>;
  stop(): Promise<void>;
  abandon(): Promise<void>;
  /**
   * For a process that another has replaced: it accepts no connection and leaves none unanswered. Each connection ends
   * after its next answer, or unused after the time that `Keep-Alive` promised.
   * @param hurry ends the wait earlier when aborted
   */
  leave(limit_ms: number, hurry: AbortSignal): Promise<void>;
};

export function makeEnding(parts: Parts): Ending {
  const { apps } = parts;
  const { log } = apps[0];
  const watched = apps.map(({ server }) => watchRequests(server));
  const closeConnections = () => {
    for (const requests of watched) requests.closeConnections();
  };
  let is_stopping = false;
  let stopped: Promise<void> | null = null;

  async function endAll(): Promise<void> {
    parts.stopListening();
    const closed = apps.flatMap((app) => [closeDoors(app.server), app.close()]);
    await Promise.all([...closed, parts.stopBackground()]);
    await parts
      .sayLastWords()
      .catch((error: unknown) => log.warn({ err: error }, 'summaries before the end not logged'));
    await parts.closeAll();
  }

  function stop(): Promise<void> {
    is_stopping = true;
    closeConnections();
    stopped ??= endAll();
    return stopped;
  }

  return {
    get is_stopping() {
      return is_stopping;
    },
    async drain(quiet_ms, limit_ms) {
      is_stopping = true;
      closeConnections();
      await wait(quiet_ms);
      await Promise.all(watched.map((requests) => requests.finished(limit_ms)));
    },
    stop,
    async leave(limit_ms, hurry) {
      closeConnections();
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, limit_ms);
      if (hurry.aborted) resolve();
      hurry.addEventListener('abort', () => resolve(), { once: true });
      // HTTP's own close() ends idle connections at once, even when a request is on its way.
      const closed = apps.map(({ server }) => {
        const whole = Promise.withResolvers<void>();
        Server.prototype.close.call(server, () => whole.resolve());
        return Promise.all([whole.promise, closeDoors(server)]);
      });
      void Promise.all(closed).then(() => resolve());
      await promise;
      clearTimeout(timer);
    },
    async abandon() {
      const ending = stop().catch((error: unknown) => log.error({ err: error }, 'not ended in order'));
      await Promise.race([ending, wait(abandonMs)]);
      for (const { server } of apps) server.closeAllConnections();
    },
  };
}
