/**
 * SQL of keys and credentials. Key rows belong to the live company. A credential is found by its secret's
 * hash alone and holds all that admits a caller.
 */
import type { Sql } from 'postgres';
import type { Environment, Tx } from '../../kernel/operation.ts';
import type { PageRequest } from '../../kernel/page.ts';
import { tierOf } from '../../kernel/plans.ts';
import { type CompanyClock, companyTime } from '../../platform/clock.ts';
import { type Clocks, getPlan, lockCompanyRow, type PlanRow } from '../../platform/company-row.ts';
import { hashSecret } from '../../platform/credentials.ts';
import { rangeCondition, readPageRows } from '../../platform/page-rows.ts';

/** A company that rotates its keys leaves many revoked ones behind. */
const listedMost = 10_000;

export type ApiKeyRow = {
  id: string;
  company_id: string;
  opens_company_id: string;
  environment: Environment;
  name: string;
  prefix: string;
  scopes: string[];
  allowed_ips: string[];
  api_version: string | null;
  created_at: Date;
  last_used_at: Date | null;
  expires_at: Date | null;
  revoked_at: Date | null;
};

export type CompanyTier = PlanRow & { tier: string };

export async function getCompanyTier(tx: Tx, company_id: string, now: Date): Promise<CompanyTier> {
  const row = await getPlan(tx, company_id);
  return { ...row, tier: tierOf(row, now) };
}

export async function findApiKey(tx: Tx, company_id: string, id: string, environments: readonly string[]) {
  const [row] = await tx<ApiKeyRow[]>`
    select * from api_keys where company_id = ${company_id} and id = ${id} and environment = any(${environments as string[]})`;
  return row;
}

/** Rotations and revocations of a key wait for one another. */
export async function lockApiKey(tx: Tx, company_id: string, id: string, environments: readonly string[]) {
  const [row] = await tx<ApiKeyRow[]>`
    select * from api_keys
     where company_id = ${company_id} and id = ${id} and environment = any(${environments as string[]})
       for update`;
  return row;
}

/** Read from the credentials, so that a sandbox may read them too. */
export async function findKeyNames(
  tx: Tx,
  key_company_id: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await tx<{ key_id: string; key_name: string }[]>`
    select distinct key_id, key_name from credentials
     where key_company_id = ${key_company_id} and key_id = any(${ids as string[]}::uuid[]) and key_name is not null`;
  return new Map(rows.map((row) => [row.key_id, row.key_name]));
}

/** The primary key serves the order. */
export function listApiKeys(
  tx: Tx,
  company_id: string,
  environments: readonly string[],
  page: PageRequest,
  filter: Readonly<Record<string, unknown>> = {},
): Promise<ApiKeyRow[]> {
  const of = tx`and t.environment = any(${environments as string[]})`;
  return readPageRows(tx, company_id, page, {
    table: 'api_keys',
    of,
    where: tx`${of} ${rangeCondition(tx, 't.created_at', filter, 'created')}
              ${rangeCondition(tx, 'greatest(t.created_at, t.rotated_at, t.revoked_at)', filter, 'updated')}`,
  });
}

/** For the operator: those of the sandbox and the revoked ones too, oldest first. */
export function listAllKeys(tx: Tx, company_id: string): Promise<ApiKeyRow[]> {
  return tx<ApiKeyRow[]>`
    select * from api_keys where company_id = ${company_id} order by id limit ${listedMost}`;
}

/**
 * A key of a sandbox expires by the clock of the sandbox, which its credential knows.
 * @param real_now for all other keys
 * @returns the time that decides of a key
 */
export async function readKeyTimes(
  tx: Tx,
  key_company_id: string,
  keys: readonly ApiKeyRow[],
  real_now: Date,
): Promise<(key: Pick<ApiKeyRow, 'id'>) => Date> {
  const ids = keys.flatMap((key) => (key.environment === 'test' && key.expires_at !== null ? key.id : []));
  const rows =
    ids.length === 0
      ? []
      : await tx<({ key_id: string } & Clocks)[]>`
          select key_id, clock_offset_ms, clock_frozen_at from credentials
           where key_company_id = ${key_company_id} and key_id = any(${ids}::uuid[])`;
  const times = new Map(
    rows.map(({ key_id, clock_offset_ms, clock_frozen_at }) => {
      const clock = { clock_offset_ms: Number(clock_offset_ms), clock_frozen_at };
      return [key_id, companyTime(clock, real_now)];
    }),
  );
  return ({ id }) => times.get(id) ?? real_now;
}

/** Locks the company, so that the limit holds. The index api_keys_in_force serves it. */
export async function countKeysInForce(tx: Tx, company_id: string, now: Date): Promise<number> {
  await lockCompanyRow(tx, company_id);
  const [row] = await tx<{ count: number }[]>`
    select count(*)::integer as count from api_keys
     where company_id = ${company_id} and revoked_at is null and (expires_at is null or expires_at > ${now})`;
  return row?.count ?? 0;
}

export type NewKeyRow = Omit<ApiKeyRow, 'last_used_at' | 'revoked_at'> & { created_by_key_id: string | null };

