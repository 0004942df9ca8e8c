/**
 * Files that only the service's user can read. A file is written aside, forced to the disk and renamed into place, so
 * readers find all of it or nothing, even after a power cut. Several processes may share the folder.
 */
import { randomUUID } from 'node:crypto';
import { open, readdir, readFile, rename, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { BlobPort } from '../../modules/pdfs/ports.ts';
import { makeFolders } from '../../platform/make-folders.ts';
import { checkedKey, isKeyPart } from './blob-key.ts';
import type { KeyList } from './blobs.ts';

/** No key begins with a dot, so none collides. On the blobs' file system a rename is one step. */
const aside = '.incoming';
/** A file written for longer than this belongs to nobody. */
const abandonedMs = 3_600_000;

/**
 * @param folder made when the first blob is kept
 * @param abandoned_ms for tests
 */
export function folderBlobs(folder: string, abandoned_ms = abandonedMs): BlobPort & KeyList {
  const pathOf = (key: string) => join(folder, ...checkedKey(key).split('/'));
  let cleared: Promise<void> | undefined;
  let cleared_at = 0;

  /** Again after an hour: what was young at the start belongs to nobody by then. */
  function clear(incoming: string): Promise<void> {
    if (cleared === undefined || performance.now() - cleared_at > abandoned_ms) {
      cleared_at = performance.now();
      cleared = clearAbandoned(incoming, abandoned_ms).catch(() => undefined);
    }
    return cleared;
  }

  async function put(key: string, bytes: Uint8Array): Promise<void> {
    const path = pathOf(key);
    const incoming = join(folder, aside);
    await Promise.all([incoming, dirname(path)].map((one) => makeFolders(one, 0o700)));
    await clear(incoming);
    const written = join(incoming, randomUUID());
    try {
      await writeWhole(written, bytes);
      await rename(written, path);
    } catch (error) {
      await rm(written, { force: true });
      throw error;
    }
    await settle(dirname(path));
  }

  return {
    async get(key) {
      try {
        return await readFile(pathOf(key));
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    put,
    async delete(key) {
      try {
        await unlink(pathOf(key));
      } catch (error) {
        if (!isMissing(error)) throw error;
      }
    },
    async *keys() {
      for await (const path of filesIn(folder)) yield relative(folder, path).split(sep).join('/');
    },
  };
}

/** Not what is being written, nor what a system keeps there: `lost+found`, `.nfs0001`. A folder may go while it is read. */
async function* filesIn(folder: string): AsyncGenerator<string> {
  const found = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  for (const entry of found) {
    if (!isKeyPart(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesIn(path);
    else if (entry.isFile()) yield path;
  }
}

const isMissing = (error: unknown) => (error as { code?: string }).code === 'ENOENT';

async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Forces the name to the disk too, where a folder can be opened. */
async function settle(folder: string): Promise<void> {
  const opened = await open(folder, 'r').catch(() => undefined);
  await opened?.sync().catch(() => undefined);
  await opened?.close();
}

/** Removes what killed processes left. */
async function clearAbandoned(incoming: string, abandoned_ms: number): Promise<void> {
  const before = Date.now() - abandoned_ms;
  for (const name of await readdir(incoming)) {
    const path = join(incoming, name);
    const found = await stat(path).catch(() => undefined);
    if (found && found.mtimeMs < before) await rm(path, { force: true });
  }
}
