/**
 * A person's consent becomes a grant and a code, in one transaction. What they may grant is checked again, because they could
 * have changed the form.
 */
import type { Audience, Environment, Tx } from '../../kernel/operation.ts';
import { planModules } from '../../kernel/plans.ts';
import { newId } from '../../kernel/uuid7.ts';
import { type AuditActor, insertAudit } from '../../platform/audit.ts';
import { getPlan, type PlanRow } from '../../platform/company-row.ts';
import type { Database } from '../../platform/db.ts';
import { lockCompanyRow } from '../../platform/company-row.ts';
import {
  countGrantsInForce,
  endGrants,
  type GrantRow,
  insertGrant,
  lockGrantsOfUser,
} from './grants.store.ts';
import { scopesOfPerson } from './person.ts';
import { type GrantRefusal, grantRefusal, inOrder } from '../../domain/oauth/scopes.ts';
import { newOAuthSecret } from './secrets.ts';
import { insertCode } from './tokens.store.ts';

const codeMs = 60_000;
/** In force, of one person in one company. */
const grantsMax = 200;

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
  /** Of the form: it is answered once. */
  request_id: string;
  user: { id: string; name: string };
  client: { client_id: string; name: string; host: string | null };
  audience: Audience;
  redirect_uri: string;
  code_challenge: string;
  /** What the application asked for, and what the person approved. */
  asked: readonly string[];
  approved: readonly string[];
};

export type Approved = { code: string } | { refused: 'beyond' | 'answered' | 'too_many' };

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
  const { company_id, environment, user, client, asked, audience } = consent;
  const approved = [...new Set(consent.approved)];
  await lockCompanyRow(tx, company_id);
  const [of_person, company, in_force] = await Promise.all([
    scopesOfPerson(tx, { user_id: user.id, company_id, environment }),
    getPlan(tx, company_id),
    countGrantsInForce(tx, company_id, user.id),
  ]);
  const id = newId();
  const actor = {
    kind: 'user',
    id: user.id,
    name: user.name,
    key_id: null,
    user_id: user.id,
    ...from,
  } as const;
  const tell = (action: string, details: Record<string, unknown>) =>
    insertAudit(tx, company_id, actor, [{ action, object: 'oauth_grant', object_id: id, details }], now);
  const offers = of_person === null ? [] : offersOf(asked, of_person, company, environment);
  const free = new Set(offers.filter(({ refusal }) => refusal === null).map(({ scope }) => scope));
  const opens_company_id = environment === 'live' ? company_id : company.sandbox_company_id;
  if (approved.some((scope) => !free.has(scope)) || opens_company_id === null) {
    await tell('oauth_grant.refused', { client_id: client.client_id, scopes: approved.slice(0, 100) });
    return { refused: 'beyond' };
  }
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
  const code = newOAuthSecret('code');
  if (replaced) await endReplaced(tx, replaced, actor, now);
  const [, is_first] = await Promise.all([
    insertGrant(tx, grant),
    insertCode(tx, code, {
      company_id,
      grant_id: id,
      client_id: client.client_id,
      redirect_uri: consent.redirect_uri,
      code_challenge: consent.code_challenge,
      request_id: consent.request_id,
      expires_at: new Date(now.getTime() + codeMs),
    }),
    tell('oauth_grant.created', { client_id: client.client_id, environment, audience, scopes: grant.scopes }),
  ]);
  if (!is_first) throw new Answered();
  return { code };
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

async function endReplaced(
  tx: Tx,
  { company_id, id, client_id }: GrantRow,
  actor: AuditActor,
  now: Date,
): Promise<void> {
  const details = { reason: 'replaced', client_id };
  const entry = { action: 'oauth_grant.ended', object: 'oauth_grant', object_id: id, details };
  await Promise.all([endGrants(tx, company_id, [id], now), insertAudit(tx, company_id, actor, [entry], now)]);
}
