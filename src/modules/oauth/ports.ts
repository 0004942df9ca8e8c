/** What the pages and forms of the authorization server use: surfaces know no module. */
import type { Approved, Consent, Offer, Place } from './approve.ts';
import type { Denial } from './deny.ts';
import type { Tx } from '../../kernel/operation.ts';
import type { GrantRow } from './grants.store.ts';
import type { OAuthClient, SecretCheck } from './find-client.ts';
import type { OwnGrants } from './own-grants.ts';
import type { TokenIssuer } from './tokens.ts';

export type OAuthPort = TokenIssuer &
  OwnGrants & {
    /** With its name and redirects. @param ip whose share of the fetches of documents is spent */
    findClient(client_id: string, ip: string): Promise<OAuthClient | undefined>;
    /** For a proof alone: a document has no secret, so it is not asked. */
    findPresented(
      client_id: string,
    ): Promise<Pick<OAuthClient, 'client_id' | 'type' | 'registered'> | undefined>;
    checkSecret(client: Pick<OAuthClient, 'registered'>, secret: string): SecretCheck;
    /** Which of the scopes asked for a person may grant in a place. @returns undefined where they have no role */
    findOffers(user_id: string, place: Place, asked: readonly string[]): Promise<Offer[] | undefined>;
    /** In a transaction of the live company. */
    findGrant(tx: Tx, company_id: string, id: string): Promise<GrantRow | undefined>;
    /** For whoever changes what a person may do (end-grants.ts). The company's row is locked first. */
    endGrantsBeyond(tx: Tx, of: { company_id: string; user_id: string }, now: Date): Promise<string[]>;
    approve(consent: Consent, from: { ip: string; request_id: string }): Promise<Approved>;
    /** Ends what an earlier answer on the same page has granted. */
    deny(denial: Denial, from: { ip: string; request_id: string }): Promise<void>;
  };

export type FetchedDocument = { bytes: Buffer; cache_control: string };

export type DocumentPort = {
  /**
   * GET over HTTPS, with the guard of receivers. Follows no redirect and never throws.
   * @returns undefined for all but a 200 within `bytes_max`
   */
  fetchDocument(
    url: string,
    bounds: { timeout_ms: number; bytes_max: number },
  ): Promise<FetchedDocument | undefined>;
};

declare module '../../kernel/ports.ts' {
  interface Ports {
    client_documents: DocumentPort;
    oauth: OAuthPort;
  }
}
