/**
 * Reads what an application asks a person for. Until client and redirect are known to belong together, a fault is shown to
 * the person; after that it is told to the application.
 */
import type { Audience } from '../../kernel/operation.ts';
import { isChallenge } from '../../domain/oauth/pkce.ts';
import { allowsRedirect } from '../../domain/oauth/redirect-uris.ts';
import { OAuthRefusal } from '../../domain/oauth/refusal.ts';
import { resourceOf } from '../../domain/oauth/resource.ts';
import { readScopes } from '../../domain/oauth/scopes.ts';
import type { OAuthClient } from './client-authentication.ts';
import type { Parameters } from './parameters.ts';

export type AuthorizeRequest = {
  client_id: string;
  redirect_uri: string;
  state: string | null;
  /** With a colon, macros expanded. */
  scopes: readonly string[];
  audience: Audience;
  code_challenge: string;
  /** The person proves anew who they are. */
  asks_login: boolean;
};

/** Where to tell the application. */
export type ReturnAddress = { redirect_uri: string; state: string | null };

const stateMax = 2000;

const names = [
  'response_type',
  'response_mode',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'resource',
  'prompt',
  'request',
  'request_uri',
];

/** @returns undefined unless exactly one came that is the client's */
export function redirectOf(parameters: Parameters, client: OAuthClient): string | undefined {
  const [asked, another] = parameters.all('redirect_uri');
  if (asked === undefined || another !== undefined) return undefined;
  return allowsRedirect(client.redirect_uris, asked) ? asked : undefined;
}

/** What is told back as it came. */
export function stateOf(parameters: Parameters): string | null {
  const [state, another] = parameters.all('state');
  return state === undefined || another !== undefined || state.length > stateMax ? null : state;
}

/** OpenID Connect, 3.1.2.1. */
export function readPrompts(parameters: Parameters): readonly string[] {
  return (parameters.get('prompt') ?? '').split(' ');
}

/** @throws OAuthRefusal */
export function readAuthorizeRequest(
  parameters: Parameters,
  { client_id }: OAuthClient,
  { redirect_uri, state }: ReturnAddress,
  issuer: string,
): AuthorizeRequest {
  const invalid = (description: string) => new OAuthRefusal('invalid_request', description);
  const resources = parameters.all('resource');
  if (resources.length > 1) throw new OAuthRefusal('invalid_target', 'One resource at a time.');
  const repeated = parameters.repeated(names);
  if (repeated !== undefined) throw invalid(`The parameter ${repeated} came more than once.`);
  if (parameters.get('request') !== undefined)
    throw new OAuthRefusal('request_not_supported', 'Request objects are not supported.');
  if (parameters.get('request_uri') !== undefined)
    throw new OAuthRefusal('request_uri_not_supported', 'Request objects are not supported.');
  if ((parameters.get('state') ?? '').length > stateMax)
    throw invalid(`state has more than ${stateMax} characters.`);
  const response_type = parameters.get('response_type');
  if (response_type === undefined) throw invalid('The parameter response_type is missing.');
  if (response_type !== 'code')
    throw new OAuthRefusal('unsupported_response_type', 'Only response_type=code is supported.');
  if ((parameters.get('response_mode') ?? 'query') !== 'query')
    throw invalid('Only response_mode=query is supported.');
  const code_challenge = parameters.get('code_challenge') ?? '';
  if (parameters.get('code_challenge_method') !== 'S256' || !isChallenge(code_challenge))
    throw invalid('A code_challenge of 43 characters with code_challenge_method=S256 is needed.');
  const prompts = readPrompts(parameters);
  if (prompts.includes('none')) throw new OAuthRefusal('interaction_required', 'The person is always asked.');
  const [resource] = resources;
  const audience = resource === undefined ? 'v1' : resourceOf(resource, issuer);
  const read = readScopes(parameters.get('scope'));
  if ('unknown' in read)
    throw new OAuthRefusal('invalid_scope', `No scope that can be granted: ${shown(read.unknown)}`);
  return {
    client_id,
    redirect_uri,
    state,
    scopes: read.scopes,
    audience,
    code_challenge,
    asks_login: prompts.includes('login'),
  };
}

/** Signs that a description may hold (RFC 6749, 5.2). */
function shown(name: string): string {
  return name.replace(/[^\w.:*, -]/g, '?').slice(0, 100);
}
