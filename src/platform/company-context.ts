/** What of a company rides along with every call: read in the first batch of its transaction. */
import { dayIn } from '../kernel/dates.ts';
import type { CompanyContext, Environment, Tx } from '../kernel/operation.ts';
import { type CompanyClock, companyTime } from './clock.ts';

type CompanyRow = {
  company_id: string;
  environment: Environment;
  time_zone: string;
  settings_version: number;
  webhook_endpoints_enabled: number;
  name: string | null;
  tax_id: string;
  default_vat: Record<string, unknown>;
  verifactu_mode: CompanyContext['verifactu_mode'];
  verifactu_next_mode: CompanyContext['verifactu_next_mode'];
  verifactu_next_on: string | null;
  clock_offset_ms: string;
  clock_frozen_at: Date | null;
};

export type LoadedCompany = { company: CompanyContext; clock: CompanyClock; now: Date; today: string };

/**
 * The company's sandbox clock, held as it is until the transaction ends: what is given a due time by it must not
 * miss a move of it. Undefined for a live company, which has none and whose row is left unlocked.
 */
export async function holdClock(tx: Tx, company_id: string): Promise<CompanyClock | undefined> {
  const [row] = await tx<{ clock_offset_ms: string; clock_frozen_at: Date | null }[]>`
    select clock_offset_ms, clock_frozen_at from companies
     where company_id = ${company_id} and environment = 'test' for share`;
  return row && { clock_offset_ms: Number(row.clock_offset_ms), clock_frozen_at: row.clock_frozen_at };
}

/** Nobody calls for such a company but an operator, who may have misspelt it. */
export class NoSuchCompany extends Error {
  constructor(company_id: string) {
    super(`There is no company ${company_id}.`);
  }
}

/**
 * Reads the company of the transaction, and what time it is for it.
 * @throws NoSuchCompany
 */
export async function loadCompany(tx: Tx, company_id: string, real_now: Date): Promise<LoadedCompany> {
  const [row] = await tx<CompanyRow[]>`
    select company_id, environment, time_zone, settings_version, webhook_endpoints_enabled, name, tax_id,
           default_vat, verifactu_mode, verifactu_next_mode, verifactu_next_on, clock_offset_ms, clock_frozen_at
      from companies
     where company_id = ${company_id}`;
  if (!row) throw new NoSuchCompany(company_id);
  const { clock_offset_ms, clock_frozen_at, ...company } = row;
  const clock = { clock_offset_ms: Number(clock_offset_ms), clock_frozen_at };
  const now = companyTime(clock, real_now);
  return { company, clock, now, today: dayIn(company.time_zone, now) };
}
