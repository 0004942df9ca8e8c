/** A service whose process dies at a statement: to everybody else it is dead, since nothing that it sends afterwards arrives. */
import type { TestContext } from 'node:test';
import { type Service, startService } from '../../src/main/service.ts';
import type { Ports } from '../../src/kernel/ports.ts';
import { openDatabase } from '../../src/platform/db.ts';
import type { JobHandler } from '../../src/platform/worker.ts';
import type { App } from '../harness.ts';
import { type Cut, openWire } from './database-wire.ts';

type Wish = {
  more_jobs?: readonly JobHandler[];
  wrap_ports?: (ports: Ports) => Ports;
  /** Before a statement, or between it and its answer. */
  dies(text: string): Cut['cut'] | undefined;
  work(service: Service): Promise<unknown>;
};

/** @returns whether it died */
export async function workUntil(
  t: TestContext,
  app: App,
  { more_jobs = [], wrap_ports, dies, work }: Wish,
): Promise<boolean> {
  const wire = await openWire(t, app);
  const database = openDatabase({ target: wire.target as never, pool_size: 4, role: null });
  const service = await startService({
    config: app.config,
    database,
    role: 'api',
    clock: app.clock,
    writes_request_log: false,
    purge_every_ms: null,
    more_jobs,
    ...(wrap_ports ? { wrap_ports } : {}),
    answer_pauses_ms: [1, 1],
    log_stream: { write: () => undefined },
  });
  let is_dead = false;
  wire.watch = (text) => {
    const cut = is_dead ? 'before' : dies(text);
    is_dead ||= cut !== undefined;
    return cut && { cut };
  };
  await work(service).catch(() => undefined);
  await service.abandon();
  await database.close().catch(() => undefined);
  return is_dead;
}
