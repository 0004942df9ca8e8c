import { setTimeout as wait } from 'node:timers/promises';
import type { BlobPort } from '../../modules/pdfs/ports.ts';
import type { BlobPlace } from './blob-place.ts';
import { folderBlobs } from './folder-blobs.ts';
import { s3Blobs } from './s3-blobs.ts';

/** Files that are unwritten by then may be lost. They are printed again. */
const closingMs = 5000;

/** Of a store that can say what it holds. */
export type KeyList = {
  /** Those that were there before the call, and perhaps later ones; in no order. */
  keys(): AsyncIterable<string>;
};

export type BlobStore = BlobPort & KeyList & { close(): Promise<void> };

/** `close` waits `closingMs` for what is being written. */
export function makeBlobs(place: BlobPlace): BlobStore {
  const store =
    place.kind === 's3' ? s3Blobs(place) : { ...folderBlobs(place.folder), close: async () => undefined };
  const writing = new Set<Promise<unknown>>();
  return {
    ...store,
    put(key, bytes, media_type) {
      const put = store.put(key, bytes, media_type);
      const done = put
        .then(
          () => undefined,
          () => undefined,
        )
        .finally(() => writing.delete(done));
      writing.add(done);
      return put;
    },
    async close() {
      await Promise.race([Promise.all(writing), wait(closingMs, undefined, { ref: false })]);
      await store.close();
    },
  };
}
