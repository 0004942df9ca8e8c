/** A person in a company. What they may do follows from their role there, which is read anew for each call. */
import type { Caller, Tx } from '../../../kernel/operation.ts';
import { planModules, tierOf } from '../../../kernel/plans.ts';
import { findTenant, type Tenant } from '../../../platform/company-row.ts';
import { type Database, setCompanyText } from '../../../platform/db.ts';
import { FairTurns, turnRefusal, type TurnLimits } from '../../../platform/fair-turns.ts';
import { readAsEach } from '../../../platform/read-as-each.ts';
import { listCompanyIds, roleOf } from './members.store.ts';
import { type Role, scopesOfRole } from '../rules/roles.ts';
import { hasSession } from '../sign-in/sessions.ts';

/** Of one person, as shown and offered. Whoever keeps companies for others has thousands. */
const companiesMax = 2500;

/** Of one transaction, so that other callers get their turn after it. */
const atOnce = 100;

export type Membership = { company: Tenant; role: Role };

async function readMembership(tx: Tx, user_id: string, company_id: string): Promise<Membership | undefined> {
  const [role, company] = await Promise.all([roleOf(tx, user_id, company_id), findTenant(tx, company_id)]);
  return role && company?.environment === 'live' ? { company, role } : undefined;
}

/**
 * Of people with more companies than one transaction reads: such a list takes the process a quarter of a second for two thousand, and
 * a page may be asked for sixty times at once. So each has one at a time.
 */
const longLists: TurnLimits = {
  at_once: 4,
  at_once_of_company: 1,
  waiting_max: 400,
  weight_max: 400,
  wait_ms: 10_000,
};

/** @returns the live companies where somebody has a role, oldest first */
export function makeListMemberships(db: Database): (user_id: string) => Promise<Membership[]> {
  const readInEach = makeReadInEach(db);
  return async (user_id) => {
    const found = await readInEach(user_id, (tx, company_id) => readMembership(tx, user_id, company_id));
    return found.filter((membership) => membership !== undefined);
  };
}

/** @param read sends its first statements before it returns (`readAsEach`) */
export type ReadInEach = <T>(
  user_id: string,
  read: (tx: Tx, company_id: string) => Promise<T>,
) => Promise<T[]>;

/** Reads in each live company of a person, oldest first. */
export function makeReadInEach(db: Database): ReadInEach {
  const turns = new FairTurns(longLists);

  return async <T>(user_id: string, read: (tx: Tx, company_id: string) => Promise<T>) => {
    const ids = await listCompanyIds(db.index, user_id, companiesMax);
    const readAll = async () => {
      const found: T[] = [];
      for (let at = 0; at < ids.length; at += atOnce) {
        const these = ids.slice(at, at + atOnce);
        const readThese = (tx: Tx) => readAsEach(tx, these, (company_id) => read(tx, company_id));
        found.push(...(await db.read(these[0]!, readThese, { of_person: user_id })));
      }
      return found;
    };
    if (ids.length <= atOnce) return readAll();
    try {
      return await turns.take(user_id, 1, readAll);
    } catch (error) {
      throw turnRefusal(error, 2);
    }
  };
}

/**
 * @param company_id a live company or a sandbox, in any spelling; the caller has it as it is stored, as names of files and sealed values do
 * @returns undefined where they have no role, or there is no such company
 */
export async function findPersonCaller(
  db: Database,
  person: { user_id: string; name: string; ip: string; user_agent: string | null },
  company_id: string,
  now: Date,
): Promise<Caller | undefined> {
  // They may have no role there, and nobody uses up the share of a company that is not theirs.
  const share = { of_person: person.user_id };
  const opened = await db.read(company_id, (tx) => findTenant(tx, company_id), share);
  if (!opened) return undefined;
  const live_id = opened.live_company_id ?? opened.company_id;
  const membership = await db.read(live_id, (tx) => readMembership(tx, person.user_id, live_id), share);
  if (!membership) return undefined;
  const { role, company } = membership;
  const { user_id, name, ip, user_agent } = person;
  return {
    principal: { kind: 'user', id: user_id, name },
    user_id,
    role,
    key_company_id: live_id,
    owner_company_id: live_id,
    company_id: opened.company_id,
    environment: opened.environment,
    scopes: scopesOfRole(role, opened.environment),
    modules: planModules(company.plan),
    tier: tierOf(company, now),
    api_version: null,
    ip,
    user_agent,
    previous_secret: null,
  };
}

/**
 * What a caller has lost since they came, as the transaction that acts sees it. A session keeps its id at a proof. The transaction's company
 * stays.
 */
export async function lostBy(
  tx: Tx,
  company_id: string,
  { caller, session_id }: { caller: Caller; session_id: string },
  now: Date,
): Promise<'session' | 'member' | 'role' | null> {
  const { key_company_id, principal, role } = caller;
  const user_id = principal.id!;
  const [is_there, , found] = await Promise.all([
    hasSession(tx, { user_id, id: session_id }, now),
    tx.unsafe(setCompanyText(key_company_id)).execute(),
    roleOf(tx, user_id, key_company_id),
    tx.unsafe(setCompanyText(company_id)).execute(),
  ]);
  if (!is_there) return 'session';
  if (found === undefined) return 'member';
  return found === role ? null : 'role';
}
