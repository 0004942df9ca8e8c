import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { CommandError } from '../command-error.ts';
import { explainUnfinished, readManifest } from './backup-folder.ts';

const withCode = (message: string, code: string) => Object.assign(new Error(message), { code });

test('given a disk that is full or a database that went away, when a backup ends by it, then the sentence says to remove what was begun', () => {
  const full = explainUnfinished(withCode('ENOSPC: no space left on device, write', 'ENOSPC'), '/b');
  assert.match((full as Error).message, /not finished .*: remove that folder, and make the backup on a disk/);

  const lost = explainUnfinished(withCode('write CONNECTION_CLOSED db:5432', 'CONNECTION_CLOSED'), '/b');
  assert.ok(lost instanceof CommandError);
  assert.match(
    lost.message,
    /not finished .*: remove that folder, and make the backup again once the database answers\.$/,
  );

  const other = new Error('a fault of the program');
  assert.equal(explainUnfinished(other, '/b'), other);
});

test('given a manifest that is cut off, or that cannot be read, then the sentence does not say that there is none', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'folio-manifest-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const manifest = join(folder, 'manifest.json');
  writeFileSync(manifest, '{ "format": 1,');
  await assert.rejects(readManifest(folder), {
    message: `${manifest} is damaged: it is not what the backup wrote.`,
  });

  // In place of one that belongs to another user, which a test as root could read.
  rmSync(manifest);
  mkdirSync(manifest);
  await assert.rejects(readManifest(folder), {
    message: `${manifest} cannot be read (EISDIR): give this user the backup.`,
  });
});
