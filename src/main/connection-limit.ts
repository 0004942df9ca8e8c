/**
 * A process may open so many files, and each connection of a caller is one. Where callers took all of them, nobody could
 * reach the database either, and background work would end with the calls.
 */
import { readFileSync } from 'node:fs';
import type { Server } from 'node:net';

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
 * Connections beyond what the process may open are closed at once.
 * @param tell hears of it, once a minute while it lasts
 */
export function limitConnections(
  server: Server,
  tell: (line: string) => void,
  files_max = openFilesMax(),
): void {
  if (files_max === undefined) return;
  const most = files_max - Math.min(keptFiles, Math.floor(files_max / 2));
  server.maxConnections = most;
  // Otherwise a process of several hands it to the next one, which may be full as well, without an end.
  Object.assign(server, { dropMaxConnection: true });
  let told_at = -tellMs;
  server.on('drop', () => {
    if (performance.now() - told_at < tellMs) return;
    told_at = performance.now();
    tell(
      `Connections of callers are closed at once: ${most} are open, and this process may open ${files_max} files (ulimit -n).`,
    );
  });
}
