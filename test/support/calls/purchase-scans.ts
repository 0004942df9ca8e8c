import { textPdf } from '../scan-samples/pdf-text.ts';
import type { Calls } from './seed.ts';

/** Other bytes than those of the seed. */
const content_base64 = textPdf([['Factura 8']]).toString('base64');

export const purchaseScansCalls: Calls = {
  list_purchase_scans: () => ({ query: { q: 'factura' } }),
  upload_purchase_scan: () => ({ body: { file_name: 'factura.pdf', content_base64 } }),
  get_purchase_scan: (seed) => ({ params: { purchase_scan: seed.purchase_scan } }),
  get_purchase_scan_file: (seed) => ({ params: { purchase_scan: seed.purchase_scan } }),
  reprocess_purchase_scan: (seed) => ({ params: { purchase_scan: seed.processed_scan } }),
  archive_purchase_scan: (seed) => ({
    params: { purchase_scan: seed.purchase_scan },
    query: { expected_version: '1' },
  }),
  restore_purchase_scan: (seed) => ({ params: { purchase_scan: seed.archived_scan } }),
};
