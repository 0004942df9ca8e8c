import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { One } from '../../../kernel/schema.ts';
import { changeScan, lockedScan, scanParams } from '../moves.ts';
import { askForReading } from '../purchase-scans.jobs.ts';
import { PurchaseScan, present } from '../purchase-scans.schema.ts';
import { scanStates } from '../rules/states.ts';

export const reprocessPurchaseScan = defineOperation({
  name: 'reprocess_purchase_scan',
  method: 'POST',
  path: '/v1/purchase_scans/:purchase_scan/reprocess',
  scope: 'purchase_invoices:write',
  tag: 'purchase_scans',
  summary: 'Vuelve a leer un documento escaneado.',
  description:
    'Olvida lo leído de un documento processed o failed, y pide otra lectura; por ejemplo, después de crear su proveedor. El resultado lo da get_purchase_scan. En otro estado se rechaza (invalid_status_transition).',
  transaction: 'own',
  status: 200,
  mcp: true,
  params: scanParams,
  output: One(PurchaseScan),
  errors: [c.resource_not_found, c.invalid_status_transition],

  async handle(ctx, { params }) {
    const row = await lockedScan(ctx, params.purchase_scan);
    const status = scanStates.next(row.status, 'reprocess', { param: 'purchase_scan' });
    const waiting = await changeScan(ctx, row, 'reprocess', {
      status,
      attempts: 0,
      pages: null,
      extraction: null,
      proposal: null,
      supplier_id: null,
      supplier_candidates: [],
      possible_duplicate_ids: [],
      error: null,
      processed_at: null,
    });
    askForReading(ctx, row.id);
    return { data: present(waiting) };
  },
});
