/** The files of documents, between a store and the folder of a backup. */
import { createHash } from 'node:crypto';
import { open, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BlobStore } from '../../integrations/blobs/blobs.ts';
import { makeFolders } from '../../platform/make-folders.ts';
import { CommandError } from '../command-error.ts';
import type { Manifest } from './backup-folder.ts';

type Kept = { bytes: number; sha256: string };

const atOnce = 8;
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

const listPath = (folder: string) => join(folder, 'blobs.list');
const blobPath = (folder: string, key: string) => join(folder, 'blobs', ...key.split('/'));

/** Some at a time. The first failure ends it. */
async function eachOf<T>(items: AsyncIterable<T> | Iterable<T>, work: (item: T) => Promise<void>) {
  const waiting = (async function* all() {
    yield* items;
  })();
  const take = async () => {
    for (let next = await waiting.next(); !next.done; next = await waiting.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: atOnce }, take));
}

/** Copies what a store holds. A second run copies what came since. */
export class BlobCopies {
  readonly #folder: string;
  readonly #store: BlobStore;
  readonly #kept = new Map<string, Kept>();

  constructor(folder: string, store: BlobStore) {
    this.#folder = folder;
    this.#store = store;
  }

  /** @throws CommandError for a store that cannot be read */
  async run(): Promise<void> {
    await eachOf(this.#keys(), async (key) => {
      if (this.#kept.has(key)) return;
      const bytes = await this.#store.get(key).catch((error: Error) => this.#refuseUnread(error));
      // It was deleted meanwhile.
      if (bytes === undefined) return;
      const path = blobPath(this.#folder, key);
      await makeFolders(dirname(path), 0o700);
      await writeFile(path, bytes, { mode: 0o600, flush: true });
      this.#kept.set(key, { bytes: bytes.length, sha256: sha256(bytes) });
    });
  }

  async *#keys(): AsyncGenerator<string> {
    try {
      yield* this.#store.keys();
    } catch (error) {
      this.#refuseUnread(error as Error);
    }
  }

  #refuseUnread({ message }: Error): never {
    throw new CommandError(
      `The backup was not finished, since the files of documents cannot be read (${message}): ` +
        `see to FOLIO_BLOB_URL, or FOLIO_DATA_DIR, where they are, remove ${this.#folder}, and make the backup again.`,
    );
  }

  /** Writes what was kept: a line of hash, bytes and key each. */
  async finish(): Promise<NonNullable<Manifest['blobs']>> {
    const kept = [...this.#kept].sort(([a], [b]) => (a < b ? -1 : 1));
    const list = kept.map(([key, { bytes, sha256 }]) => `${sha256} ${bytes} ${key}\n`).join('');
    const file = await open(listPath(this.#folder), 'wx', 0o600);
    try {
      await file.writeFile(list);
      await file.sync();
    } finally {
      await file.close();
    }
    const bytes = kept.reduce((sum, [, blob]) => sum + blob.bytes, 0);
    return { count: kept.length, bytes, list_sha256: sha256(list) };
  }
}

/** @throws CommandError when the list is not what the backup wrote */
async function readList(folder: string, { list_sha256 }: NonNullable<Manifest['blobs']>) {
  const text = await readFile(listPath(folder), 'utf8').catch(() => '');
  if (sha256(text) !== list_sha256) throw new CommandError(`${listPath(folder)} is damaged.`);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [hash = '', , key = ''] = line.split(' ');
      return { hash, key };
    });
}

/**
 * Reads every file of the backup, and puts it into the store where there is one.
 * @throws CommandError for a file that is missing or damaged, or that the store does not take
 */
export async function readBlobs(
  folder: string,
  blobs: NonNullable<Manifest['blobs']>,
  store: BlobStore | null,
): Promise<void> {
  await eachOf(await readList(folder, blobs), async ({ hash, key }) => {
    const path = blobPath(folder, key);
    const bytes = await readFile(path).catch(() => undefined);
    if (bytes === undefined || sha256(bytes) !== hash)
      throw new CommandError(`${path} is damaged: it is not what the backup wrote.`);
    const media_type = key.endsWith('.pdf') ? 'application/pdf' : 'application/octet-stream';
    await store?.put(key, bytes, media_type).catch(refuseUnkept);
  });
}

/** The database is still empty then. */
function refuseUnkept(error: Error): never {
  throw new CommandError(
    `The restore was not finished, since a file of a document cannot be kept (${error.message}): ` +
      'see that there is room where FOLIO_BLOB_URL, or FOLIO_DATA_DIR, keeps them, and run it again.',
  );
}
