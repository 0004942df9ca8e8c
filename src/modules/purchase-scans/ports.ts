import type { ScanExtraction } from './purchase-scans.schema.ts';
import type { ScanMediaType } from './rules/file-kind.ts';
import type { ReadPurchase } from './rules/read-purchase.ts';

declare module '../../kernel/ports.ts' {
  interface Ports {
    scan_reader: ScanReaderPort;
  }
}

export type ScanReading = ScanExtraction & {
  /** Null for XML, and for a PDF that does not open. */
  pages: number | null;
  /** What a purchase would say. Null when nothing was read, or its totals do not reconcile. */
  purchase: ReadPurchase | null;
};

export type ScanReaderPort = {
  /** Files read at a time; others wait inside. */
  at_once: number;
  /**
   * Reads in a process of its own, with bounds. What cannot be read is a reading too.
   * @throws when the process ended, or took too much time or memory
   */
  read(bytes: Uint8Array, media_type: ScanMediaType): Promise<ScanReading>;
};
