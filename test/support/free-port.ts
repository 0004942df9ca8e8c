import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

/**
 * A port that nobody listens on, for a program that wants a number. It lies below those that a system gives to whoever
 * asks for any (32768 on Linux): none of the many servers and connections of a run takes it first, or between two starts
 * of the program. No port is given twice in a run, whichever process asks: two files at a time would draw the same one
 * in some runs.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_768);
    if ((await isFree(port)) && isFirst(port)) return port;
  }
}

/** A file in the folder of the run, for all of its processes. */
function isFirst(port: number): boolean {
  const { FOLIO_TEST_FOLDER: folder } = process.env;
  // A program outside of a test run has none.
  if (folder === undefined) return true;
  try {
    closeSync(openSync(join(folder, `port-${port}`), 'wx'));
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === 'EEXIST') return false;
    throw error;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as { code?: string }).code === 'EADDRINUSE') return false;
    throw error;
  }
  server.close();
  await once(server, 'close');
  return true;
}
