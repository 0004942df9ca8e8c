import { defineOperation } from '../../../kernel/operation.ts';
import { One } from '../../../kernel/schema.ts';
import { Company, present } from '../companies.schema.ts';
import { getCompany as getRow } from '../companies.store.ts';
import { tierOf } from '../../../kernel/plans.ts';

export const getCompany = defineOperation({
  name: 'get_company',
  method: 'GET',
  path: '/v1/account/company',
  scope: 'account:read',
  tag: 'account',
  summary: 'Consulta los datos y ajustes de la empresa.',
  description:
    'Responde los datos de la empresa con la que se trabaja (nombre, NIF, domicilio, logotipo, cuenta) y sus ajustes: idioma, zona horaria, IVA por omisión, recordatorios y plan. Con una clave de pruebas es la empresa de pruebas. Los datos se cambian con update_company.',
  transaction: 'read',
  company_row: 'companies',
  mcp: true,
  output: One(Company),
  errors: [],
  examples: [{ title: 'Los datos de la empresa' }],

  async handle({ tx, caller, realNow }) {
    const row = await getRow(tx, caller.company_id);
    return { data: present(row, tierOf(row, realNow())) };
  },
});
