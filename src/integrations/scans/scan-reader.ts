import type { ScanReaderPort } from '../../modules/purchase-scans/index.ts';
import { helpersOf } from '../processes/helpers.ts';
import type { PoolLimits } from '../processes/process-pool.ts';
import { readingPool, startReading } from './reader-pool.ts';

export type ScanReader = ScanReaderPort & { close(): Promise<void> };

const usual: PoolLimits = {
  processes_max: helpersOf(1),
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
