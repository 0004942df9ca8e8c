import type { Audience } from '../../kernel/operation.ts';
import { OAuthRefusal } from './refusal.ts';

/**
 * The resource that a token is asked for (RFC 8707). A query and a final slash are ignored, because clients send them.
 * @throws OAuthRefusal invalid_target
 */
export function resourceOf(resource: string, issuer: string): Audience {
  const plain = resource.replace(/\?.*$/s, '').replace(/\/$/, '');
  if (plain === `${issuer}/v1`) return 'v1';
  if (plain === `${issuer}/mcp`) return 'mcp';
  throw new OAuthRefusal('invalid_target', 'The resource is none of this server.');
}
