import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { allOf } from '../../../test/support/all-of.ts';
import { folderBlobs } from './folder-blobs.ts';

const root = mkdtempSync(join(tmpdir(), 'folio-blobs-'));
after(() => rmSync(root, { recursive: true, force: true }));
const has_modes = process.platform !== 'win32';

test('given blobs in folders of folders, then each key comes once, and nothing that is being written', async () => {
  const folder = join(root, 'listed');
  const blobs = folderBlobs(folder);
  assert.deepEqual(await allOf(blobs.keys()), []);
  const keys = ['logos/uno.png', 'pdfs/a/b/c.pdf', 'z'];
  for (const key of keys) await blobs.put(key, Buffer.from(key), 'application/pdf');
  writeFileSync(join(folder, '.incoming', 'half'), 'x');
  assert.deepEqual((await allOf(blobs.keys())).sort(), keys);
});

test('given what a system keeps in the folder, when keys are listed, then it is passed over', async () => {
  const folder = join(root, 'strange');
  const blobs = folderBlobs(folder);
  await blobs.put('a/b.pdf', Buffer.from('x'), 'application/pdf');
  mkdirSync(join(folder, 'lost+found'), { mode: 0 });
  for (const name of ['.nfs0001', '.DS_Store', join('a', '.nfs0002')]) writeFileSync(join(folder, name), '');
  assert.deepEqual(await allOf(blobs.keys()), ['a/b.pdf']);
});

test('given no folder, when a blob is kept, then the folder is made, and the blob can be read, replaced and deleted', async () => {
  const folder = join(root, 'a', 'blobs');
  const blobs = folderBlobs(folder);
  assert.equal(await blobs.get('x/y.pdf'), undefined);
  assert.equal(existsSync(folder), false);
  await blobs.put('x/y.pdf', Buffer.from('uno'), 'application/pdf');
  assert.equal((await blobs.get('x/y.pdf'))?.toString(), 'uno');
  await blobs.put('x/y.pdf', Buffer.from('dos'), 'application/pdf');
  assert.equal(readFileSync(join(folder, 'x', 'y.pdf'), 'utf8'), 'dos');
  if (has_modes) {
    assert.equal(statSync(join(folder, 'x', 'y.pdf')).mode & 0o777, 0o600);
    for (const path of [folder, join(folder, 'x')]) assert.equal(statSync(path).mode & 0o777, 0o700);
  }
  await blobs.delete('x/y.pdf');
  await blobs.delete('x/y.pdf');
  assert.equal(await blobs.get('x/y.pdf'), undefined);
});

test('given a key that leads out of the folder, then nothing is read, written or deleted', async () => {
  const blobs = folderBlobs(join(root, 'b', 'blobs'));
  await folderBlobs(join(root, 'b')).put('outside', Buffer.from('safe'), 'text/plain');
  for (const key of ['../outside', 'x/../../outside', join(root, 'b', 'outside')]) {
    await assert.rejects(async () => blobs.get(key), /is no key/);
    await assert.rejects(async () => blobs.put(key, Buffer.from('x'), 'text/plain'), /is no key/);
    await assert.rejects(async () => blobs.delete(key), /is no key/);
  }
  assert.equal(readFileSync(join(root, 'b', 'outside'), 'utf8'), 'safe');
  assert.equal(existsSync(join(root, 'b', 'blobs')), false);
});

test('given a file that was young when a process began to keep blobs, when it keeps one later, then the file is cleared away', async () => {
  const folder = join(root, 'later');
  const blobs = folderBlobs(folder, 20);
  await blobs.put('a', Buffer.from('a'), 'application/pdf');
  const left = join(folder, '.incoming', 'half');
  writeFileSync(left, 'x');
  await blobs.put('b', Buffer.from('b'), 'application/pdf');
  await sleep(40);
  await blobs.put('c', Buffer.from('c'), 'application/pdf');
  assert.equal(existsSync(left), false);
  assert.deepEqual((await allOf(blobs.keys())).sort(), ['a', 'b', 'c']);
});

test('given a process killed while it writes, then the old file is whole, and the new one is cleared away later', async () => {
  const writer = fileURLToPath(new URL('../../../test/support/blob-writer.ts', import.meta.url));
  // The process is killed in the middle of a file. If that came too late, the test tries again.
  for (let tries = 1; ; tries++) {
    const folder = join(root, `killed-${tries}`);
    const incoming = join(folder, '.incoming');
    const size = 64 * 1024 * 1024;
    const child = spawn(process.execPath, [writer, folder, 'x.pdf', String(size)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    await once(child.stdout, 'data');
    const begun = () =>
      readdirSync(incoming).filter(
        (name) => (statSync(join(incoming, name), { throwIfNoEntry: false })?.size ?? 0) > 0,
      );
    while (begun().length === 0 && child.exitCode === null) await turn();
    child.kill('SIGKILL');
    await exited;
    const blobs = folderBlobs(folder);
    const found = (await blobs.get('x.pdf'))!;
    const [left] = begun();
    if (left === undefined) {
      assert.ok(
        Buffer.from(found).equals(Buffer.alloc(size, 'b')),
        'the file that was put in its place is whole',
      );
      assert.ok(tries < 20, 'no process was killed in time');
      continue;
    }
    assert.ok(Buffer.from(found).equals(Buffer.alloc(1000, 'a')), 'the file before is whole');
    // A young file may be another process's; after an hour it is nobody's.
    await folderBlobs(folder).put('y.pdf', Buffer.from('y'), 'application/pdf');
    assert.deepEqual(begun(), [left]);
    const long_ago = Date.now() / 1000 - 7200;
    utimesSync(join(incoming, left), long_ago, long_ago);
    await folderBlobs(folder).put('y.pdf', Buffer.from('y'), 'application/pdf');
    assert.deepEqual(begun(), []);
    return;
  }
});
