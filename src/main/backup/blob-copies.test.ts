import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { BlobStore } from '../../integrations/blobs/blobs.ts';
import { CommandError } from '../command-error.ts';
import { BlobCopies } from './blob-copies.ts';

const refusal = new Error('GET https://s3.example/cubo was answered 403: AccessDenied');
const refuse = () => Promise.reject(refusal);

for (const [what, store] of Object.entries({
  'lists nothing': {
    async *keys() {
      yield await refuse();
    },
  },
  'gives no file': {
    async *keys() {
      yield 'pdfs/a.pdf';
    },
    get: refuse,
  },
}))
  test(`given a store that ${what}, when its files are copied, then the sentence tells what it said and what to do`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'folio-blob-copies-'));
    t.after(() => rmSync(folder, { recursive: true }));
    await assert.rejects(new BlobCopies(folder, store as unknown as BlobStore).run(), (error: Error) => {
      assert.ok(error instanceof CommandError, String(error));
      assert.match(error.message, /cannot be read \(GET https:.* AccessDenied\): see to FOLIO_BLOB_URL/);
      assert.ok(error.message.endsWith(`remove ${folder}, and make the backup again.`));
      return true;
    });
  });
