import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db.ts';
import { approve, findOffers } from './approve.ts';
import { deny } from './deny.ts';
import { endGrantsBeyond } from './end-grants.ts';
import { makeDocumentFinder } from './documents.ts';
import { checkClientSecret, findRegisteredClient } from './find-client.ts';
import { findGrant } from './grants.store.ts';
import { inTurns } from './in-turns.ts';
import { makeOwnGrants } from './own-grants.ts';
import type { DocumentPort, OAuthPort } from './ports.ts';
import { isDocumentAddress } from './rules/client-document.ts';
import { makeTokenIssuer } from './tokens.ts';

type Parts = { db: Database; clock: Clock; documents: DocumentPort };

/** All of it is on real time. */
export function makeOAuth({ db, clock, documents }: Parts): OAuthPort {
  const turned = inTurns(db);
  const findDocument = makeDocumentFinder({ db, clock, documents });
  return {
    ...makeTokenIssuer({ db: turned, clock }),
    ...makeOwnGrants({ db, clock }),
    findClient: (client_id, ip) =>
      isDocumentAddress(client_id) ? findDocument(client_id, ip) : findRegisteredClient(db, client_id),
    async findPresented(client_id) {
      if (isDocumentAddress(client_id)) return { client_id, type: 'public', registered: null };
      return findRegisteredClient(turned, client_id);
    },
    checkSecret: (client, secret) => checkClientSecret(client, secret, clock.now()),
    findOffers: (user_id, place, asked) => findOffers(db, user_id, place, asked),
    findGrant: (tx, company_id, id) => findGrant(tx, company_id, id),
    endGrantsBeyond,
    approve: (consent, from) => approve(db, consent, from, clock.now()),
    deny: (denial, from) => deny(db, denial, from, clock.now()),
  };
}
