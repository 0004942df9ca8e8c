import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { type Ctx, defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { One, Shape, Type } from '../../../kernel/schema.ts';
import { changeScan, lockedScan, scanParams } from '../moves.ts';
import { PurchaseScan, present } from '../purchase-scans.schema.ts';
import { findScan } from '../purchase-scans.store.ts';
import type { ReadableStatus } from '../rules/states.ts';
import { scanStates } from '../rules/states.ts';

export const archivePurchaseScan = defineOperation({
  name: 'archive_purchase_scan',
  method: 'DELETE',
  path: '/v1/purchase_scans/:purchase_scan',
  scope: 'purchase_invoices:delete',
  tag: 'purchase_scans',
  summary: 'Archiva un documento escaneado.',
  description:
    'Archiva un documento; el archivo se conserva, y restore_purchase_scan lo recupera. expected_version es la versión que se leyó: si ha cambiado, se rechaza (version_conflict). Mientras se está leyendo, si ya está archivado, o si está unido a una factura de compra que no es un borrador, se rechaza (invalid_status_transition). Idempotency-Key es obligatoria, de 16 a 128 caracteres: sin ella, missing_required_param.',
  transaction: 'own',
  mcp: true,
  effects: 'withdraw',
  idempotency: 'required',
  idempotency_length: { min: 16, max: 128 },
  params: scanParams,
  query: Shape({
    expected_version: Type.Integer({ minimum: 1, description: 'Versión del documento que se leyó' }),
  }),
  output: One(PurchaseScan),
  errors: [c.resource_not_found, c.invalid_status_transition, c.version_conflict, c.missing_required_param],
  examples: [{ title: 'Archivar lo que se leyó en la versión 3', query: { expected_version: '3' } }],

  async handle(ctx, { params, query }) {
    const is_kept = await isKept(ctx, params.purchase_scan);
    const row = await lockedScan(ctx, params.purchase_scan);
    if (is_kept) {
      const reason = 'está unido a una factura de compra que ya no es un borrador.';
      throw fail(c.invalid_status_transition, { param: 'purchase_scan', values: { reason } });
    }
    const status = scanStates.next(row.status, 'archive', { param: 'purchase_scan' });
    if (query.expected_version !== row.version) throw fail(c.version_conflict, { param: 'expected_version' });
    const archived = await changeScan(ctx, row, 'archive', {
      status,
      status_before: row.status as ReadableStatus,
      archived_at: ctx.now,
    });
    return { data: present(archived) };
  },
});

/** Purchases are locked before their scans, here as where they are linked. */
async function isKept({ tx, company, ports }: Ctx, id: string): Promise<boolean> {
  const { company_id } = company;
  const { purchase_invoice_id = null } = (await findScan(tx, company_id, id)) ?? {};
  if (purchase_invoice_id === null) return false;
  return ports.scan_uses.isReceived(tx, company_id, purchase_invoice_id);
}
