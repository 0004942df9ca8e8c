import type {
  OAuthClient,
  OAuthClientInput,
  OAuthClientUpdate,
  OAuthClientWithSecret,
  OAuthGrant,
} from '../../../../src/modules/oauth/oauth.schema.ts';
import { call, type ListQuery, type One, type Page, type Wire } from '../../app/operation.ts';

export type Client = Wire<typeof OAuthClient>;
export type ClientInput = Wire<typeof OAuthClientInput>;
export type SecretClient = Wire<typeof OAuthClientWithSecret>;
export type Grant = Wire<typeof OAuthGrant>;
type OfClient = { oauth_client: string };
type OfGrant = { oauth_grant: string };

export const listOAuthClients = call<{ query: ListQuery; answer: Page<Client> }>('list_oauth_clients');
export const getOAuthClient = call<{ params: OfClient; answer: One<Client> }>('get_oauth_client');
export const createOAuthClient = call<{ body: ClientInput; answer: One<SecretClient> }>(
  'create_oauth_client',
);
export const updateOAuthClient = call<{
  params: OfClient;
  body: Wire<typeof OAuthClientUpdate>;
  answer: One<Client>;
}>('update_oauth_client');
export const rotateOAuthClientSecret = call<{ params: OfClient; answer: One<SecretClient> }>(
  'rotate_oauth_client_secret',
);
export const deleteOAuthClient = call<{ params: OfClient; answer: unknown }>('delete_oauth_client');
export const listOAuthGrants = call<{ query: ListQuery & { client_id?: string }; answer: Page<Grant> }>(
  'list_oauth_grants',
);
export const getOAuthGrant = call<{ params: OfGrant; answer: One<Grant> }>('get_oauth_grant');
export const revokeOAuthGrant = call<{ params: OfGrant; answer: One<Grant> }>('revoke_oauth_grant');
