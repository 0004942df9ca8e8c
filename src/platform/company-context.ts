/** What a call knows of its company, read in the transaction's first batch. */
import { dayIn } from '../kernel/dates.ts';
import type { CompanyContext, Environment, LoadingCompany, Tx } from '../kernel/operation.ts';
import { type CompanyClock, companyTime } from './clock.ts';
import { noteCompany, supposeCompany } from './supposed-company.ts';

type CompanyRow = {
  company_id: string;
  environment: Environment;
  time_zone: string;
  settings_version: number;
  webhook_endpoints_enabled: number;
  name: string | null;
  tax_id: string;
  default_vat: Record<string, unknown>;
  simplified_invoices_enabled: boolean;
  public_acceptance: boolean;
  default_price_list_id: string | null;
  default_validity_days: Record<string, number>;
  verifactu_mode: CompanyContext['verifactu_mode'];
  verifactu_next_mode: CompanyContext['verifactu_next_mode'];
  verifactu_next_on: string | null;
  clock_offset_ms: string;
  clock_frozen_at: Date | null;
  owner_company_id: string;
};

export type LoadedCompany = {
  company: CompanyContext;
  /** A sandbox's live company, which owns its keys. */
  owner_company_id: string;
  /** The clock as stored, whatever `now` says. */
  clock: CompanyClock;
  now: Date;
  today: string;
  /** A sandbox job's `now`, otherwise null. */
  due_time: Date | null;
};

/**
 * Locks a sandbox's clock, so that a move of it misses no due time made here. Undefined for a live company, whose row
 * is not locked.
 */
export async function holdClock(tx: Tx, company_id: string): Promise<CompanyClock | undefined> {
  const [row] = await tx<{ clock_offset_ms: string; clock_frozen_at: Date | null }[]>`
    select clock_offset_ms, clock_frozen_at from companies
     where company_id = ${company_id} and environment = 'test' for share`;
  return row && { clock_offset_ms: Number(row.clock_offset_ms), clock_frozen_at: row.clock_frozen_at };
}

export class NoSuchCompany extends Error {
  constructor(company_id: string) {
    super(`There is no company ${company_id}.`);
  }
}

/**
 * @param due_time of the job that asks (see `atDueTime`)
 * @throws NoSuchCompany
 */
export function loadCompany(
  tx: Tx,
  company_id: string,
  real_now: Date,
  due_time?: Date,
): Promise<LoadedCompany> & Pick<LoadingCompany, 'supposed'> {
  const supposed = () => (due_time ? undefined : supposeCompany(company_id, real_now));
  return Object.assign(readCompany(tx, company_id, real_now, due_time), { supposed });
}

async function readCompany(
  tx: Tx,
  company_id: string,
  real_now: Date,
  due_time: Date | undefined,
): Promise<LoadedCompany> {
  const [row] = await tx<CompanyRow[]>`
    select company_id, environment, time_zone, settings_version, webhook_endpoints_enabled, name, tax_id,
           default_vat, simplified_invoices_enabled, public_acceptance, default_price_list_id, default_validity_days, verifactu_mode, verifactu_next_mode, verifactu_next_on, clock_offset_ms, clock_frozen_at,
           coalesce(live_company_id, company_id) as owner_company_id
      from companies
     where company_id = ${company_id}`;
  if (!row) throw new NoSuchCompany(company_id);
  const { clock_offset_ms, clock_frozen_at, owner_company_id, ...company } = row;
  const clock = { clock_offset_ms: Number(clock_offset_ms), clock_frozen_at };
  noteCompany(company_id, company, clock);
  const now = companyTime(clock, real_now);
  const today = dayIn(company.time_zone, now);
  const loaded = { company, owner_company_id, clock, now, today, due_time: null };
  return due_time ? atDueTime(loaded, due_time) : loaded;
}

/**
 * A sandbox's job sees its due time: a clock that jumps a year makes twelve monthly dates. A live company may not
 * date anything back (ADR 26).
 */
export function atDueTime(loaded: LoadedCompany, due_time: Date): LoadedCompany {
  const { company, now } = loaded;
  if (company.environment === 'live' || due_time >= now) return loaded;
  return { ...loaded, now: due_time, today: dayIn(company.time_zone, due_time), due_time };
}

/** The time by now, in a call that has run for a while. */
export function presentTime({ due_time, clock }: LoadedCompany, real_now: Date): Date {
  return due_time ?? companyTime(clock, real_now);
}
