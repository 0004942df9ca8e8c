import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { One, Shape, Text } from '../../../kernel/schema.ts';
import { findLastByCsv } from '../records/records.reads.ts';
import { presentRecord, VerifactuRecord } from '../records/records.schema.ts';
import { findSettings } from '../settings/settings.store.ts';

export const findVerifactuRecordByCsv = defineOperation({
  name: 'find_verifactu_record_by_csv',
  method: 'POST',
  path: '/v1/verifactu/records/find-by-csv',
  scope: 'verifactu:read',
  tag: 'verifactu',
  summary: 'Busca un registro por su CSV.',
  description:
    'Busca por el código seguro de verificación (CSV) que dio la Agencia Tributaria. Es el de un envío, que lleva hasta 1.000 registros: se responde el último de ellos en la cadena. Si no hay ninguno, responde resource_not_found.',
  rate: 'read',
  transaction: 'read',
  mcp: true,
  body: Shape({ csv: Text(64, { minLength: 1, description: 'Código seguro de verificación del envío' }) }),
  output: One(VerifactuRecord),
  errors: [c.resource_not_found],
  examples: [{ title: 'Buscar un registro', body: { csv: 'A-0000000000001' } }],

  async handle(ctx, { body }) {
    const { tx, company } = ctx;
    const [row, settings] = await Promise.all([
      findLastByCsv(tx, company.company_id, body.csv.trim()),
      findSettings(tx, company.company_id),
    ]);
    if (!row) throw fail(c.resource_not_found, { param: 'csv' });
    return { data: presentRecord(row, ctx, settings?.block_reason) };
  },
});
