import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db.ts';
import { approve, findOffers } from './approve.ts';
import { checkClientSecret, findRegisteredClient } from './find-client.ts';
import { findGrant } from './grants.store.ts';
import type { OAuthPort } from './ports.ts';
import { makeTokenIssuer } from './tokens.ts';

/** All of it is on real time. */
export function makeOAuth({ db, clock }: { db: Database; clock: Clock }): OAuthPort {
  return {
    ...makeTokenIssuer({ db, clock }),
    findClient: (client_id) => findRegisteredClient(db, client_id),
    checkSecret: (client, secret) => checkClientSecret(client, secret, clock.now()),
    findOffers: (user_id, place, asked) => findOffers(db, user_id, place, asked),
    findGrant: (tx, company_id, id) => findGrant(tx, company_id, id),
    approve: (consent, from) => approve(db, consent, from, clock.now()),
  };
}
