/** Only this answer and that of a rotation contain the secret. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { refuseIssues } from '../../../kernel/resource-input.ts';
import { One } from '../../../kernel/schema.ts';
import { newId } from '../../../kernel/uuid7.ts';
import { hashSecret } from '../../../platform/credentials.ts';
import { type ClientRow, countClients, insertClient } from '../clients.store.ts';
import { OAuthClientInput, OAuthClientWithSecret, presentClient } from '../oauth.schema.ts';
import { nameIssues, redirectIssues, websiteIssues } from '../rules/client-fields.ts';
import { clientSecretPrefix, newClientId, newOAuthSecret } from '../secrets.ts';

const clientsMax = 50;

export const createOauthClient = defineOperation({
  name: 'create_oauth_client',
  method: 'POST',
  path: '/v1/oauth/clients',
  scope: 'account:write',
  tag: 'oauth',
  summary: 'Registra una aplicación OAuth.',
  description:
    'Registra una aplicación que actuará en nombre de las personas que la autoricen, de esta o de cualquier otra empresa. La respuesta lleva su client_id y, si es confidencial, el secreto, que no se vuelve a mostrar. Se rechaza una dirección de vuelta que no vale (parameter_invalid) y la aplicación número 51 de una empresa (business_rule_violation). Queda en el registro de auditoría.',
  transaction: 'own',
  environment: 'live',
  callers: ['api_key', 'user'],
  mcp: false,
  holds_secret: true,
  body: OAuthClientInput,
  output: One(OAuthClientWithSecret),
  errors: [c.business_rule_violation],
  examples: [
    {
      title: 'Una aplicación de servidor',
      body: {
        name: 'Gestoría en línea',
        type: 'confidential',
        redirect_uris: ['https://gestoria.example.com/folio/vuelta'],
        website: 'https://gestoria.example.com',
      },
    },
  ],

  async handle({ tx, caller, now, realNow, audit }, { body }) {
    const { company_id } = caller;
    const { name, type, redirect_uris, website = null } = body;
    refuseIssues([...nameIssues(name), ...redirectIssues(redirect_uris, type), ...websiteIssues(website)]);
    if ((await countClients(tx, company_id)) >= clientsMax) {
      const reason = `una empresa tiene ${clientsMax} aplicaciones OAuth como máximo.`;
      throw fail(c.business_rule_violation, { values: { reason } });
    }
    const secret = type === 'confidential' ? newOAuthSecret('client') : null;
    const row: ClientRow = {
      id: newId(),
      client_id: newClientId(),
      name,
      type,
      redirect_uris,
      website,
      secret_prefix: secret && clientSecretPrefix(secret),
      secret_hash: secret === null ? null : hashSecret(secret),
      previous_secret_hash: null,
      previous_until: null,
      created_at: now,
      updated_at: now,
    };
    await insertClient(tx, company_id, row);
    audit({
      action: 'oauth_client.created',
      object: 'oauth_client',
      object_id: row.id,
      details: { client_id: row.client_id, type },
    });
    return { data: { ...presentClient(row, realNow()), ...(secret === null ? {} : { secret }) } };
  },
});
