import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';

/**
 * For a thread that gets nothing of the process's environment, which holds secrets. Where the process finds its modules compiled, the
 * thread does too: it starts in less than half the time.
 */
export function threadEnvironment(): Record<string, string> {
  // Node's own folder within it, which is named after its version.
  const folder = getCompileCacheDir();
  return folder ? { NODE_COMPILE_CACHE: dirname(folder) } : {};
}
