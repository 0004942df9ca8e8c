import { defineList } from '../../../kernel/list-operation.ts';
import { pageInSteps, rangeParameters } from '../../../kernel/page.ts';
import { Described, Enum, Moment, Text, Type, Uuid } from '../../../kernel/schema.ts';
import { inTurns } from '../../../platform/give-way.ts';
import { textParameter } from '../../../platform/page-rows.ts';
import { PurchaseScan, present } from '../purchase-scans.schema.ts';
import { listScans } from '../purchase-scans.store.ts';
import { scanStatuses } from '../rules/states.ts';

export const listPurchaseScans = defineList({
  name: 'list_purchase_scans',
  path: '/v1/purchase_scans',
  scope: 'purchase_invoices:read',
  tag: 'purchase_scans',
  summary: 'Lista los documentos escaneados.',
  description:
    'Responde una página de documentos escaneados, también los archivados; los más recientes primero, si sort no dice otra cosa. Los filtros se suman: solo salen los que los cumplen todos. q busca en el nombre del archivo. supplier_id es el proveedor que se ha leído. La proposal de uno se envía a create_purchase_invoice.',
  mcp: true,
  sorts: ['created'],
  filters: {
    ...textParameter,
    status: Type.Optional(Enum(scanStatuses, { description: 'Estado' })),
    sha256: Type.Optional(Text(64, { description: 'SHA-256 del archivo, en hexadecimal y minúsculas' })),
    supplier_id: Type.Optional(Described(Uuid, 'Id del proveedor que se ha leído')),
    ...rangeParameters('created', Moment),
    ...rangeParameters('updated', Moment),
  },
  item: PurchaseScan,
  examples: [{ title: 'Los leídos', query: { status: 'processed' } }],

  async list({ tx, caller }, { query, page }) {
    const { rows, whole } = await listScans(tx, caller.company_id, query, page);
    return inTurns(pageInSteps(rows, page, present, whole));
  },
});
