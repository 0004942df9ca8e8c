import { defineList } from '../../../kernel/list-operation.ts';
import { pageAnswer, rangeParameters } from '../../../kernel/page.ts';
import { Text, Moment, Type } from '../../../kernel/schema.ts';
import { AuditEntry, presentAudit } from '../audit.schema.ts';
import { listAudit, nameActors } from '../audit.store.ts';

export const listAuditLog = defineList({
  name: 'list_audit_log',
  path: '/v1/audit-log',
  scope: 'account:read',
  tag: 'account',
  summary: 'Lista el registro de auditoría.',
  description:
    'Responde una página de lo que se ha hecho con claves, ajustes, certificados, registros de VeriFactu, webhooks y la manera de entrar de sus miembros, lo más reciente primero: qué, quién y cuándo. El entorno de pruebas tiene el suyo. Nadie puede cambiarlo ni borrarlo por la API.',
  mcp: false,
  filters: {
    action: Type.Optional(Text(100, { description: 'Acción exacta, por ejemplo api_key.created' })),
    ...rangeParameters('created', Moment),
    ...rangeParameters('updated', Moment),
  },
  item: AuditEntry,
  examples: [{ title: 'Lo último', query: { limit: '2' } }],

  async list({ tx, caller }, { query, page }) {
    const rows = await listAudit(tx, caller.company_id, page, query);
    const named = await nameActors(tx, caller.owner_company_id, rows);
    return pageAnswer(named, page, presentAudit);
  },
});
