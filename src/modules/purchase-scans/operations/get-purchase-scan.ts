import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { One } from '../../../kernel/schema.ts';
import { scanParams } from '../moves.ts';
import { PurchaseScan, present } from '../purchase-scans.schema.ts';
import { findScan } from '../purchase-scans.store.ts';

export const getPurchaseScan = defineOperation({
  name: 'get_purchase_scan',
  method: 'GET',
  path: '/v1/purchase_scans/:purchase_scan',
  scope: 'purchase_invoices:read',
  tag: 'purchase_scans',
  summary: 'Consulta un documento escaneado.',
  description:
    'Responde lo leído de un documento escaneado, también si está archivado. proposal, si no es null, se envía a create_purchase_invoice con el id en scan_ids. Mientras status es uploaded o processing aún no se ha leído: repita la llamada más tarde. El archivo se descarga con get_purchase_scan_file.',
  transaction: 'read',
  row: 'purchase_scans',
  mcp: true,
  params: scanParams,
  output: One(PurchaseScan),
  errors: [c.resource_not_found],

  async handle({ tx, caller }, { params }) {
    const row = await findScan(tx, caller.company_id, params.purchase_scan);
    if (!row) throw fail(c.resource_not_found, { param: 'purchase_scan' });
    return { data: present(row) };
  },
});
