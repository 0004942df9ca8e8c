/**
 * A person's consent becomes a grant and a code, in one transaction. What they may grant is checked again, because they could
 * have changed the form.
 */
import type { Audience, Environment, Tx } from '../../kernel/operation.ts';
import { planModules } from '../../kernel/plans.ts';
import { newId } from '../../kernel/uuid7.ts';
import { insertAudit } from '../../platform/audit.ts';
import { getPlan, type PlanRow } from '../../platform/company-row.ts';
import type { Database } from '../../platform/db.ts';
import { lockCompanyRow } from '../../platform/company-row.ts';
import {
  countGrantsInForce,
  type GrantRow,
  grantsMax,
  insertGrant,
  lockGrant,
  lockGrantsOfUser,
} from './grants.store.ts';
import { consenting, endGrant } from './end-grants.ts';
import { hasSession } from '../people/index.ts';
import { scopesOfPerson } from './person.ts';
import { type GrantRefusal, grantRefusal, inOrder } from '../../domain/oauth/scopes.ts';
import { newOAuthSecret } from './secrets.ts';
import { findAnswered, insertCode, isTakenUp } from './tokens.store.ts';

const codeMs = 60_000;

export type Place = {
  /** The live company. */
  company_id: string;
  environment: Environment;
};

export type Offer = { scope: string; refusal: GrantRefusal | null };

/** @returns undefined where the person has no role */
export function findOffers(
  db: Database,
  user_id: string,
  { company_id, environment }: Place,
  asked: readonly string[],
): Promise<Offer[] | undefined> {
  return db.read(company_id, async (tx) => {
    const [of_person, company] = await Promise.all([
      scopesOfPerson(tx, { user_id, company_id, environment }),
      getPlan(tx, company_id),
    ]);
    return of_person === null ? undefined : offersOf(asked, of_person, company, environment);
  });
}

function offersOf(
  asked: readonly string[],
  of_person: readonly string[],
  { plan }: PlanRow,
  environment: Environment,
): Offer[] {
  const context = { modules: planModules(plan), environment };
  return asked.map((scope) => ({ scope, refusal: grantRefusal(scope, of_person, context) }));
}

export type Consent = Place & {
  /** Of the form: it makes one grant. */
  request_id: string;
  user: { id: string; name: string };
  session_id: string;
  client: { client_id: string; name: string; host: string | null };
  audience: Audience;
  redirect_uri: string;
  code_challenge: string;
  /** What the application asked for, and what the person approved. */
  asked: readonly string[];
  approved: readonly string[];
};

/** `expired`: the session has ended. */
export type Approved = { code: string } | { refused: 'beyond' | 'answered' | 'too_many' | 'expired' };

/** Undoes what is written. */
class Answered extends Error {}

/** @param from of the request */
export async function approve(
  db: Database,
  consent: Consent,
  from: { ip: string; request_id: string },
  now: Date,
): Promise<Approved> {
  const { company_id } = consent;
  try {
    return await db.transaction(company_id, (tx) => writeConsent(tx, consent, from, now));
  } catch (error) {
    if (error instanceof Answered) return { refused: 'answered' };
    throw error;
  }
}

