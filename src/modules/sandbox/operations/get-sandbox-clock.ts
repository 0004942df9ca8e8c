import { defineOperation } from '../../../kernel/operation.ts';
import { One } from '../../../kernel/schema.ts';
import { present, SandboxClock } from '../sandbox.schema.ts';
import { companyTable, getClock } from '../../../platform/company-row.ts';

export const getSandboxClock = defineOperation({
  name: 'get_sandbox_clock',
  method: 'GET',
  path: '/v1/sandbox/clock',
  scope: 'account:read',
  tag: 'sandbox',
  summary: 'Consulta el reloj del entorno de pruebas.',
  description:
    'Responde la hora que es en el entorno de pruebas y si su reloj está parado. Solo con claves de pruebas: una clave real recibe 403 `insufficient_scope`, porque una empresa real no tiene otro reloj que la hora. El reloj se mueve con update_sandbox_clock.',
  transaction: 'read',
  environment: 'test',
  company_row: companyTable,
  mcp: true,
  output: One(SandboxClock),
  errors: [],
  examples: [{ title: 'La hora del entorno de pruebas' }],

  async handle({ tx, caller: { company_id }, realNow }) {
    return { data: present(company_id, await getClock(tx, company_id), realNow()) };
  },
});
