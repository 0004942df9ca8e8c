/** The process lives (/healthz), can work (/readyz), and its metrics. None needs a key. */
import type { FastifyInstance } from 'fastify';
import { troubles } from '../platform/database-watch.ts';
import type { Database } from '../platform/db.ts';
import { isMigrated } from '../platform/migrate.ts';
import { remembered } from '../platform/remembered.ts';
import type { Metrics } from './metrics.ts';

type Parts = {
  db: Database;
  /** Null where they have a port of their own. */
  metrics: Pick<Metrics, 'text'> | null;
  isStopping(): boolean;
  /** Whether other processes that callers wait for are still starting. It is ready when all of them are (ADR 89). */
  isIncomplete?: () => boolean;
  /** Monotonic, in milliseconds; for tests. */
  now?: () => number;
};

/** Anybody may ask, so the database answers at most one look a second. */
const rememberedMs = 1000;

export function addHealth(app: FastifyInstance, { db, metrics, isStopping, isIncomplete, now }: Parts): void {
  const isReady = remembered(rememberedMs, () => db.probe(isMigrated), now);
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    if (isStopping()) return reply.code(503).send({ status: 'stopping' });
    if (isIncomplete?.()) return reply.code(503).send({ status: 'other processes are starting' });
    const trouble = db.trouble();
    // Connections that are there go on where new ones are refused.
    if (trouble !== null && trouble !== troubles.refused) return reply.code(503).send({ status: trouble });
    try {
      const migrated = await isReady();
      return reply.code(migrated ? 200 : 503).send({ status: migrated ? 'ready' : 'migrations are missing' });
    } catch {
      return reply.code(503).send({ status: trouble ?? troubles.away });
    }
  });
  if (metrics === null) return;
  app.get('/metrics', async (_request, reply) => {
    const { body, type } = await metrics.text();
    return reply.header('Content-Type', type).send(body);
  });
}
