/**
 * The consent form carries the request as it came, sealed for one session and ten minutes, so that nothing is stored.
 * Nobody can change it, and it opens for nobody else.
 */
import type { Environment } from '../../kernel/operation.ts';
import type { Ports } from '../../kernel/ports.ts';
import type { Session } from '../people/guard.ts';

export type SealedRequest = {
  query: string;
  /** It makes one grant (ADR 100). */
  request_id: string;
  made_at: number;
  /** What the page showed. */
  company_id: string;
  environment: Environment;
};

/** What a person ticked before they were asked who they are. An application that made one up could tick for them. */
export type SealedChoice = {
  made_at: number;
  /** Scopes whose box is not as the page first shows it. */
  changed: readonly string[];
};

const lifeMs = 10 * 60_000;

type Kind = 'oauth_requests' | 'oauth_choices';
type Secrets = Ports['secrets'];

const placeOf = (table: Kind, { id }: Session) => ({ table, company_id: null, id });

const sealAs =
  <T extends { made_at: number }>(table: Kind) =>
  (secrets: Secrets, value: T, session: Session): string =>
    secrets.seal(JSON.stringify(value), placeOf(table, session)).toString('base64url');

const openAs =
  <T extends { made_at: number }>(table: Kind) =>
  (secrets: Secrets, text: string | undefined, session: Session, now: Date): T | undefined => {
    try {
      const opened = secrets.open(Buffer.from(text ?? '', 'base64url'), placeOf(table, session));
      const value = JSON.parse(opened) as T;
      return now.getTime() - value.made_at <= lifeMs ? value : undefined;
    } catch {
      return undefined;
    }
  };

export const sealRequest = sealAs<SealedRequest>('oauth_requests');
export const openRequest = openAs<SealedRequest>('oauth_requests');
export const sealChoice = sealAs<SealedChoice>('oauth_choices');
export const openChoice = openAs<SealedChoice>('oauth_choices');
