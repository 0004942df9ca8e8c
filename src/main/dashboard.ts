/** Puts the dashboard together. */
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Ports } from '../kernel/ports.ts';
import { registerDashboard } from '../surfaces/dashboard/dashboard-routes.ts';
import { readShell, type Shell } from '../surfaces/dashboard/shell.ts';
import type { MountForPeople } from '../surfaces/rest/server.ts';

/** Where scripts/build-web.cjs leaves the pages. */
const folder = join(import.meta.dirname, '../../web/dist');

export function addDashboard(
  app: FastifyInstance,
  { ports, public_url, mount }: { ports: Ports; public_url: () => string; mount: MountForPeople },
): void {
  let shell: Shell | undefined;
  registerDashboard(app, {
    people: ports.people,
    public_url,
    mount,
    // Read with the first page: no start waits for it.
    shell: () => (shell ??= readShell(folder)),
    version: ports.system.version,
  });
}
