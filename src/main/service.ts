/**
 * The service put together: parts, surface, worker, health. The only place where they are joined; the
 * command line and the tests both start it from here.
 */
import type { FastifyInstance } from 'fastify';
import { jobHandlers } from '../modules/jobs.ts';
import { catalog } from '../modules/catalog.ts';
import type { Operation } from '../kernel/operation.ts';
import { countAuthFailures } from '../platform/auth-failures.ts';
import { makeAuthenticator } from '../platform/authenticator.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import type { Database } from '../platform/db.ts';
import { type Engine, makeEngine } from '../platform/engine.ts';
import { makeRateLimiter } from '../platform/rate-limit.ts';
import { makeRequestLog } from '../platform/request-log.ts';
import { makeSecretBox } from '../platform/secrets.ts';
import { makeWorker, type Worker } from '../platform/worker.ts';
import { makeRestServer } from '../surfaces/rest/server.ts';
import { registerPages } from '../surfaces/openapi/pages.ts';
import type { Config } from './config.ts';
import { addHealth } from './health.ts';
import { makeMetrics } from './metrics.ts';
import { secretKey } from './secret-key.ts';

export type Role = 'all' | 'api' | 'worker';

export type ServiceOptions = {
  config: Config;
  database: Database;
  role?: Role;
  clock?: Clock;
  log_stream?: { write(line: string): void };
  /** More operations than the catalogue's: the tests' throw-away document kind. */
  more_operations?: readonly Operation[];
};

export type Service = {
  url: string;
  app: FastifyInstance;
  engine: Engine;
  worker: Worker;
  /** Writes what is buffered: the request log. */
  flush(): Promise<void>;
  /** Readiness drops; requests are still answered. */
  drain(): void;
  /** Requests in flight finish; then everything ends. */
  stop(): Promise<void>;
};

/** Starts listening and working, as the role asks. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, database: db, role = 'all', clock = systemClock } = options;
  const operations = [...catalog, ...(options.more_operations ?? [])];
  const secrets = makeSecretBox(secretKey(config), config.FOLIO_SECRET_KEY_PREVIOUS);
  const limiter = makeRateLimiter(db.index, config.FOLIO_RATE_LIMITS, clock);
  const engine = makeEngine({ db, clock, secrets, limiter });
  let url = '';
  let is_stopping = false;
  let stopped: Promise<void> | null = null;
  const laterWork = new Set<Promise<unknown>>();
  const later = (work: () => Promise<unknown>) => {
    const running = work()
      .catch((error: unknown) => app.log.error({ err: error }, 'background write failed'))
      .finally(() => laterWork.delete(running));
    laterWork.add(running);
  };
  const request_log = makeRequestLog(db, (error) => app.log.error({ err: error }, 'request log not written'));
  const metrics = makeMetrics({ request_log_dropped: () => request_log.dropped() });
  const authenticator = makeAuthenticator({ db, clock, failures: countAuthFailures(), later });
  const app = makeRestServer({
    catalog: role === 'worker' ? [] : operations,
    engine,
    authenticator,
    request_log,
    clock,
    public_url: () => config.FOLIO_PUBLIC_URL ?? url,
    trusted_proxies: config.FOLIO_TRUSTED_PROXIES,
    log: { level: config.FOLIO_LOG_LEVEL, ...(options.log_stream ? { stream: options.log_stream } : {}) },
    observe: metrics.observe,
  });
  addHealth(app, { db, metrics, isStopping: () => is_stopping });
  if (role !== 'worker') registerPages(app, { operations, public_url: () => config.FOLIO_PUBLIC_URL ?? url });
  const worker = makeWorker({ db, clock, handlers: jobHandlers, log: app.log });
  url = await app.listen({ port: config.PORT, host: config.HOST });
  if (role !== 'api') worker.start();
  const purge = setInterval(() => void limiter.purge().catch(() => undefined), 60_000);
  purge.unref();

  return {
    url,
    app,
    engine,
    worker,
    async flush() {
      await Promise.all([...laterWork]);
      await request_log.flush();
    },
    drain() {
      is_stopping = true;
    },
    stop() {
      is_stopping = true;
      stopped ??= (async () => {
        clearInterval(purge);
        await app.close();
        await worker.stop();
        await Promise.all([...laterWork]);
        await request_log.close();
      })();
      return stopped;
    },
  };
}
