/**
 * Lists the audit log: who did what to keys and settings. A sandbox has its own, with the actions of test
 * keys.
 */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { pageAnswer, pageParameters, rangeParameters, readPage } from '../../../kernel/page.ts';
import { Page, Shape, Text, Timestamp, Type } from '../../../kernel/schema.ts';
import { AuditEntry, presentAudit } from '../audit.schema.ts';
import { listAudit, nameActors } from '../audit.store.ts';

export const listAuditLog = defineOperation({
  name: 'list_audit_log',
  method: 'GET',
  path: '/v1/audit-log',
  scope: 'account:read',
  tag: 'account',
  summary: 'Lista el registro de auditoría.',
  description:
    'Responde una página de lo que se ha hecho con claves, ajustes, certificados, registros de VeriFactu y webhooks, lo más reciente primero: qué, quién y cuándo. El entorno de pruebas tiene el suyo. Nadie puede cambiarlo ni borrarlo por la API.',
  transaction: 'read',
  mcp: false,
  query: Shape({
    action: Type.Optional(Text(100, { description: 'Acción exacta, por ejemplo api_key.created' })),
    ...rangeParameters('created', Timestamp),
    ...pageParameters,
  }),
  output: Page(AuditEntry),
  errors: [c.parameter_invalid_cursor],
  examples: [{ title: 'Lo último', query: { limit: '2' } }],

  async handle({ tx, caller }, { query }) {
    const page = readPage(query);
    const rows = await listAudit(tx, caller.company_id, page, query);
    const named = await nameActors(tx, caller.owner_company_id, rows);
    return pageAnswer(named, page, presentAudit);
  },
});
