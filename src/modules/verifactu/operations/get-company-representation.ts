import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { One } from '../../../kernel/schema.ts';
import { companyTable } from '../../../platform/company-row.ts';
import { presentRepresentation, Representation } from '../identity/representations.schema.ts';
import { findRepresentation } from '../identity/representations.store.ts';

export const getCompanyRepresentation = defineOperation({
  name: 'get_company_representation',
  method: 'GET',
  path: '/v1/verifactu/representation',
  scope: 'verifactu:read',
  tag: 'verifactu',
  summary: 'Consulta la representación que permite al servicio enviar y firmar por la empresa.',
  description:
    'Responde la representación registrada: quién la otorgó, hasta cuándo vale y si ha acabado ya. Si no hay ninguna, o se revocó, responde resource_not_found. Una representación se registra con register_company_representation y se acaba con revoke_company_representation.',
  transaction: 'read',
  company_row: companyTable,
  mcp: true,
  output: One(Representation),
  errors: [c.resource_not_found],
  examples: [{ title: 'La representación' }],

  async handle(ctx) {
    const row = await findRepresentation(ctx.tx, ctx.company.company_id);
    if (!row || row.revoked_at !== null) throw fail(c.resource_not_found);
    return { data: presentRepresentation(row, ctx) };
  },
});
