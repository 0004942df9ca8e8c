/** What a person granted, in all their companies: whoever sets a new password sees what goes on, and ends it in one move. */
import type { Tx } from '../../kernel/operation.ts';
import { insertAudit } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db.ts';
import { hasSession, makeReadInEach } from '../people/index.ts';
import { consenting } from './end-grants.ts';
import { endGrants, findGrantsOfUser, type GrantRow, lockGrantsOfUser } from './grants.store.ts';
import { presentGrant } from './oauth.schema.ts';

/** A page shows no more, and says so (web/src/pages/me/grants.tsx). All of them end together. */
const shownMax = 200;

export type OwnGrant = ReturnType<typeof presentGrant> & { company_id: string };

export type OwnGrants = {
  /** Of what is in force, in all companies of the person: the newest ones. */
  listOwnGrants(user: { id: string; name: string }): Promise<OwnGrant[]>;
  /** The names of the applications, each once, that of the newest grant first. */
  applicationsOf(user_id: string): Promise<string[]>;
  /**
   * Ends all of it, company by company. What breaks off is finished by the next call.
   * @returns how many ended
   * @throws what `gone` makes, where the session has ended
   */
  endOwnGrants(who: Ending, from: { ip: string; request_id: string }): Promise<number>;
};

type Ending = { user: { id: string; name: string }; session_id: string; gone(): Error };

export function makeOwnGrants({ db, clock }: { db: Database; clock: Clock }): OwnGrants {
  const readInEach = makeReadInEach(db);

  /** The newest first: what somebody else allowed in this person's name is among those. */
  async function findAll(user_id: string): Promise<GrantRow[]> {
    const found = await readInEach(user_id, (tx, company_id) => findGrantsOfUser(tx, company_id, user_id));
    return found.flat().sort((a, b) => (a.id < b.id ? 1 : -1));
  }

  async function endIn(
    tx: Tx,
    company_id: string,
    { user, session_id, gone }: Ending,
    from: { ip: string; request_id: string },
  ): Promise<number> {
    const now = clock.now();
    const grants = await lockGrantsOfUser(tx, company_id, user.id);
    if (!(await hasSession(tx, { user_id: user.id, id: session_id }, now))) throw gone();
    const ids = grants.map(({ id }) => id);
    const entries = ids.map((object_id) => ({
      action: 'oauth_grant.revoked',
      object: 'oauth_grant',
      object_id,
      details: { reason: null },
    }));
    await endGrants(tx, company_id, ids, now);
    await insertAudit(tx, company_id, consenting(user, from), entries, now);
    return ids.length;
  }

  return {
    async listOwnGrants(user) {
      const names = new Map([[user.id, user.name]]);
      const rows = (await findAll(user.id)).slice(0, shownMax);
      return rows.map((row) => ({ company_id: row.company_id, ...presentGrant(row, names) }));
    },
    async applicationsOf(user_id) {
      return [...new Set((await findAll(user_id)).map(({ client_name }) => client_name))];
    },
    async endOwnGrants(who, from) {
      const companies = new Set((await findAll(who.user.id)).map(({ company_id }) => company_id));
      let ended = 0;
      for (const company_id of companies)
        ended += await db.transaction(company_id, (tx) => endIn(tx, company_id, who, from));
      return ended;
    },
  };
}
