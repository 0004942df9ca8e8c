/**
 * The consent form carries the request as it came, sealed for one session and ten minutes, so that nothing is stored.
 * Nobody can change it, and it opens for nobody else.
 */
import type { Environment } from '../../kernel/operation.ts';
import type { Ports } from '../../kernel/ports.ts';
import type { Session } from '../people/guard.ts';

export type SealedRequest = {
  query: string;
  /** It is answered once. */
  request_id: string;
  made_at: number;
  /** What the page showed. */
  company_id: string;
  environment: Environment;
};

const lifeMs = 10 * 60_000;

const placeOf = ({ id }: Session) => ({ table: 'oauth_requests', company_id: null, id });

export function sealRequest(secrets: Ports['secrets'], request: SealedRequest, session: Session): string {
  return secrets.seal(JSON.stringify(request), placeOf(session)).toString('base64url');
}

export function openRequest(
  secrets: Ports['secrets'],
  text: string | undefined,
  session: Session,
  now: Date,
): SealedRequest | undefined {
  try {
    const opened = secrets.open(Buffer.from(text ?? '', 'base64url'), placeOf(session));
    const request = JSON.parse(opened) as SealedRequest;
    return now.getTime() - request.made_at <= lifeMs ? request : undefined;
  } catch {
    return undefined;
  }
}
