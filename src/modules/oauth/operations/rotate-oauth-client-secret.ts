/** The previous secret works for 24 hours of real time. Another rotation ends the older one at once. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, One, Shape, Uuid } from '../../../kernel/schema.ts';
import { hashSecret } from '../../../platform/credentials.ts';
import { type ClientRow, lockClient, saveClient } from '../clients.store.ts';
import { OAuthClientWithSecret, presentClient } from '../oauth.schema.ts';
import { clientSecretPrefix, newOAuthSecret } from '../secrets.ts';

const graceMs = 24 * 3_600_000;

export const rotateOauthClientSecret = defineOperation({
  name: 'rotate_oauth_client_secret',
  method: 'POST',
  path: '/v1/oauth/clients/:oauth_client/rotate_secret',
  scope: 'account:write',
  tag: 'oauth',
  summary: 'Da a una aplicación OAuth un secreto nuevo; el anterior vale 24 horas más.',
  description:
    'Da a una aplicación confidencial un secreto nuevo, que viene en la respuesta y no se vuelve a mostrar. El anterior sigue valiendo 24 horas, para cambiarlo sin cortes, y cada respuesta que se pide con él lo avisa; rotar otra vez dentro de ese plazo acaba al momento con el más antiguo. Una aplicación pública no tiene secreto y se rechaza (invalid_status_transition). Queda en el registro de auditoría.',
  transaction: 'own',
  environment: 'live',
  callers: ['api_key', 'user'],
  mcp: false,
  irreversible: true,
  status: 200,
  holds_secret: true,
  params: Shape({ oauth_client: Described(Uuid, 'Id de la aplicación') }),
  output: One(OAuthClientWithSecret),
  errors: [c.resource_not_found, c.invalid_status_transition],

  async handle({ tx, caller, now, realNow, audit }, { params }) {
    const { company_id } = caller;
    const stored = await lockClient(tx, company_id, params.oauth_client);
    if (!stored) throw fail(c.resource_not_found, { param: 'oauth_client' });
    if (stored.secret_hash === null) {
      const reason = 'la aplicación es pública y no tiene secreto.';
      throw fail(c.invalid_status_transition, { values: { reason } });
    }
    const secret = newOAuthSecret('client');
    const row: ClientRow = {
      ...stored,
      secret_prefix: clientSecretPrefix(secret),
      secret_hash: hashSecret(secret),
      previous_secret_hash: stored.secret_hash,
      previous_until: new Date(realNow().getTime() + graceMs),
      updated_at: now,
    };
    await saveClient(tx, company_id, row);
    audit({ action: 'oauth_client.secret_rotated', object: 'oauth_client', object_id: row.id });
    return { data: { ...presentClient(row, realNow()), secret } };
  },
});
