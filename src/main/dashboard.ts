/** Puts the dashboard together. */
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Addresses } from '../kernel/addresses.ts';
import type { Ports } from '../kernel/ports.ts';
import type { Clock } from '../platform/clock.ts';
import type { Engine } from '../platform/engine.ts';
import { personOperations } from '../modules/people/index.ts';
import { registerDashboard } from '../surfaces/dashboard/dashboard-routes.ts';
import { readShell, type Shell } from '../surfaces/dashboard/shell.ts';
import type { MountForPeople } from '../surfaces/rest/server.ts';

/** Where scripts/build-web.cjs leaves the pages. */
const folder = join(import.meta.dirname, '../../web/dist');

type Parts = Addresses & { ports: Ports; engine: Engine; clock: Clock; mount: MountForPeople };

export function addDashboard(app: FastifyInstance, parts: Parts): void {
  const { ports, engine, clock, public_url, docs_url, mount } = parts;
  let shell: Shell | undefined;
  registerDashboard(app, {
    people: ports.people,
    oauth: ports.oauth,
    clock,
    public_url,
    docs_url,
    mount,
    more: personOperations,
    spend: engine.spendOfPerson,
    // Read with the first page: no start waits for it.
    shell: () => (shell ??= readShell(folder)),
    version: ports.system.version,
  });
}
