import { defineOperation } from '../../../kernel/operation.ts';
import { One } from '../../../kernel/schema.ts';
import { companyTable } from '../../../platform/company-row.ts';
import { loadConfig, VerifactuConfig } from '../settings/config.ts';

export const getVerifactuConfig = defineOperation({
  name: 'get_verifactu_config',
  method: 'GET',
  path: '/v1/verifactu/config',
  scope: 'verifactu:read',
  tag: 'verifactu',
  summary: 'Consulta la configuración de VeriFactu.',
  description:
    'Responde si VeriFactu está activado y en qué modo, con qué certificado se envía y se firma, qué está a punto de caducar y, en block_reason, qué impide enviar los registros. alarm dice si una comprobación de integridad ha encontrado faltas. La configuración se cambia con update_verifactu_settings.',
  transaction: 'read',
  company_row: companyTable,
  mcp: true,
  output: One(VerifactuConfig),
  errors: [],
  examples: [{ title: 'La configuración' }],

  async handle(ctx) {
    return { data: await loadConfig(ctx) };
  },
});
