import { availableParallelism } from 'node:os';
import type { ScanReaderPort } from '../../modules/purchase-scans/index.ts';
import type { PoolLimits } from '../processes/process-pool.ts';
import { readingPool, startReading } from './reader-pool.ts';

export type ScanReader = ScanReaderPort & { close(): Promise<void> };

/** Two at least: one company never has more than half of them. */
export const readersMax = Math.max(2, Math.min(4, availableParallelism() - 1));

const usual: PoolLimits = {
  processes_max: readersMax,
  seconds_max: 10,
  start_seconds_max: 30,
  requests_max: 500,
  growth_max: 120_000_000,
  resident_max: 300_000_000,
  idle_seconds_max: 60,
};

/** @param limits for tests */
export function makeScanReader(limits: Partial<PoolLimits> = {}, start = startReading): ScanReader {
  const bounds = { ...usual, ...limits };
  const pool = readingPool(start, bounds);
  return {
    at_once: bounds.processes_max,
    read: (bytes, media_type) => pool.run({ bytes, media_type }),
    close: pool.close,
  };
}