async function writeConsent(
  tx: Tx,
  consent: Consent,
  from: { ip: string; request_id: string },
  now: Date,
): Promise<Approved> {
  const { company_id, environment, user, session_id, client, asked, audience } = consent;
  const approved = [...new Set(consent.approved)];
  await lockCompanyRow(tx, company_id);
  // The lock may have come late (ADR 102).
  if (!(await hasSession(tx, { user_id: user.id, id: session_id }, now))) return { refused: 'expired' };
  const [of_person, company, in_force] = await Promise.all([
    scopesOfPerson(tx, { user_id: user.id, company_id, environment }),
    getPlan(tx, company_id),
    countGrantsInForce(tx, company_id, user.id),
  ]);
  const id = newId();
  const actor = consenting(user, from);
  const tell = (action: string, details: Record<string, unknown>) =>
    insertAudit(tx, company_id, actor, [{ action, object: 'oauth_grant', object_id: id, details }], now);
  const offers = of_person === null ? [] : offersOf(asked, of_person, company, environment);
  const free = new Set(offers.filter(({ refusal }) => refusal === null).map(({ scope }) => scope));
  const opens_company_id = environment === 'live' ? company_id : company.sandbox_company_id;
  if (approved.some((scope) => !free.has(scope)) || opens_company_id === null) {
    await tell('oauth_grant.refused', { client_id: client.client_id, scopes: approved.slice(0, 100) });
    return { refused: 'beyond' };
  }
  const again = await answerAgain(tx, consent, inOrder(approved), now);
  if (again) return again;
  const replaced = in_force < grantsMax ? null : await longestUnused(tx, consent);
  if (replaced === undefined) return { refused: 'too_many' };
  const grant: GrantRow = {
    company_id,
    id,
    opens_company_id,
    environment,
    audience,
    client_id: client.client_id,
    client_name: client.name,
    client_host: client.host,
    user_id: user.id,
    scopes: inOrder(approved),
    created_at: now,
    last_used_at: null,
    revoked_at: null,
  };
  if (replaced) {
    const details = { reason: 'replaced', client_id: replaced.client_id };
    await endGrant(tx, replaced, actor, { action: 'oauth_grant.ended', details }, now);
  }
  const [, code] = await Promise.all([
    insertGrant(tx, grant),
    addCode(tx, consent, { grant_id: id, request_id: consent.request_id }, now),
    tell('oauth_grant.created', { client_id: client.client_id, environment, audience, scopes: grant.scopes }),
  ]);
  if (code === undefined) throw new Answered();
  return { code };
}

/** @returns undefined when the request was answered before */
async function addCode(
  tx: Tx,
  { company_id, client, redirect_uri, code_challenge }: Consent,
  of: { grant_id: string; request_id: string },
  now: Date,
): Promise<string | undefined> {
  const code = newOAuthSecret('code');
  const expires_at = new Date(now.getTime() + codeMs);
  const { client_id } = client;
  const row = { ...of, company_id, client_id, redirect_uri, code_challenge, expires_at };
  return (await insertCode(tx, code, row)) ? code : undefined;
}

/**
 * A button was pressed twice, or an answer was lost. A browser follows the last answer alone, so until the grant is taken up each
 * has a code (ADR 100).
 * @returns undefined for the first answer
 */
async function answerAgain(
  tx: Tx,
  consent: Consent,
  scopes: readonly string[],
  now: Date,
): Promise<Approved | undefined> {
  const { company_id, environment, request_id } = consent;
  const known = await findAnswered(tx, request_id);
  if (!known) return undefined;
  const { grant_id } = known;
  const grant = known.company_id === company_id ? await lockGrant(tx, company_id, grant_id) : undefined;
  // Another answer than the first: what the person meant, only they can say.
  const is_same = grant?.environment === environment && grant.scopes.join() === scopes.join();
  if (!is_same || grant.revoked_at || (await isTakenUp(tx, known))) return { refused: 'answered' };
  const code = await addCode(tx, consent, { grant_id, request_id: newId() }, now);
  return code === undefined ? { refused: 'answered' } : { code };
}

/**
 * An application that asks anew each time it starts must not shut the person out. So at the limit the new grant takes the place of one of
 * the same application: two computers that are in use keep theirs.
 * @returns undefined where the application has none
 */
async function longestUnused(tx: Tx, { company_id, user, client }: Consent): Promise<GrantRow | undefined> {
  const grants = await lockGrantsOfUser(tx, company_id, user.id);
  const used = ({ last_used_at, created_at }: GrantRow) => (last_used_at ?? created_at).getTime();
  return grants
    .filter(({ client_id }) => client_id === client.client_id)
    .reduce<GrantRow | undefined>(
      (oldest, one) => (oldest === undefined || used(one) < used(oldest) ? one : oldest),
      undefined,
    );
}
