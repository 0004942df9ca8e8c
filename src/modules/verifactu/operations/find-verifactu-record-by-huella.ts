import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { One, Shape, Text } from '../../../kernel/schema.ts';
import { findByHuella } from '../records/records.reads.ts';
import { presentRecord, VerifactuRecord } from '../records/records.schema.ts';
import { findSettings } from '../settings/settings.store.ts';

export const findVerifactuRecordByHuella = defineOperation({
  name: 'find_verifactu_record_by_huella',
  method: 'POST',
  path: '/v1/verifactu/records/find-by-huella',
  scope: 'verifactu:read',
  tag: 'verifactu',
  summary: 'Busca un registro por su huella.',
  description:
    'Responde el registro que tiene esta huella: 64 cifras hexadecimales, en mayúsculas o minúsculas. Si no hay ninguno, responde resource_not_found. Con el id de la factura está get_invoice_verifactu.',
  rate: 'read',
  transaction: 'read',
  mcp: true,
  body: Shape({
    huella: Text(64, {
      minLength: 64,
      pattern: '^[0-9A-Fa-f]{64}$',
      pattern_message: 'Debe tener 64 cifras hexadecimales.',
      description: 'Huella: 64 cifras hexadecimales',
    }),
  }),
  output: One(VerifactuRecord),
  errors: [c.resource_not_found],
  examples: [{ title: 'Buscar un registro', body: { huella: '0'.repeat(64) } }],

  async handle(ctx, { body }) {
    const { tx, company } = ctx;
    const [row, settings] = await Promise.all([
      findByHuella(tx, company.company_id, body.huella.toUpperCase()),
      findSettings(tx, company.company_id),
    ]);
    if (!row) throw fail(c.resource_not_found, { param: 'huella' });
    return { data: presentRecord(row, ctx, settings?.block_reason) };
  },
});
