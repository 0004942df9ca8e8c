/**
 * Applications that act for a person (ADR 56). Owns clients, grants, codes, refresh tokens and documents of clients; access
 * tokens are rows of the credentials.
 */
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

export { approve, type Consent, findOffers, type Offer, type Place } from './approve.ts';
export { checkClientSecret, findRegisteredClient, type OAuthClient } from './find-client.ts';
export { purgeOAuth } from './purge.ts';
export { OAuthRefusal } from './refusal.ts';
export { isChallenge } from './rules/pkce.ts';
export { allowsRedirect, redirectPlace, redirectSource, withParameters } from './rules/redirect-uris.ts';
export { resourceOf } from './rules/resource.ts';
export { groupWords, scopeWords } from './rules/scope-words.ts';
export { byGroup, dottedScope, type GrantRefusal, isSensitive, readScopes, scopeNames } from './rules/scopes.ts';
export { type From, makeTokenIssuer, type TokenAnswer, type TokenIssuer } from './tokens.ts';

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
