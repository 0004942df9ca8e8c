/** Readiness drops, requests in flight finish, then background work, then the rest ends. */
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { watchRequests } from './requests-in-flight.ts';

const abandonMs = 3000;

type Parts = {
  app: FastifyInstance;
  requests: ReturnType<typeof watchRequests>;
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
};

export function makeEnding(parts: Parts): Ending {
  const { app, requests } = parts;
  let is_stopping = false;
  let stopped: Promise<void> | null = null;

  async function endAll(): Promise<void> {
    parts.stopListening();
    await Promise.all([app.close(), parts.stopBackground()]);
    await parts
      .sayLastWords()
      .catch((error: unknown) => app.log.warn({ err: error }, 'summaries before the end not logged'));
    await parts.closeAll();
  }

  function stop(): Promise<void> {
    is_stopping = true;
    requests.closeConnections();
    stopped ??= endAll();
    return stopped;
  }

  return {
    get is_stopping() {
      return is_stopping;
    },
    async drain(quiet_ms, limit_ms) {
      is_stopping = true;
      requests.closeConnections();
      await wait(quiet_ms);
      await requests.finished(limit_ms);
    },
    stop,
    async abandon() {
      const ending = stop().catch((error: unknown) => app.log.error({ err: error }, 'not ended in order'));
      await Promise.race([ending, wait(abandonMs)]);
      app.server.closeAllConnections();
    },
  };
}
