/** The rows of a move on their way, in the data folder. They are named after their process, since it may be killed. */
import { createHash } from 'node:crypto';
import { chmodSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { findProcess } from 'embedded-postgres-server';
import { isUnreachable } from '../../platform/db.ts';
import { isOfDisk, makeEmptyFolder } from '../../platform/new-folder.ts';
import { CommandError } from '../command-error.ts';

/** Another process may have the pid of an ended one, and began at another moment. Some systems tell none. */
function nameOf(pid: number, started = ''): string {
  const began = createHash('sha256').update(started).digest('hex').slice(0, 16);
  return `move-${pid}-${began}`;
}

function isOfLiving(name: string, pid: number): boolean {
  const found = findProcess(pid);
  return found !== undefined && nameOf(pid, found.started) === name;
}

/** Also removes what killed moves left. @throws FolderRefused */
export async function makeMoveFolder(data_dir: string): Promise<string> {
  const place = resolve(data_dir);
  const own = nameOf(process.pid, findProcess(process.pid)?.started);
  const folder = join(place, own);
  await makeEmptyFolder(folder, null);
  chmodSync(folder, 0o700);
  for (const name of readdirSync(place)) {
    const [, pid] = /^move-(\d+)-[0-9a-f]{16}$/.exec(name) ?? [];
    if (pid !== undefined && name !== own && !isOfLiving(name, Number(pid)))
      rmSync(join(place, name), { recursive: true, force: true });
  }
  return folder;
}

/**
 * What ended the reading of the rows, in a sentence. The folder is removed by then, so nothing is to be done with it. Any
 * other error is unchanged.
 */
export function explainMoving(error: unknown, folder: string): unknown {
  const next = isOfDisk(error)
    ? `the rows are kept in ${dirname(folder)} on their way: make room on its disk`
    : isUnreachable(error)
      ? 'see that the database which is moved runs'
      : null;
  if (next === null) return error;
  return new CommandError(
    `The move was not finished (${(error as Error).message}), and the new database is empty: ${next}, and move again.`,
  );
}
