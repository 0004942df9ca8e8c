import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('./folio.ts', import.meta.url));

test('given a disk that is full, when a command prints into a file of it, then it says so and exits with 1', {
  skip: !existsSync('/dev/full'),
}, () => {
  const full = openSync('/dev/full', 'w');
  const { status, stderr } = spawnSync(process.execPath, [program, '--help'], {
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  });
  closeSync(full);
  assert.match(stderr, /^folio: what was printed is not whole \(ENOSPC[^\n]+\)\.\n$/);
  assert.equal(status, 1);
});
