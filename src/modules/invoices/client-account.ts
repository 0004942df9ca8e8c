/** What balance and statement of a client share. */
import { commonErrors as c } from '../../kernel/common.errors.ts';
import type { Ctx } from '../../kernel/operation.ts';
import { fail } from '../../kernel/problem.ts';
import { type DocumentClient, findDocumentClient } from '../contacts/index.ts';
import { documentsMax, hasTooMany } from './client-account.store.ts';

/** @throws 404 resource_not_found, 422 business_rule_violation for a client with too many documents */
export async function accountOf({ tx, caller }: Ctx, client_id: string): Promise<DocumentClient> {
  const client = await findDocumentClient(tx, caller.company_id, client_id);
  if (!client) throw fail(c.resource_not_found, { param: 'client' });
  if (await hasTooMany(tx, caller.company_id, client_id)) {
    const reason = `el cliente tiene más de ${documentsMax} facturas o cobros, y su cuenta no se calcula.`;
    throw fail(c.business_rule_violation, { param: 'client', values: { reason } });
  }
  return client;
}
