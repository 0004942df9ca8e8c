/** The processes that read scans (ADR 51). */
import { type ChildProcess, fork } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ScanReading } from '../../modules/purchase-scans/index.ts';
import { makePool, type Pool, type PoolLimits } from '../processes/process-pool.ts';
import type { ReadRequest } from './read-process.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const script = here('./read-process.ts');

/** The folder of a package, wherever it was installed. Its parts look for its package.json. */
function folderOf(name: string): string {
  let folder = dirname(fileURLToPath(import.meta.resolve(name)));
  while (!folder.endsWith(join('node_modules', name))) {
    if (dirname(folder) === folder) throw new Error(`${name} stands in no node_modules.`);
    folder = dirname(folder);
  }
  return folder;
}

/** The reader's program and its packages. The file to read comes by message. */
const readable = [
  `${here('../../')}*`,
  here('../../../package.json'),
  ...['@hyzyla/pdfium', 'jsqr', 'libxml2-wasm'].map((name) => join(folderOf(name), '*')),
];

/** A reader has these bounds whoever starts it: no writing, no other process, no addon, and a small heap. */
const held = [
  '--permission',
  ...readable.map((path) => `--allow-fs-read=${path}`),
  '--max-old-space-size=128',
  // Drawings are garbage at once. They are freed when the young ones are, so that must be often.
  '--max-semi-space-size=2',
  '--no-warnings',
];

/** glibc gives each large buffer back to the system, in place of keeping it for the next one. */
const allocation = { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_ARENA_MAX: '2' };

export function startReading(): ChildProcess {
  return fork(script, [], {
    execArgv: held,
    // Without the service's secrets.
    env: { HOME: '/dev/null', HTTPS_PROXY: 'http://127.0.0.1:9', ...allocation },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

/** The job tries again, with pauses. */
export function readingPool(start: () => ChildProcess, limits: PoolLimits): Pool<ReadRequest, ScanReading> {
  return makePool({ start, verb: 'read', done: 'read', triesAgain: () => false }, limits);
}
