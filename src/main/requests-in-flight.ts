/**
 * Knows which requests are being answered, so that a stop can wait for them while the readiness check already
 * says no. The checks of monitors do not count: they would keep a stopping process alive.
 */
import type { Server, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

const monitors = ['/healthz', '/readyz', '/metrics'];

export type RequestsInFlight = {
  /** From now on connections end with the answer they carry. */
  closeConnections(): void;
  /** Waits for the requests that had begun when it was called, not for later ones, and for some time at most. */
  finished(limit_ms: number): Promise<void>;
};

export function watchRequests(server: Server): RequestsInFlight {
  const open = new Map<ServerResponse, Promise<void>>();
  let is_closing = false;
  server.prependListener('request', (request, response) => {
    if (is_closing) response.shouldKeepAlive = false;
    if (monitors.includes(request.url ?? '')) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    open.set(response, promise);
    response.once('close', () => {
      open.delete(response);
      resolve();
    });
  });
  return {
    closeConnections() {
      is_closing = true;
    },
    async finished(limit_ms) {
      const timer = new AbortController();
      const limit = wait(limit_ms, undefined, { signal: timer.signal }).catch(() => undefined);
      await Promise.race([Promise.all([...open.values()]), limit]);
      timer.abort();
    },
  };
}
