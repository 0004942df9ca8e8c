import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { CommandError } from '../command-error.ts';
import { explainWriting, makeFolder } from './backup-folder.ts';

const root = mkdtempSync(join(tmpdir(), 'folio-backup-folder-'));
after(() => rmSync(root, { recursive: true }));

test('given a folder that cannot be made, when a backup begins, then it is refused in a sentence about that folder', async () => {
  const file = join(root, 'a-file');
  writeFileSync(file, '');
  const link = join(root, 'a-link');
  symlinkSync(join(root, 'not-mounted'), link);
  for (const folder of [file, join(file, 'backup'), join(link, 'backup')])
    await assert.rejects(
      makeFolder(folder),
      (error) =>
        error instanceof CommandError && error.message.startsWith(`The folder ${folder} cannot be made (E`),
    );
});

test('given a disk that is full, when a backup writes, then the sentence says to remove what was begun', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  const told = explainWriting(full, '/b');
  assert.ok(told instanceof CommandError);
  assert.equal(
    told.message,
    'The backup in /b was not finished (ENOSPC: no space left on device, write): ' +
      'remove that folder, and make the backup on a disk with more room.',
  );
  const other = new Error('a fault of the program');
  assert.equal(explainWriting(other, '/b'), other);
});
