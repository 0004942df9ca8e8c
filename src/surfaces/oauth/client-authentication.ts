/** Which application sends a form, and whether it proves it (RFC 6749, 2.3). */
import { OAuthRefusal } from '../../domain/oauth/refusal.ts';
import type { Ports } from '../../kernel/ports.ts';
import type { AuthFailures } from '../../platform/auth-failures.ts';
import type { Parameters } from './parameters.ts';

export type ClientProof = { client_id: string | undefined; secret: string | undefined };

const unreadable = () =>
  new OAuthRefusal('invalid_request', 'The Authorization header is not Basic with a client id and a secret.');

/** @throws OAuthRefusal for two proofs, and for a header that cannot be read */
export function readProof(authorization: string | undefined, form: Parameters): ClientProof {
  const [client_id, secret] = [form.get('client_id'), form.get('client_secret')];
  if (authorization === undefined) return { client_id, secret };
  if (secret !== undefined)
    throw new OAuthRefusal('invalid_request', 'The client proves itself in two ways.');
  const basic = readBasic(authorization);
  if (client_id !== undefined && client_id !== basic.client_id)
    throw new OAuthRefusal('invalid_request', 'The client_id of the header is not that of the body.');
  return basic;
}

function readBasic(authorization: string): ClientProof {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization)?.[1];
  if (encoded === undefined || encoded.replace(/=+$/, '').length % 4 === 1) throw unreadable();
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const at = text.indexOf(':');
  if (at < 1 || at === text.length - 1) throw unreadable();
  return { client_id: decoded(text.slice(0, at)), secret: decoded(text.slice(at + 1)) };
}

/** Both parts are form-encoded before they are joined (RFC 6749, 2.3.1). */
function decoded(text: string): string {
  try {
    const plain = decodeURIComponent(text.replaceAll('+', ' '));
    if (/^[\x20-\x7e]*$/.test(plain)) return plain;
  } catch {
    // Told below.
  }
  throw unreadable();
}

export type OAuthClient = NonNullable<Awaited<ReturnType<Ports['oauth']['findClient']>>>;

type Presented = NonNullable<Awaited<ReturnType<Ports['oauth']['findPresented']>>>;

type Parts = { failures: AuthFailures; oauth: Pick<Ports['oauth'], 'findPresented' | 'checkSecret'> };

type KnownClient = {
  client: Presented;
  /** Of a secret before the last rotation: when it stops working. */
  secret_expires_at: Date | null;
};

/** @throws OAuthRefusal; 20 refusals a minute make an address wait */
export async function authenticateClient(
  { failures, oauth }: Parts,
  { client_id, secret }: ClientProof,
  ip: string,
  now: Date,
): Promise<KnownClient> {
  if (client_id === undefined) throw new OAuthRefusal('invalid_request', 'client_id is missing.');
  const client = await oauth.findPresented(client_id);
  const checked = client && proofOf(oauth, client, secret);
  if (client && checked?.is_valid) return { client, secret_expires_at: checked.expires_at };
  const seconds = failures.blockedFor(ip, now);
  if (seconds > 0) throw new OAuthRefusal('temporarily_unavailable', 'Too many failed attempts.', seconds);
  failures.failed(ip, now);
  throw new OAuthRefusal('invalid_client', 'The client is unknown, or its authentication failed.');
}

/** A public client has no secret, so one that sends any is taken for another. */
function proofOf(oauth: Parts['oauth'], client: Presented, secret: string | undefined) {
  if (client.type === 'public') return { is_valid: secret === undefined, expires_at: null };
  return secret === undefined ? undefined : oauth.checkSecret(client, secret);
}
