import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
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

test('given a reader, when anything in it looks for the network, then there is none', async () => {
  const child = startReading();
  const flags = child.spawnargs.slice(1, -1);
  child.kill('SIGKILL');
  const code = `
    await import(${JSON.stringify(pathToFileURL(here('./read-process.ts')).href)});
    const { default: net } = await import('node:net');
    const { default: dns } = await import('node:dns');
    const { default: dgram } = await import('node:dgram');
    const ways = [
      () => net.connect(9, '127.0.0.1'),
      () => dns.lookup('localhost', () => undefined),
      () => dgram.createSocket('udp4').send('x', 9, '127.0.0.1'),
      () => fetch('http://127.0.0.1:65000/'),
      () => net.createServer().listen(0),
      () => dns.resolve4('localhost', () => undefined),
      () => dns.promises.lookup('localhost'),
      () => new dns.Resolver().resolve4('localhost', () => undefined),
    ];
    const told = await Promise.all(ways.map(async (way) => {
      try { await way(); return 'open'; } catch (error) { return (error.cause ?? error).message; }
    }));
    console.log(JSON.stringify(told));
    process.exit();`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...flags,
    '--input-type=module',
    '-e',
    code,
  ]);
  assert.deepEqual(
    JSON.parse(stdout),
    Array.from({ length: 8 }, () => 'A reader has no network.'),
  );
});
