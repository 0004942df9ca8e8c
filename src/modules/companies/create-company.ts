/**
 * Creates a company, its sandbox twin, initial data and two keys, in one transaction of several companies
 * (platform/tenancy.ts).
 */
import { parseSpanishTaxId } from '../../domain/spain/tax-id.ts';
import { checkSchema } from '../../kernel/check.ts';
import { nextLocalMidnight } from '../../kernel/dates.ts';
import type { Environment, Tx } from '../../kernel/operation.ts';
import type { PlanName } from '../../kernel/plans.ts';
import { newId } from '../../kernel/uuid7.ts';
import { insertAudit, operator } from '../../platform/audit.ts';
import { newSecret, secretPrefix } from '../../platform/credentials.ts';
import type { Database } from '../../platform/db.ts';
import { ensureSchedule } from '../../platform/worker.ts';
import { insertApiKey } from '../api-keys/index.ts';
import { insertDefaultSeries } from '../series/index.ts';
import { insertDefaultTaxes } from '../taxes/index.ts';
import { companyDailyKind } from './companies.jobs.ts';
import { CompanyName } from './companies.schema.ts';
import { insertChild, insertCompany } from './companies.store.ts';

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

/**
 * @returns the ids and the first two keys, each with the scope `*`; nothing else shows the keys
 * @throws CompanyRefused for a tax id with a wrong check digit, an unsuitable name or parent
 */
export async function createCompany(
  db: Database,
  request: CompanyRequest,
  now: Date,
): Promise<CreatedCompany> {
  const tax_id = parseSpanishTaxId(request.tax_id);
  if (!tax_id)
    throw new CompanyRefused(
      `"${request.tax_id}" is not a Spanish tax id (NIF): its form or its check digit is wrong.`,
    );
  const name = request.name.trim();
  if (checkSchema(CompanyName, name).length > 0)
    throw new CompanyRefused(
      'The name must have 1 to 250 characters. It has one line, without control characters or marks of text direction.',
    );
  const company_id = newId();
  const sandbox_company_id = newId();
  const secrets: Record<Environment, string> = { live: newSecret('live'), test: newSecret('test') };

  await db.transaction(request.parent_id ?? company_id, async (tx) => {
    const parent = request.parent_id === null ? null : await findParent(tx, request.parent_id);
    const shared = {
      name,
      tax_id: tax_id.value,
      address: request.address ?? null,
      plan: request.plan,
      share_owner_id: parent?.company_id ?? company_id,
      created_at: now,
    };
    await insertCompany(tx, {
      ...shared,
      company_id: sandbox_company_id,
      environment: 'test',
      live_company_id: company_id,
      sandbox_company_id: null,
      parent_company_id: parent?.sandbox_company_id ?? null,
    });
    await insertInitialData(tx, sandbox_company_id, now);
    await insertCompany(tx, {
      ...shared,
      company_id,
      environment: 'live',
      live_company_id: null,
      sandbox_company_id,
      parent_company_id: parent?.company_id ?? null,
    });
    await insertInitialData(tx, company_id, now);
    if (parent) {
      await insertChild(tx, parent.company_id, company_id, company_id);
      await insertChild(tx, parent.sandbox_company_id, sandbox_company_id, company_id);
    }
    for (const environment of ['live', 'test'] as const) {
      const opens_company_id = environment === 'live' ? company_id : sandbox_company_id;
      const secret = secrets[environment];
      await insertApiKey(
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
    }
    await insertAudit(
      tx,
      company_id,
      operator,
      [
        {
          action: 'company.created',
          object: 'company',
          object_id: company_id,
          details: { plan: request.plan },
        },
      ],
      now,
    );
  });
  return { company_id, sandbox_company_id, live_key: secrets.live, test_key: secrets.test };
}

async function insertInitialData(tx: Tx, company_id: string, now: Date): Promise<void> {
  await insertDefaultTaxes(tx, company_id, now);
  await insertDefaultSeries(tx, company_id, now);
  await ensureSchedule(tx, company_id, {
    schedule: 'daily',
    kind: companyDailyKind,
    next_run_at: nextLocalMidnight('Europe/Madrid', now),
  });
}
