/**
 * Creates a company, its sandbox twin, initial data and two keys, in one transaction of several companies
 * (platform/tenancy.ts).
 */
import { canBeRead } from '../../kernel/readable-name.ts';
import { parseSpanishTaxId } from '../../domain/spain/tax-id.ts';
import { checkSchema } from '../../kernel/check.ts';
import { nextLocalMidnight } from '../../kernel/dates.ts';
import type { Environment, Tx } from '../../kernel/operation.ts';
import type { PlanName } from '../../kernel/plans.ts';
import { newId } from '../../kernel/uuid7.ts';
import { type AuditActor, insertAudit, operator } from '../../platform/audit.ts';
import { newSecret, secretPrefix } from '../../platform/credentials.ts';
import type { Database } from '../../platform/db.ts';
import { companyDailyKind } from '../../platform/jobs.ts';
import { insertSchedule } from '../../platform/worker.ts';
import { insertApiKey } from '../api-keys/index.ts';
import { insertDefaultSeries } from '../series/index.ts';
import { insertDefaultTaxes } from '../taxes/index.ts';
import { CompanyName } from './companies.schema.ts';
import { insertChild, insertCompany, type NewCompany } from './companies.store.ts';

export type CompanyRequest = {
  name: string;
  tax_id: string;
  /** Checked. */
  address?: Record<string, unknown> | null;
  plan: PlanName;
  parent_id: string | null;
  api_version: string | null;
};

export type CreatedCompany = {
  company_id: string;
  sandbox_company_id: string;
  live_key: string;
  test_key: string;
};

/** The message is for the operator. */
export class CompanyRefused extends Error {}

type Parent = { company_id: string; sandbox_company_id: string };

async function findParent(tx: Tx, parent_id: string): Promise<Parent> {
  const [row] = await tx<
    { company_id: string; sandbox_company_id: string | null; parent_company_id: string | null }[]
  >`
    select company_id, sandbox_company_id, parent_company_id from companies where company_id = ${parent_id}`;
  if (!row?.sandbox_company_id) throw new CompanyRefused(`There is no live company ${parent_id}.`);
  if (row.parent_company_id) throw new CompanyRefused('A child company cannot have children of its own.');
  return { company_id: row.company_id, sandbox_company_id: row.sandbox_company_id };
}

/** Checked, with its ids and the secrets of its first keys. */
export type PreparedCompany = CreatedCompany & { request: CompanyRequest };

/** @throws CompanyRefused for a tax id with a wrong check digit, or an unsuitable name */
export function prepareCompany(request: CompanyRequest): PreparedCompany {
  const tax_id = parseSpanishTaxId(request.tax_id);
  if (!tax_id)
    throw new CompanyRefused(
      `"${request.tax_id}" is not a Spanish tax id (NIF): its form or its check digit is wrong.`,
    );
  const name = request.name.trim();
  if (!isCompanyName(name))
    throw new CompanyRefused(
      'The name must have 1 to 250 characters. It has one line, without control characters or marks of text direction.',
    );
  return {
    request: { ...request, name, tax_id: tax_id.value },
    company_id: newId(),
    sandbox_company_id: newId(),
    live_key: newSecret('live'),
    test_key: newSecret('test'),
  };
}

export function isCompanyName(text: string): boolean {
  return checkSchema(CompanyName, text).length === 0 && canBeRead(text);
}

/**
 * @returns the ids and the first two keys, each with the scope `*`; nothing else shows the keys
 * @throws CompanyRefused for a tax id with a wrong check digit, an unsuitable name or parent
 */
export async function createCompany(
  db: Database,
  request: CompanyRequest,
  now: Date,
): Promise<CreatedCompany> {
  const prepared = prepareCompany(request);
  const { request: _, ...created } = prepared;
  await db.transaction(request.parent_id ?? prepared.company_id, (tx) =>
    insertPrepared(tx, prepared, operator, now),
  );
  return created;
}

/** In a transaction of the parent, or else of the new company. Afterwards it runs as the new company. */
export async function insertPrepared(
  tx: Tx,
  { request, company_id, sandbox_company_id, live_key, test_key }: PreparedCompany,
  actor: AuditActor,
  now: Date,
): Promise<void> {
  const parent = request.parent_id === null ? null : await findParent(tx, request.parent_id);
  const shared = {
    name: request.name,
    tax_id: request.tax_id,
    address: request.address ?? null,
    plan: request.plan,
    share_owner_id: parent?.company_id ?? company_id,
    created_at: now,
  };
  const first_run_at = nextLocalMidnight('Europe/Madrid', now);
  const sandbox: NewCompany = {
    ...shared,
    company_id: sandbox_company_id,
    environment: 'test',
    live_company_id: company_id,
    sandbox_company_id: null,
    parent_company_id: parent?.sandbox_company_id ?? null,
  };
  const live: NewCompany = {
    ...shared,
    company_id,
    environment: 'live',
    live_company_id: null,
    sandbox_company_id,
    parent_company_id: parent?.company_id ?? null,
  };
  const secrets: Record<Environment, string> = { live: live_key, test: test_key };
  const insertFirstKey = (environment: Environment) => {
    const opens_company_id = environment === 'live' ? company_id : sandbox_company_id;
    const secret = secrets[environment];
    return insertApiKey(
      tx,
      {
        company_id,
        id: newId(),
        opens_company_id,
        environment,
        name: environment === 'live' ? 'Primera clave' : 'Primera clave de pruebas',
        prefix: secretPrefix(secret),
        scopes: ['*'],
        allowed_ips: [],
        api_version: request.api_version,
        created_at: now,
        expires_at: null,
        created_by_key_id: null,
      },
      secret,
      { plan: request.plan, boost_tier: null, boost_until: null, sandbox_company_id },
      { clock_offset_ms: '0', clock_frozen_at: null },
    );
  };
  const details = { plan: request.plan };
  const entry = { action: 'company.created', object: 'company', object_id: company_id, details };
  // In one pipeline, whose order counts: the transaction runs as the company that it has inserted last.
  await Promise.all([
    insertFilled(tx, sandbox, first_run_at),
    insertFilled(tx, live, first_run_at),
    parent && insertChild(tx, parent.company_id, company_id, company_id),
    parent && insertChild(tx, parent.sandbox_company_id, sandbox_company_id, company_id),
    insertFirstKey('live'),
    insertFirstKey('test'),
    insertAudit(tx, company_id, actor, [entry], now),
  ]);
}

/** With its initial data. All is sent at once, so that what is sent next comes after it. */
async function insertFilled(tx: Tx, row: NewCompany, first_run_at: Date): Promise<void> {
  const { company_id, created_at: now } = row;
  await Promise.all([
    insertCompany(tx, row),
    insertDefaultTaxes(tx, company_id, now),
    insertDefaultSeries(tx, company_id, now),
    insertSchedule(tx, company_id, {
      schedule: 'daily',
      kind: companyDailyKind,
      next_run_at: first_run_at,
    }),
  ]);
}
