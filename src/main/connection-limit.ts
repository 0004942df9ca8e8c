/**
 * A process may open so many files, and each connection of a caller is one. Where callers took all of them, nobody could
 * reach the database either, and background work would end with the calls.
 */
import { readFileSync } from 'node:fs';
import type { Server, Socket } from 'node:net';

/** For the database, files, mail, receivers, the authority and printers. */
const keptFiles = 250;
const tellMs = 60_000;

/** Undefined where the system does not tell it, as outside Linux. Node has raised it as far as it may. */
function openFilesMax(): number | undefined {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}

/**
 * Connections beyond what the process may open are closed at once, whichever server they come to.
 * @param servers those that callers reach; one may hand its connections to another
 * @param tell hears of it, once a minute while it lasts
 */
export function limitConnections(
  servers: readonly Server[],
  tell: (line: string) => void,
  files_max = openFilesMax(),
): void {
  if (files_max === undefined) return;
  const most = files_max - Math.min(keptFiles, Math.floor(files_max / 2));
  const open = new Set<Socket>();
  const count = (socket: Socket) => void open.add(socket.once('close', () => open.delete(socket)));
  let told_at = -tellMs;
  const drop = () => {
    if (performance.now() - told_at < tellMs) return;
    told_at = performance.now();
    tell(
      `Connections of callers are closed at once: ${most} are open, and this process may open ${files_max} files (ulimit -n).`,
    );
  };
  for (const server of servers) {
    server.on('connection', count).on('drop', drop);
    // Node compares it with what this server alone has open.
    Object.defineProperty(server, 'maxConnections', { get: () => (open.size < most ? undefined : 0) });
    // Otherwise a process of several hands it to the next one, which may be full as well, without an end.
    Object.assign(server, { dropMaxConnection: true });
  }
}
