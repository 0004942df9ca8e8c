/**
 * Counts the requests being answered, so that a stop can wait for them. Monitors' checks do not count: they would
 * keep a stopping process alive.
 */
import type { Server, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

const monitors = ['/healthz', '/readyz', '/metrics'];

export type RequestsInFlight = {
  /** Each connection ends after its next answer. */
  closeConnections(): void;
  /** Waits for the requests begun by now. */
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
