import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { One } from '../../../kernel/schema.ts';
import { constraintOf } from '../../../platform/db.ts';
import { changeScan, lockedScan, scanParams } from '../moves.ts';
import { askForReading } from '../purchase-scans.jobs.ts';
import { PurchaseScan, present } from '../purchase-scans.schema.ts';

export const restorePurchaseScan = defineOperation({
  name: 'restore_purchase_scan',
  method: 'POST',
  path: '/v1/purchase_scans/:purchase_scan/restore',
  scope: 'purchase_invoices:write',
  tag: 'purchase_scans',
  summary: 'Recupera un documento escaneado que estaba archivado.',
  description:
    'Devuelve un documento archivado al estado que tenía. Si no se había leído, se lee ahora. Si no está archivado se rechaza (invalid_status_transition), y si entretanto se subieron los mismos bytes en otro que no está archivado, también (business_rule_violation).',
  transaction: 'own',
  status: 200,
  mcp: true,
  params: scanParams,
  output: One(PurchaseScan),
  errors: [c.resource_not_found, c.invalid_status_transition, c.business_rule_violation],

  async handle(ctx, { params }) {
    const row = await lockedScan(ctx, params.purchase_scan);
    const { status_before: status } = row;
    if (status === null) {
      const reason = 'no está archivado.';
      throw fail(c.invalid_status_transition, { param: 'purchase_scan', values: { reason } });
    }
    try {
      const restored = await changeScan(ctx, row, 'restore', {
        status,
        status_before: null,
        archived_at: null,
      });
      if (status === 'uploaded') askForReading(ctx, row.id);
      return { data: present(restored) };
    } catch (error) {
      if (constraintOf(error) !== 'purchase_scans_content') throw error;
      const reason = 'otro documento no archivado tiene los mismos bytes.';
      throw fail(c.business_rule_violation, { param: 'purchase_scan', values: { reason } });
    }
  },
});
