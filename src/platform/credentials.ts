/**
 * API keys and access tokens, found by their SHA-256. One row admits or refuses each call, so every process sees a revocation at once.
 * Query and answer are the same for every refusal.
 */
import { createHash, randomInt } from 'node:crypto';
import type { Sql } from 'postgres';
import { addressAllowed } from '../kernel/ip-ranges.ts';
import type { Audience, Environment, Tx } from '../kernel/operation.ts';
import { companyTime } from './clock.ts';

export const secretPrefixes = { live: 'svc_live_', test: 'svc_test_' } as const;

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 143 random bits. */
export function newSecret(environment: Environment): string {
  let secret: string = secretPrefixes[environment];
  for (let i = 0; i < 24; i++) secret += alphabet[randomInt(62)];
  return secret;
}

/** May be shown and logged. */
export function secretPrefix(secret: string): string {
  return secret.slice(0, 13);
}

export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret, 'utf8').digest();
}

export type Credential = {
  kind: 'api_key' | 'oauth';
  /** Null for a key, which reaches all. */
  audience: Audience | null;
  /** The person who granted a token. */
  user_id: string | null;
  /** The grant of a token. */
  key_id: string;
  key_company_id: string;
  /** Null in a row of an older version. */
  key_name: string | null;
  company_id: string;
  environment: Environment;
  scopes: string[];
  plan: string;
  boost_tier: string | null;
  boost_until: Date | null;
  api_version: string | null;
  allowed_ips: string[];
  expires_at: Date | null;
  previous_until: Date | null;
  is_revoked: boolean;
  clock_offset_ms: string;
  clock_frozen_at: Date | null;
};

/** Finds a current or previous secret. */
export async function findCredential(sql: Sql, secret: string): Promise<Credential | undefined> {
  const [row] = await sql<Credential[]>`
    select kind, audience, user_id, key_id, key_company_id, key_name, company_id, environment, scopes, plan, boost_tier, boost_until, api_version,
           allowed_ips, expires_at, previous_until, is_revoked, clock_offset_ms, clock_frozen_at
      from credentials
     where secret_hash = ${hashSecret(secret)}`;
  return row;
}

/** Names the credentials of rows from an older version of the service. */
export async function nameCredentials(tx: Tx, key_company_id: string, key_id: string): Promise<void> {
  await tx`
    update credentials c set key_name = k.name
      from api_keys k
     where c.key_company_id = ${key_company_id} and c.key_id = ${key_id} and c.key_name is null
       and k.company_id = ${key_company_id} and k.id = ${key_id}`;
}

export type Admission = 'admitted' | 'refused' | 'address_refused';

export function admit(
  credential: Credential,
  { ip, audience }: { ip: string; audience: Audience },
  real_now: Date,
): Admission {
  if (credential.audience !== null && credential.audience !== audience) return 'refused';
  const now =
    credential.kind === 'oauth'
      ? real_now
      : companyTime(
          {
            clock_offset_ms: Number(credential.clock_offset_ms),
            clock_frozen_at: credential.clock_frozen_at,
          },
          real_now,
        );
  if (credential.is_revoked) return 'refused';
  if (credential.expires_at && credential.expires_at <= now) return 'refused';
  if (credential.previous_until && credential.previous_until <= now) return 'refused';
  return addressAllowed(credential.allowed_ips, ip) ? 'admitted' : 'address_refused';
}
