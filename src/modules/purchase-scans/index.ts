/** Papers of suppliers: their originals, kept as they came, and what could be read of them (ADR 51). */
import type { Operation } from '../../kernel/operation.ts';
import { archivePurchaseScan } from './operations/archive-purchase-scan.ts';
import { getPurchaseScan } from './operations/get-purchase-scan.ts';
import { getPurchaseScanFile } from './operations/get-purchase-scan-file.ts';
import { listPurchaseScans } from './operations/list-purchase-scans.ts';
import { reprocessPurchaseScan } from './operations/reprocess-purchase-scan.ts';
import { restorePurchaseScan } from './operations/restore-purchase-scan.ts';
import { uploadPurchaseScan } from './operations/upload-purchase-scan.ts';

export type * from './ports.ts';
export { supplierOfScans } from './purchase-scans.store.ts';
export { linkScans, requireInUse } from './link-scans.ts';
export { processScan, scanLane } from './purchase-scans.jobs.ts';
export { forgetFiles, forgetScanFiles } from './forget-files.jobs.ts';

export const purchaseScansOperations: readonly Operation[] = [
  listPurchaseScans,
  uploadPurchaseScan,
  getPurchaseScan,
  getPurchaseScanFile,
  reprocessPurchaseScan,
  archivePurchaseScan,
  restorePurchaseScan,
];

/** What emptying a sandbox deletes here: rows that refer to others go first. */
export const sandboxTables = ['purchase_scans'];
