import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startReading } from './reader-pool.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** One file of each sort that a stranger's PDF might look for. */
const closed = [
  '/etc/passwd',
  `/proc/${process.pid}/environ`,
  '/proc/self/environ',
  here('../../../CONTRIBUTING.md'),
  here('../../../test/harness.ts'),
  here('../../../node_modules/postgres/package.json'),
  here('../../../.data/blobs'),
];

test('given a reader, when it reads the disk, then it gets its program and nothing else', async () => {
  const child = startReading();
  const flags = child.spawnargs.slice(1, -1);
  child.kill('SIGKILL');
  const code = `
    const fs = require('node:fs');
    const codeOf = (path) => { try { fs.readFileSync(path); return 'read'; } catch (error) { return error.code; } };
    console.log(JSON.stringify(${JSON.stringify([here('./read-process.ts'), ...closed])}.map(codeOf)));`;
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, '-e', code]);
  assert.deepEqual(JSON.parse(stdout), ['read', ...closed.map(() => 'ERR_ACCESS_DENIED')]);
});
