import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { explainWriting, FolderRefused, makeEmptyFolder } from './new-folder.ts';

const root = mkdtempSync(join(tmpdir(), 'folio-new-folder-'));
after(() => rmSync(root, { recursive: true }));

test('given a folder that cannot be made, when it is to be filled, then it is refused in a sentence about that folder', async () => {
  const file = join(root, 'a-file');
  writeFileSync(file, '');
  const link = join(root, 'a-link');
  symlinkSync(join(root, 'not-mounted'), link);
  for (const folder of [file, join(file, 'backup'), join(link, 'backup')])
    await assert.rejects(
      makeEmptyFolder(folder, null),
      (error) =>
        error instanceof FolderRefused && error.message.startsWith(`The folder ${folder} cannot be used (E`),
    );
});

const onLinux = { skip: process.platform !== 'linux' && 'Linux alone has such a /proc.' };
test(
  'given a system whose folders cannot be added to, when one within them is to be filled, then it is refused at once',
  onLinux,
  async () => {
    for (const folder of ['/proc/folio', '/proc/folio/backup'])
      await assert.rejects(
        makeEmptyFolder(folder, null),
        (error) =>
          error instanceof FolderRefused && error.message.startsWith(`The folder ${folder} cannot be`),
      );
  },
);

test('given a folder of a killed command, of a finished one, or of others, when it is to be filled, then the sentence tells them apart', async () => {
  const filling = { what: 'backup', parts: ['tables', 'blobs'], last: 'manifest.json' } as const;
  for (const [names, told] of [
    [['tables'], ': it holds a backup that was not finished, so remove it, or name another one'],
    [['tables', 'blobs', 'manifest.json'], ': it holds a finished backup, so name another one'],
    [['tables', 'photos'], ''],
  ] as const) {
    const folder = mkdtempSync(join(root, 'filled-'));
    for (const name of names) writeFileSync(join(folder, name), '');
    await assert.rejects(makeEmptyFolder(folder, filling), { message: `${folder} is not empty${told}.` });
  }
});

test('given a disk that is full, when a backup writes, then the sentence says to remove what was begun', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  const told = explainWriting(full, 'backup', '/b');
  assert.ok(told instanceof FolderRefused);
  assert.equal(
    told.message,
    'The backup in /b was not finished (ENOSPC: no space left on device, write): ' +
      'remove that folder, and make the backup on a disk with more room.',
  );
  const other = new Error('a fault of the program');
  assert.equal(explainWriting(other, 'backup', '/b'), other);
});
