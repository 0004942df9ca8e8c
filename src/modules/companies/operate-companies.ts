import { parseSpanishTaxId } from '../../domain/spain/tax-id.ts';
import { checkSchema } from '../../kernel/check.ts';
import type { Environment, Tx } from '../../kernel/operation.ts';
import type { PlanName } from '../../kernel/plans.ts';
import { newId } from '../../kernel/uuid7.ts';
import { insertAudit, operator } from '../../platform/audit.ts';
import { newSecret, secretPrefix } from '../../platform/credentials.ts';
import { type Database, setCompanyText } from '../../platform/db.ts';
import { findTenant, getOpenedClock, holdPlan, lockCompanyRow } from '../../platform/company-row.ts';
import {
  insertApiKey,
  isUsable,
  KeyName,
  listAllKeys,
  listKeyOwners,
  lockApiKey,
  readKeyTimes,
  setRevoked,
  updateCredentialPlans,
} from '../api-keys/index.ts';
import { getCompany, updatePlan } from './companies.store.ts';
import { CompanyRefused } from './create-company.ts';
import { type CompanyRow, shownLogo } from './companies.schema.ts';

async function getLiveCompany(
  tx: Tx,
  company_id: string,
): Promise<CompanyRow & { sandbox_company_id: string }> {
  const row = await getCompany(tx, company_id).catch(() => undefined);
  if (!row?.sandbox_company_id) throw new CompanyRefused(`There is no live company ${company_id}.`);
  return { ...row, sandbox_company_id: row.sandbox_company_id };
}

/** Companies that are read at once. */
const atOnce = 10;

/** The index of credentials gives the ids. Each row is read as its own company. */
export async function listCompanies(db: Database): Promise<Record<string, unknown>[]> {
  const out: Record<string, unknown>[] = [];
  for (const key_company_id of await listKeyOwners(db.index)) {
    out.push(pick(await db.read(key_company_id, (tx) => getCompany(tx, key_company_id))));
  }
  return out;
}

/** The fields that operators need. */
function pick(row: CompanyRow): Record<string, unknown> {
  const { company_id, sandbox_company_id, parent_company_id, name, tax_id, plan, boost_tier, boost_until } =
    row;
  return {
    company_id,
    sandbox_company_id,
    parent_company_id,
    name,
    tax_id,
    plan,
    boost_tier,
    boost_until: boost_until?.toISOString() ?? null,
  };
}

/** @throws CompanyRefused when there is no such live company */
export function showCompany(db: Database, company_id: string, now: Date): Promise<Record<string, unknown>> {
  return db.read(company_id, async (tx) => {
    const row = await getLiveCompany(tx, company_id);
    const keys = await listAllKeys(tx, company_id);
    const timeOf = await readKeyTimes(tx, company_id, keys, now);
    return {
      ...pick(row),
      commercial_name: row.commercial_name,
      address: row.address,
      email: row.email,
      time_zone: row.time_zone,
      created_at: row.created_at.toISOString(),
      keys_in_force: keys.filter((key) => isUsable(key, timeOf(key))).length,
    };
  });
}

/**
 * Only a company sees its own row, so each is asked, some at a time. An operator seldom makes companies.
 * @returns a live company with that tax id, however it is written
 */
export async function findByTaxId(
  db: Database,
  tax_id: string,
): Promise<{ company_id: string; name: string | null; tax_id: string } | undefined> {
  const wanted = parseSpanishTaxId(tax_id)?.value;
  if (wanted === undefined) return undefined;
  const ids = await listKeyOwners(db.index);
  for (let i = 0; i < ids.length; i += atOnce) {
    const part = ids.slice(i, i + atOnce);
    const rows = await Promise.all(part.map((id) => db.read(id, (tx) => getCompany(tx, id))));
    const found = rows.find((row) => row.tax_id === wanted);
    if (found) return { company_id: found.company_id, name: found.name, tax_id: wanted };
  }
  return undefined;
}

export type FewCompany = { company_id: string; name: string | null; tax_id: string | null };

/** None where there are more than `companies_max`. */
export async function listFewCompanies(db: Database, companies_max: number): Promise<FewCompany[]> {
  const ids = await listKeyOwners(db.index, companies_max + 1);
  const found: FewCompany[] = [];
  for (const id of ids.length > companies_max ? [] : ids) {
    const company = await db.read(id, (tx) => findTenant(tx, id));
    found.push({ company_id: id, name: company?.name ?? null, tax_id: company?.tax_id ?? null });
  }
  return found;
}

/** Companies whose papers lack something. None if there are more companies than `companies_max`. */
export async function findIncomplete(
  db: Database,
  companies_max: number,
): Promise<{ without_address: readonly CompanyRow[]; with_svg_logo: readonly CompanyRow[] }> {
  const ids = await listKeyOwners(db.index, companies_max + 1);
  const few = ids.length > companies_max ? [] : ids;
  const rows = await Promise.all(few.map((id) => db.read(id, (tx) => getCompany(tx, id))));
  return {
    without_address: rows.filter(({ address }) => address === null),
    with_svg_logo: rows.filter(({ logo }) => logo !== null && shownLogo(logo) === null),
  };
}

