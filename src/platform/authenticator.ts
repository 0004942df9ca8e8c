/** Turns a secret into a Caller. The credential's row alone admits; nothing of the company is read. */
import { commonErrors as c } from '../kernel/common.errors.ts';
import type { Audience, Caller, Tx } from '../kernel/operation.ts';
import { type PlanName, planModules, tierOf } from '../kernel/plans.ts';
import { fail, type Problem } from '../kernel/problem.ts';
import { isUuid } from '../kernel/uuid7.ts';
import { type AuditActor, insertAudit } from './audit.ts';
import type { AuthFailures } from './auth-failures.ts';
import { type Clock, companyTime } from './clock.ts';
import {
  admit,
  type Credential,
  findCredential,
  hashSecret,
  nameCredentials,
  secretPrefix,
} from './credentials.ts';
import type { Database } from './db.ts';

export type Presented = {
  /** Null when none came, undefined when unreadable. */
  secret: string | null | undefined;
  /** Of the surface: a token made for another one is refused. */
  audience: Audience;
  ip: string;
  request_id: string;
  /**
   * Looks the credential up in one pipeline with reads of the company that the secret opened last. That company is a
   * guess and decides nothing.
   */
  lookUp?: ((secret: string, company_id: string) => Promise<Credential | undefined>) | undefined;
};

/** In the logs of a managed company: its own keys may have the same names. */
const ofManager = '(empresa gestora)';

const touchMs = 60_000;
const homesMax = 100_000;

export type Authenticator = ReturnType<typeof makeAuthenticator>;

type Parts = {
  db: Database;
  clock: Clock;
  failures: AuthFailures;
  /** Runs work that must not delay the answer, and logs its failures. */
  later(work: () => Promise<unknown>): void;
};

export function makeAuthenticator({ db, clock, failures, later }: Parts) {
  const touched = new Map<string, number>();
  /** The company that a secret opened last, by the secret's hash. */
  const homes = new Map<string, string>();

  /** Notes a key's use after the answer, at most once a minute over all processes. */
  function touch(credential: Credential, now: Date): void {
    if ((touched.get(credential.key_id) ?? 0) > now.getTime() - touchMs) return;
    if (touched.size > 100_000) touched.clear();
    touched.set(credential.key_id, now.getTime());
    later(() => db.transaction(credential.key_company_id, (tx) => noteUse(tx, credential, now)));
  }

  function remember(hash: string, company_id: string): void {
    if (homes.get(hash) === company_id) return;
    if (homes.size >= homesMax) homes.clear();
    homes.set(hash, company_id);
  }

  return {
    /** The company that a secret opened last: a guess, which decides nothing. */
    guess(secret: string): string | undefined {
      return homes.get(hashSecret(secret).toString('base64'));
    },

    /** @throws 401 missing_api_key or invalid_api_key, 429 too_many_auth_failures */
    async authenticate(presented: Presented): Promise<Caller> {
      if (presented.secret === null) throw fail(c.missing_api_key);
      const secret = presented.secret ?? '';
      const now = clock.now();
      const hash = hashSecret(secret).toString('base64');
      const home = homes.get(hash);
      const credential = await (presented.lookUp && home !== undefined
        ? presented.lookUp(secret, home)
        : findCredential(db.index, secret));
      const admission = credential ? admit(credential, presented, now) : 'refused';
      if (!credential || admission !== 'admitted') {
        homes.delete(hash);
        // A sender who waits gets one answer, whatever the cause.
        const must_wait = failures.blockedFor(presented.ip, now);
        if (must_wait > 0) throw tooManyFailures(must_wait);
        failures.failed(presented.ip, now);
        if (credential && admission === 'address_refused')
          later(() =>
            db.transaction(credential.company_id, (tx) => tellRefusedAddress(tx, credential, presented, now)),
          );
        throw fail(c.invalid_api_key);
      }
      remember(hash, credential.company_id);
      db.shares.suppose(credential.company_id, credential.key_company_id);
      touch(credential, now);
      return callerOf(credential, secret, presented.ip, now);
    },

    /**
     * For a secret that was admitted: whether its row still admits it.
     * @throws 401 invalid_api_key
     */
    async refuseLost(
      tx: Tx,
      { secret, ...presented }: Pick<Presented, 'secret' | 'audience' | 'ip'>,
    ): Promise<void> {
      const credential = await findCredential(tx, secret ?? '');
      if (!credential || admit(credential, presented, clock.now()) !== 'admitted')
        throw fail(c.invalid_api_key);
    },

    /** Whether it may act for another company. */
    async hasProfiles(caller: Caller): Promise<boolean> {
      if (caller.principal.kind !== 'api_key') return false;
      const rows = await db.index`
        select 1 from company_children where company_id = ${caller.company_id} and not is_archived limit 1`;
      return rows.length > 0;
    },

    /**
     * Scopes, tier and environment stay. Only a key may: a token is for one company, a person has a role in each.
     * @throws 400 parameter_invalid_uuid, 404 profile_not_found
     */
    async actFor(caller: Caller, active_profile: string): Promise<Caller> {
      if (!isUuid(active_profile)) throw fail(c.parameter_invalid_uuid, { member: 'active_profile' });
      if (caller.principal.kind !== 'api_key') throw fail(c.profile_not_found, { member: 'active_profile' });
      const [child] = await db.index<{ child_id: string; owner_id: string }[]>`
        select child_id, owner_id from company_children
         where company_id = ${caller.company_id} and child_id = ${active_profile} and not is_archived`;
      if (!child) throw fail(c.profile_not_found, { member: 'active_profile' });
      db.shares.suppose(child.child_id, caller.key_company_id);
      const principal = { ...caller.principal, name: `${caller.principal.name} ${ofManager}` };
      return { ...caller, principal, company_id: child.child_id, owner_company_id: child.owner_id };
    },
  };
}

