import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { addShared, countShared, findOwner, takeExclusive } from './claims.ts';
import { ownIdentity } from './processes.ts';

const root = mkdtempSync(join(tmpdir(), 'claims-test-'));
after(() => rmSync(root, { recursive: true, force: true }));

const dead_pid = spawnSync(process.execPath, ['--version']).pid;
const wrecks: Readonly<Record<string, string>> = {
  'a dead process': JSON.stringify({ pid: dead_pid, started: 'long ago' }),
  'an earlier process with our pid': JSON.stringify({ ...ownIdentity(), started: 'long ago' }),
  'nobody, being cut short': '{"pid":',
};

for (const [owner, content] of Object.entries(wrecks)) {
  test(`an exclusive claim of ${owner} goes to exactly one of those who want it`, async () => {
    const path = join(root, `${Object.keys(wrecks).indexOf(owner)}.lock`);
    writeFileSync(path, content);
    assert.equal(findOwner(path), undefined);
    const claims = await Promise.all(Array.from({ length: 8 }, () => takeExclusive(path, 0)));
    const [winner, ...others] = claims.filter((claim) => claim !== undefined);
    assert.deepEqual(others, []);
    assert.equal(findOwner(path)?.pid, process.pid);
    winner?.release();
    assert.deepEqual(
      readdirSync(root).filter((name) => name.includes('.lock')),
      [],
    );
  });
}

test('a claim that is held is waited for, and its second release takes nothing from the next owner', async () => {
  const path = join(root, 'held');
  const first = await takeExclusive(path, 0);
  assert.equal(await takeExclusive(path, 0), undefined);
  const waiting = takeExclusive(path, 30);
  first?.release();
  const second = await waiting;
  first?.release();
  assert.equal(findOwner(path)?.pid, process.pid);
  second?.release();
  assert.equal(findOwner(path), undefined);
});

test('shared claims count the living and forget the dead', () => {
  const prefix = join(root, 'user-');
  const claims = [addShared(prefix), addShared(prefix)];
  writeFileSync(`${prefix}dead`, wrecks['a dead process'] ?? '');
  assert.equal(countShared(prefix), 2);
  for (const claim of claims) claim.release();
  assert.equal(countShared(prefix), 0);
  assert.deepEqual(
    readdirSync(root).filter((name) => name.startsWith('user-')),
    [],
  );
});