type PlanChange = { plan?: PlanName; boost_tier?: PlanName; boost_until?: Date };

/** One transaction changes the company, its sandbox and their credentials. */
async function changePlan(
  db: Database,
  company_id: string,
  change: PlanChange,
  action: string,
  now: Date,
): Promise<void> {
  await db.transaction(company_id, async (tx) => {
    // Each change keeps what the others changed.
    await lockCompanyRow(tx, company_id);
    const company = await getLiveCompany(tx, company_id);
    const plan = {
      plan: change.plan ?? company.plan,
      boost_tier: change.boost_tier ?? company.boost_tier,
      boost_until: change.boost_until ?? company.boost_until,
    };
    await updatePlan(tx, company_id, plan);
    await updateCredentialPlans(tx, company_id, plan);
    await insertAudit(
      tx,
      company_id,
      operator,
      [{ action, object: 'company', object_id: company_id, details: { ...change } }],
      now,
    );
    await tx.unsafe(setCompanyText(company.sandbox_company_id));
    await updatePlan(tx, company.sandbox_company_id, plan);
  });
}

export function setPlan(db: Database, company_id: string, plan: PlanName, now: Date): Promise<void> {
  return changePlan(db, company_id, { plan }, 'company.plan_changed', now);
}

/** `until` is real time. */
export function boostCompany(
  db: Database,
  company_id: string,
  tier: PlanName,
  until: Date,
  now: Date,
): Promise<void> {
  return changePlan(db, company_id, { boost_tier: tier, boost_until: until }, 'company.boosted', now);
}

export type OperatorKey = {
  company_id: string;
  environment: Environment;
  scopes: readonly string[];
  name: string;
  api_version: string | null;
};

/**
 * @param check throws for scopes that the plan does not allow
 * @throws CompanyRefused for an unsuitable name, or no such company
 */
export async function createOperatorKey(
  db: Database,
  request: OperatorKey,
  check: (plan: PlanName) => void,
  now: Date,
): Promise<{ id: string; environment: string; key: string }> {
  const { company_id, environment } = request;
  if (checkSchema(KeyName, request.name).length > 0)
    throw new CompanyRefused(
      "The key's name must have 1 to 120 characters. It has one line, without control characters or marks of text direction.",
    );
  const id = newId();
  const secret = newSecret(environment);
  await db.transaction(company_id, async (tx) => {
    const { sandbox_company_id } = await getLiveCompany(tx, company_id);
    const company = await holdPlan(tx, company_id);
    check(company.plan);
    const opens_company_id = environment === 'live' ? company_id : sandbox_company_id;
    const clock = await getOpenedClock(tx, company_id, opens_company_id);
    const row = {
      company_id,
      id,
      opens_company_id,
      environment,
      name: request.name,
      prefix: secretPrefix(secret),
      scopes: [...request.scopes],
      allowed_ips: [],
      api_version: request.api_version,
      created_at: now,
      expires_at: null,
      created_by_key_id: null,
    };
    await insertApiKey(tx, row, secret, company, clock);
    await insertAudit(
      tx,
      company_id,
      operator,
      [{ action: 'api_key.created', object: 'api_key', object_id: id, details: { scopes: request.scopes } }],
      now,
    );
  });
  return { id, environment, key: secret };
}

/** Oldest first, without secrets. @throws CompanyRefused when there is no such live company */
export function listOperatorKeys(
  db: Database,
  company_id: string,
  now: Date,
): Promise<(Record<string, unknown> & { is_in_force: boolean })[]> {
  return db.read(company_id, async (tx) => {
    await getLiveCompany(tx, company_id);
    const keys = await listAllKeys(tx, company_id);
    const timeOf = await readKeyTimes(tx, company_id, keys, now);
    return keys.map((key) => ({
      id: key.id,
      name: key.name,
      environment: key.environment,
      prefix: key.prefix,
      scopes: key.scopes,
      api_version: key.api_version,
      is_in_force: isUsable(key, timeOf(key)),
      created_at: key.created_at.toISOString(),
      last_used_at: key.last_used_at?.toISOString() ?? null,
      expires_at: key.expires_at?.toISOString() ?? null,
      revoked_at: key.revoked_at?.toISOString() ?? null,
    }));
  });
}

export async function revokeOperatorKey(
  db: Database,
  ids: { company_id: string; key_id: string },
  now: Date,
): Promise<void> {
  await db.transaction(ids.company_id, async (tx) => {
    const key = await lockApiKey(tx, ids.company_id, ids.key_id, ['live', 'test']);
    if (!key) throw new CompanyRefused(`The company has no key ${ids.key_id}.`);
    if (key.revoked_at) return;
    await setRevoked(tx, key, now);
    await insertAudit(
      tx,
      ids.company_id,
      operator,
      [{ action: 'api_key.revoked', object: 'api_key', object_id: key.id }],
      now,
    );
  });
}
