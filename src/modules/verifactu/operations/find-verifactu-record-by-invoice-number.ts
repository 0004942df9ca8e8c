import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { One, Shape, Text } from '../../../kernel/schema.ts';
import { findLastByNumber } from '../records/records.reads.ts';
import { presentRecord, VerifactuRecord } from '../records/records.schema.ts';
import { findSettings } from '../settings/settings.store.ts';

export const findVerifactuRecordByInvoiceNumber = defineOperation({
  name: 'find_verifactu_record_by_invoice_number',
  method: 'POST',
  path: '/v1/verifactu/records/find-by-invoice-number',
  scope: 'verifactu:read',
  tag: 'verifactu',
  summary: 'Busca un registro por el número de su factura.',
  description:
    'Busca por el número completo de la factura. De una factura puede haber varios registros (alta, subsanaciones, anulación): se responde el último. Si no hay ninguno, responde resource_not_found. Con el id de la factura está get_invoice_verifactu.',
  rate: 'read',
  transaction: 'read',
  mcp: true,
  body: Shape({
    number: Text(60, { minLength: 1, description: 'Número completo y exacto, por ejemplo F2026-000001' }),
  }),
  output: One(VerifactuRecord),
  errors: [c.resource_not_found],
  examples: [{ title: 'Buscar un registro', body: { number: 'F2026-000001' } }],

  async handle(ctx, { body }) {
    const { tx, company } = ctx;
    const [row, settings] = await Promise.all([
      findLastByNumber(tx, company.company_id, body.number),
      findSettings(tx, company.company_id),
    ]);
    if (!row) throw fail(c.resource_not_found, { param: 'number' });
    return { data: presentRecord(row, ctx, settings?.block_reason) };
  },
});
