/** The last billing record of an invoice, with its QR and legend. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, Nullable, One, Shape, Type, Uuid } from '../../../kernel/schema.ts';
import { qrPng } from '../../../platform/qr-png.ts';
import {
  findLastOfInvoice,
  findSettings,
  Legend,
  legendOf,
  presentRecord,
  recordFields,
} from '../../verifactu/index.ts';

export const getInvoiceVerifactu = defineOperation({
  name: 'get_invoice_verifactu',
  method: 'GET',
  path: '/v1/invoices/:invoice/verifactu',
  scope: 'verifactu:read',
  tag: 'invoices',
  summary: 'Consulta el registro de facturación de una factura, con su QR.',
  description:
    'Responde el último registro de la factura: el de su alta, el de su subsanación o el de su anulación, con su estado y su QR. Una factura sin registro (un borrador, o emitida con VeriFactu desactivado) responde resource_not_found. Si se ha rechazado, aeat_error_message dice por qué; con can_subsanar a true se corrige con subsanar_verifactu_record y el id del registro.',
  transaction: 'read',
  mcp: true,
  params: Shape({ invoice: Described(Uuid, 'Id de la factura') }),
  output: One(
    Type.Object({
      ...recordFields,
      qr_png_base64: Nullable(Type.String({ description: 'El QR como imagen PNG' })),
      legend: Legend,
    }),
  ),
  errors: [c.resource_not_found],
  examples: [{ title: 'El registro de una factura' }],

  prefetch: (tx, company_id, { params }) =>
    Promise.all([findLastOfInvoice(tx, company_id, params.invoice), findSettings(tx, company_id)]),

  async handle(ctx, _input, [row, settings]) {
    if (!row) throw fail(c.resource_not_found, { param: 'invoice' });
    return {
      data: {
        ...presentRecord(row, ctx, settings?.block_reason),
        qr_png_base64: row.qr_url === null ? null : qrPng(row.qr_url).toString('base64'),
        legend: legendOf(row),
      },
    };
  },
});
