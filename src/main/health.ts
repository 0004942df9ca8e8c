/** The process lives (/healthz), can work (/readyz), and its metrics. None needs a key. */
import type { FastifyInstance } from 'fastify';
import type { Database } from '../platform/db.ts';
import { isMigrated } from '../platform/migrate.ts';
import type { Metrics } from './metrics.ts';

type Parts = { db: Database; metrics: Metrics; isStopping(): boolean };

export function addHealth(app: FastifyInstance, { db, metrics, isStopping }: Parts): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    if (isStopping()) return reply.code(503).send({ status: 'stopping' });
    try {
      const migrated = await db.probe(isMigrated);
      return reply.code(migrated ? 200 : 503).send({ status: migrated ? 'ready' : 'migrations are missing' });
    } catch {
      return reply.code(503).send({ status: 'the database does not answer' });
    }
  });
  app.get('/metrics', async (_request, reply) => {
    const { body, type } = await metrics.text();
    return reply.header('Content-Type', type).send(body);
  });
}