async function noteUse(tx: Tx, credential: Credential, now: Date): Promise<void> {
  const { key_company_id, key_id, key_name } = credential;
  const before = new Date(now.getTime() - touchMs);
  if (credential.kind === 'oauth') {
    await tx`
      update oauth_grants set last_used_at = ${now}
       where company_id = ${key_company_id} and id = ${key_id}
         and (last_used_at is null or last_used_at <= ${before})`;
    return;
  }
  await tx`
    update api_keys set last_used_at = ${now}
     where company_id = ${key_company_id} and id = ${key_id}
       and (last_used_at is null or last_used_at <= ${before})`;
  if (key_name === null) await nameCredentials(tx, key_company_id, key_id);
}

function tellRefusedAddress(
  tx: Tx,
  { company_id, key_id }: Credential,
  { ip, request_id }: Presented,
  now: Date,
): Promise<unknown> {
  const actor: AuditActor = { kind: 'system', id: null, name: 'authentication', key_id, ip, request_id };
  const entry = {
    action: 'api_key.address_refused',
    object: 'api_key',
    object_id: key_id,
    details: { ip },
  };
  return insertAudit(tx, company_id, actor, [entry], now);
}

function tooManyFailures(seconds: number): Problem {
  return fail(c.too_many_auth_failures, { retry_after_seconds: seconds, values: { seconds } });
}

function callerOf(credential: Credential, secret: string, ip: string, now: Date): Caller {
  const plan = credential.plan as PlanName;
  const clock = {
    clock_offset_ms: Number(credential.clock_offset_ms),
    clock_frozen_at: credential.clock_frozen_at,
  };
  return {
    principal: {
      kind: credential.kind,
      id: credential.key_id,
      name: credential.key_name ?? secretPrefix(secret),
    },
    user_id: credential.user_id,
    key_company_id: credential.key_company_id,
    owner_company_id: credential.key_company_id,
    company_id: credential.company_id,
    environment: credential.environment,
    scopes: credential.scopes,
    modules: planModules(plan),
    tier: tierOf(credential, now),
    api_version: credential.api_version,
    ip,
    previous_secret: previousSecretOf(credential, companyTime(clock, now)),
  };
}

/** A rotated secret stops working with its key, if the key expires before the grace is over. */
function previousSecretOf(
  { previous_until, expires_at }: Credential,
  company_now: Date,
): Caller['previous_secret'] {
  if (!previous_until) return null;
  const ends_at = expires_at && expires_at < previous_until ? expires_at : previous_until;
  const hours_left = Math.ceil((ends_at.getTime() - company_now.getTime()) / 3_600_000);
  return { expires_at: ends_at, hours_left };
}
