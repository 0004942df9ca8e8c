import { join, resolve } from 'node:path';
import type { BlobPlace } from '../integrations/blobs/blob-place.ts';
import type { Config } from './config.ts';

/** Where the files of documents are kept. */
export const blobPlaceOf = (config: Pick<Config, 'FOLIO_BLOB_URL' | 'FOLIO_DATA_DIR'>): BlobPlace =>
  config.FOLIO_BLOB_URL ?? { kind: 'folder', folder: join(resolve(config.FOLIO_DATA_DIR), 'blobs') };
