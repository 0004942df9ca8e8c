/** What each kind of file is read by. */
import type { ScanReading } from '../../modules/purchase-scans/index.ts';
import { readPdf } from './read-pdf.ts';
import type { ReadRequest } from './read-process.ts';

export function nothingRead(warning: string, pages: number | null = null): ScanReading {
  return { method: 'none', fields: [], warnings: [warning], pages, purchase: null };
}

export async function readScan({ bytes, media_type }: ReadRequest): Promise<ScanReading> {
  if (media_type === 'application/pdf') return readPdf(bytes);
  return nothingRead('De momento no se leen archivos de este tipo.', null);
}
