/**
 * Applications that act for a person (ADR 56). Owns clients, grants, codes, refresh tokens and documents of clients; access
 * tokens are rows of the credentials.
 */
import type {} from './ports.ts';
import type { Operation } from '../../kernel/operation.ts';
import { createOauthClient } from './operations/create-oauth-client.ts';
import { deleteOauthClient } from './operations/delete-oauth-client.ts';
import { getOauthClient } from './operations/get-oauth-client.ts';
import { getOauthGrant } from './operations/get-oauth-grant.ts';
import { listOauthClients } from './operations/list-oauth-clients.ts';
import { listOauthGrants } from './operations/list-oauth-grants.ts';
import { revokeOauthGrant } from './operations/revoke-oauth-grant.ts';
import { rotateOauthClientSecret } from './operations/rotate-oauth-client-secret.ts';
import { updateOauthClient } from './operations/update-oauth-client.ts';

export { endGrantsBeyond } from './end-grants.ts';
export { makeOAuth } from './make-oauth.ts';
export { purgeOAuth } from './purge.ts';

export const oauthOperations: readonly Operation[] = [
  listOauthClients,
  createOauthClient,
  getOauthClient,
  updateOauthClient,
  rotateOauthClientSecret,
  deleteOauthClient,
  listOauthGrants,
  getOauthGrant,
  revokeOauthGrant,
];
