import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { One } from '../../../kernel/schema.ts';
import { companyTable } from '../../../platform/company-row.ts';
import { Certificate, presentCertificate } from '../identity/certificates.schema.ts';
import { findCertificate } from '../identity/certificates.store.ts';

export const getVerifactuCertificate = defineOperation({
  name: 'get_verifactu_certificate',
  method: 'GET',
  path: '/v1/verifactu/certificate',
  scope: 'verifactu:read',
  tag: 'verifactu',
  summary: 'Consulta el certificado de la empresa.',
  description:
    'Responde de quién es el certificado con el que la empresa envía y firma, hasta cuándo vale y si se puede usar; nunca su clave. Si la empresa no ha subido ninguno, responde resource_not_found. Sin certificado propio puede enviar y firmar el servicio, con la representación de register_company_representation.',
  transaction: 'read',
  company_row: companyTable,
  mcp: true,
  output: One(Certificate),
  errors: [c.resource_not_found],

  async handle(ctx) {
    const row = await findCertificate(ctx.tx, ctx.company.company_id);
    if (!row) throw fail(c.resource_not_found);
    return { data: presentCertificate(row, ctx) };
  },
});
