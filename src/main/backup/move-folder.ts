/** The rows of a move on their way, in the data folder. They are named after their process, since it may be killed. */
import { createHash } from 'node:crypto';
import { chmodSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findProcess } from 'embedded-postgres-server';
import { makeEmptyFolder } from '../../platform/new-folder.ts';

/** Undefined for a process that has ended. Another one may have its pid since, which began at another moment. */
function nameOf(pid: number): string | undefined {
  const found = findProcess(pid);
  if (!found) return undefined;
  const began = createHash('sha256').update(found.started).digest('hex').slice(0, 16);
  return `move-${pid}-${began}`;
}

/** Also removes what killed moves left. @throws FolderRefused */
export async function makeMoveFolder(data_dir: string): Promise<string> {
  const place = resolve(data_dir);
  const folder = join(place, nameOf(process.pid)!);
  await makeEmptyFolder(folder, null);
  chmodSync(folder, 0o700);
  for (const name of readdirSync(place)) {
    const [, pid] = /^move-(\d+)-[0-9a-f]{16}$/.exec(name) ?? [];
    if (pid !== undefined && nameOf(Number(pid)) !== name)
      rmSync(join(place, name), { recursive: true, force: true });
  }
  return folder;
}
