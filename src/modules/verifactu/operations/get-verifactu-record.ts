import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, One, Shape, Uuid } from '../../../kernel/schema.ts';
import { findRecord } from '../records/records.reads.ts';
import { presentRecord, VerifactuRecord } from '../records/records.schema.ts';
import { findSettings } from '../settings/settings.store.ts';

export const getVerifactuRecord = defineOperation({
  name: 'get_verifactu_record',
  method: 'GET',
  path: '/v1/verifactu/records/:record',
  scope: 'verifactu:read',
  tag: 'verifactu',
  summary: 'Consulta un registro de facturación.',
  description:
    'Responde un registro de facturación: qué factura registra, su lugar en la cadena, su huella y qué ha respondido la Agencia Tributaria. can_subsanar dice si se puede corregir ahora con subsanar_verifactu_record. Si el id no es de ninguno de la empresa, responde resource_not_found.',
  transaction: 'read',
  // Nobody may change the record's own row.
  company_row: 'issuing_heads',
  mcp: true,
  params: Shape({ record: Described(Uuid, 'Id del registro') }),
  output: One(VerifactuRecord),
  errors: [c.resource_not_found],
  examples: [{ title: 'Un registro' }],

  prefetch: (tx, company_id, { params }) =>
    Promise.all([findRecord(tx, company_id, params.record), findSettings(tx, company_id)]),

  async handle(ctx, _input, [row, settings]) {
    if (!row) throw fail(c.resource_not_found, { param: 'record' });
    return { data: presentRecord(row, ctx, settings?.block_reason) };
  },
});