export async function insertApiKey(
  tx: Tx,
  row: NewKeyRow,
  secret: string,
  company: PlanRow,
  clock: Clocks,
): Promise<void> {
  await Promise.all([
    tx`insert into api_keys (company_id, id, opens_company_id, environment, name, prefix, scopes, allowed_ips,
                             api_version, created_by_key_id, created_at, expires_at)
       values (${row.company_id}, ${row.id}, ${row.opens_company_id}, ${row.environment}, ${row.name}, ${row.prefix},
               ${row.scopes}, ${row.allowed_ips}, ${row.api_version}, ${row.created_by_key_id}, ${row.created_at},
               ${row.expires_at})`,
    tx`insert into credentials (secret_hash, key_id, key_company_id, key_name, company_id, environment, scopes, plan, boost_tier,
                                boost_until, api_version, allowed_ips, expires_at, clock_offset_ms, clock_frozen_at)
       values (${hashSecret(secret)}, ${row.id}, ${row.company_id}, ${row.name}, ${row.opens_company_id}, ${row.environment},
               ${row.scopes}, ${company.plan}, ${company.boost_tier}, ${company.boost_until}, ${row.api_version},
               ${row.allowed_ips}, ${row.expires_at}, ${clock.clock_offset_ms}, ${clock.clock_frozen_at})`,
  ]);
}

/** Of the older secrets only the last stays, until `previous_until`. Lock the key first. */
export async function replaceSecret(
  tx: Tx,
  key: ApiKeyRow,
  secret: string,
  prefix: string,
  previous_until: Date,
  now: Date,
): Promise<void> {
  await Promise.all([
    tx`delete from credentials
        where key_company_id = ${key.company_id} and key_id = ${key.id} and previous_until is not null`,
    tx`insert into credentials (secret_hash, key_id, key_company_id, key_name, company_id, environment, scopes, plan, boost_tier,
                                boost_until, api_version, allowed_ips, expires_at, clock_offset_ms, clock_frozen_at)
       select ${hashSecret(secret)}, key_id, key_company_id, ${key.name}, company_id, environment, scopes, plan, boost_tier,
              boost_until, api_version, allowed_ips, expires_at, clock_offset_ms, clock_frozen_at
         from credentials
        where key_company_id = ${key.company_id} and key_id = ${key.id} and previous_until is null`,
    tx`update credentials set previous_until = ${previous_until}
        where key_company_id = ${key.company_id} and key_id = ${key.id} and previous_until is null
          and secret_hash <> ${hashSecret(secret)}`,
    tx`update api_keys set prefix = ${prefix}, rotated_at = ${now} where company_id = ${key.company_id} and id = ${key.id}`,
  ]);
}

/** @returns the end of a grace that still runs, or null */
export async function purgePreviousSecrets(
  tx: Tx,
  company_id: string,
  key_id: string,
  now: Date,
): Promise<Date | null> {
  const [, rows] = await Promise.all([
    tx`delete from credentials
        where key_company_id = ${company_id} and key_id = ${key_id} and previous_until <= ${now}`.execute(),
    tx<{ left_until: Date | null }[]>`
      select min(previous_until) as left_until from credentials
       where key_company_id = ${company_id} and key_id = ${key_id}`.execute(),
  ]);
  return rows[0]?.left_until ?? null;
}

/**
 * Sets the clock by which a company's keys expire, and deletes previous secrets whose grace is over by it.
 * Their jobs cannot: they run on the clock of the company that owns the keys.
 * @param now the opened company's time
 */
export async function moveCredentialClocks(
  tx: Tx,
  key_company_id: string,
  opens_company_id: string,
  clock: CompanyClock,
  now: Date,
): Promise<void> {
  await Promise.all([
    tx`update credentials set clock_offset_ms = ${clock.clock_offset_ms}, clock_frozen_at = ${clock.clock_frozen_at}
        where key_company_id = ${key_company_id} and company_id = ${opens_company_id}`.execute(),
    tx`delete from credentials
        where key_company_id = ${key_company_id} and company_id = ${opens_company_id} and previous_until <= ${now}`.execute(),
  ]);
}

export async function setRevoked(tx: Tx, key: ApiKeyRow, revoked_at: Date): Promise<void> {
  await Promise.all([
    tx`update api_keys set revoked_at = ${revoked_at} where company_id = ${key.company_id} and id = ${key.id}`,
    tx`update credentials set is_revoked = true
        where key_company_id = ${key.company_id} and key_id = ${key.id}`,
  ]);
}

export async function listKeyOwners(sql: Sql, limit: number | null = null): Promise<string[]> {
  const rows = await sql<{ key_company_id: string }[]>`
    select distinct key_company_id from credentials order by key_company_id limit ${limit}`;
  return rows.map((row) => row.key_company_id);
}

export async function updateCredentialPlans(
  tx: Tx,
  key_company_id: string,
  plan: { plan: string; boost_tier: string | null; boost_until: Date | null },
): Promise<void> {
  await tx`update credentials set plan = ${plan.plan}, boost_tier = ${plan.boost_tier}, boost_until = ${plan.boost_until}
            where key_company_id = ${key_company_id}`;
}
