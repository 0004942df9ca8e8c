import type { ScanReading } from '../../modules/purchase-scans/index.ts';

export function nothingRead(warning: string, pages: number | null = null): ScanReading {
  return { method: 'none', fields: [], warnings: [warning], pages, purchase: null };
}
