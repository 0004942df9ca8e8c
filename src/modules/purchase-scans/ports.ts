import type { Ctx, Tx } from '../../kernel/operation.ts';
import type { ScanExtraction } from './purchase-scans.schema.ts';
import type { ScanMediaType } from './rules/file-kind.ts';
import type { ReadPaper, ReadPurchase } from './rules/read-purchase.ts';

export { isFacturae, readFacturae } from './rules/facturae.ts';
export { type PageQr, readPageTexts } from './rules/page-texts.ts';

declare module '../../kernel/ports.ts' {
  interface Ports {
    scan_reader: ScanReaderPort;
    scan_uses: ScanUses;
  }
}

export type ScanReading = ScanExtraction & {
  /** Null for XML, and for a PDF that does not open. */
  pages: number | null;
  /** What a purchase would say. Null when nothing was read, or its totals do not reconcile. */
  purchase: ReadPurchase | null;
  /** Of a reading without a purchase. */
  paper?: ReadPaper;
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

/** Scans know no purchases: another module supplies this. */
export type ScanUses = {
  /** What would refuse a purchase with this body, in its words; null where nothing would. Writes nothing. */
  refusalOf(ctx: Ctx, body: Record<string, unknown>): Promise<string | null>;
  /** Locks the purchase. @returns whether it has left draft: the original of what it names is kept */
  isReceived(tx: Tx, company_id: string, purchase_invoice_id: string): Promise<boolean>;
  /** The purchases of the supplier with its number that are not cancelled; ten at most. */
  findSame(tx: Tx, company_id: string, paper: { supplier_id: string; number: string }): Promise<string[]>;
};
