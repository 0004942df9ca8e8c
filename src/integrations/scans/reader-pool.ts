/** The processes that read scans (ADR 51). */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ScanReading } from '../../modules/purchase-scans/index.ts';
import { makePool, type Pool, type PoolLimits } from '../processes/process-pool.ts';
import type { ReadRequest } from './read-process.ts';

const script = fileURLToPath(new URL('./read-process.ts', import.meta.url));

/** A reader has these bounds whoever starts it: no writing, no other process, no addon, and a small heap. */
const held = ['--permission', '--allow-fs-read=*', '--max-old-space-size=128', '--no-warnings'];

export function startReading(): ChildProcess {
  return fork(script, [], {
    execArgv: held,
    // Without the service's secrets.
    env: { HOME: '/dev/null', HTTPS_PROXY: 'http://127.0.0.1:9' },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

/** The job tries again, with pauses. */
export function readingPool(start: () => ChildProcess, limits: PoolLimits): Pool<ReadRequest, ScanReading> {
  return makePool({ start, verb: 'read', done: 'read', triesAgain: () => false }, limits);
}
