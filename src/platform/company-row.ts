/** A company's row: plan, clock, settings version. Modules below companies need it too. */
import type { CompanyContext, Environment, Tx } from '../kernel/operation.ts';
import type { PlanName } from '../kernel/plans.ts';
import type { CompanyClock } from './clock.ts';
import { setCompanyText } from './db.ts';

/** What operations of other modules name that are about the company's row, such as its clock. */
export const companyTable = 'companies';

export type PlanRow = {
  plan: PlanName;
  boost_tier: string | null;
  boost_until: Date | null;
  sandbox_company_id: string | null;
};

export async function getPlan(tx: Tx, company_id: string): Promise<PlanRow> {
  const [row] = await tx<PlanRow[]>`
    select plan, boost_tier, boost_until, sandbox_company_id from companies where company_id = ${company_id}`;
  return exists(row);
}

/** A change of the plan waits until it can find the credential that is made now. */
export async function holdPlan(tx: Tx, company_id: string): Promise<PlanRow> {
  const [row] = await tx<PlanRow[]>`
    select plan, boost_tier, boost_until, sandbox_company_id from companies where company_id = ${company_id} for share`;
  return exists(row);
}

export type Tenant = Pick<PlanRow, 'plan' | 'boost_tier' | 'boost_until'> & {
  company_id: string;
  environment: Environment;
  live_company_id: string | null;
  sandbox_company_id: string | null;
  name: string | null;
  tax_id: string | null;
};

/**
 * Undefined where the transaction's company does not exist. It is sent at once, so that a transaction may set another
 * company after it.
 */
export async function findTenant(tx: Tx, company_id: string): Promise<Tenant | undefined> {
  const [row] = await tx<Tenant[]>`
    select company_id, environment, live_company_id, sandbox_company_id, name, tax_id, plan, boost_tier, boost_until
      from companies where company_id = ${company_id}`.execute();
  return row;
}

/**
 * Makes changes of the company run one after another. `for update` would also wait for every row that refers to the
 * company.
 */
export async function lockCompanyRow(tx: Tx, company_id: string): Promise<void> {
  await tx`select 1 from companies where company_id = ${company_id} for no key update`;
}

/** Makes changes of settings wait for one another. The version tells prepared plans to prepare again. */
export async function renewSettings(tx: Tx, company_id: string): Promise<void> {
  await tx`update companies set settings_version = settings_version + 1 where company_id = ${company_id}`;
}

export type Clocks = { clock_offset_ms: string; clock_frozen_at: Date | null };

function toClock(row: Clocks | undefined): CompanyClock {
  const { clock_offset_ms, clock_frozen_at } = exists(row);
  return { clock_offset_ms: Number(clock_offset_ms), clock_frozen_at };
}

export async function getClock(tx: Tx, company_id: string): Promise<CompanyClock> {
  const [row] = await tx<Clocks[]>`
    select clock_offset_ms, clock_frozen_at from companies where company_id = ${company_id}`;
  return toClock(row);
}

/** Due times made by the clock are committed before it moves. */
export async function lockClock(tx: Tx, company_id: string): Promise<CompanyClock> {
  const [row] = await tx<Clocks[]>`
    select clock_offset_ms, clock_frozen_at from companies where company_id = ${company_id} for no key update`;
  return toClock(row);
}

/** The version tells prepared plans that their time has changed. */
export async function setClock(tx: Tx, company_id: string, clock: CompanyClock): Promise<void> {
  await tx`
    update companies
       set clock_offset_ms = ${clock.clock_offset_ms}, clock_frozen_at = ${clock.clock_frozen_at},
           settings_version = settings_version + 1
     where company_id = ${company_id}`;
}

/**
 * The clock of the company that a key opens: a sandbox may run ahead. The row is locked, so that the clock does not
 * move before the credential is written. The transaction's company stays. Whoever locks its row as well (`lockCompanyRow`)
 * does it before.
 */
export async function getOpenedClock(tx: Tx, company_id: string, opens_company_id: string): Promise<Clocks> {
  const [, rows] = await Promise.all([
    tx.unsafe(setCompanyText(opens_company_id)).execute(),
    tx<
      Clocks[]
    >`select clock_offset_ms, clock_frozen_at from companies where company_id = ${opens_company_id} for share`.execute(),
    tx.unsafe(setCompanyText(company_id)).execute(),
  ]);
  return exists(rows[0]);
}

/**
 * Without a listening endpoint, events make no due work.
 * @returns the new version of the settings: whoever reads it or a later one sees the change
 */
export async function countListening(tx: Tx, company_id: string, change: 1 | -1): Promise<number> {
  const [row] = await tx<{ settings_version: number }[]>`
    update companies
       set webhook_endpoints_enabled = webhook_endpoints_enabled + ${change}, settings_version = settings_version + 1
     where company_id = ${company_id} returning settings_version`;
  return exists(row).settings_version;
}

export async function defaultPriceListId(tx: Tx, company_id: string): Promise<string | null> {
  const [row] = await tx<{ default_price_list_id: string | null }[]>`
    select default_price_list_id from companies where company_id = ${company_id}`;
  return exists(row).default_price_list_id;
}

/** The list's row is locked first. */
export async function setDefaultPriceList(tx: Tx, company_id: string, id: string | null): Promise<void> {
  await tx`update companies set default_price_list_id = ${id} where company_id = ${company_id}`;
}

/** Only if it is still the default one. */
export async function clearDefaultPriceList(tx: Tx, company_id: string, id: string): Promise<void> {
  await tx`
    update companies set default_price_list_id = null
     where company_id = ${company_id} and default_price_list_id = ${id}`;
}

function exists<R>(row: R | undefined): R {
  if (row === undefined) throw new Error('The company does not exist.');
  return row;
}

type Modes = Pick<CompanyContext, 'verifactu_mode' | 'verifactu_next_mode' | 'verifactu_next_on'>;

export async function lockModes(tx: Tx, company_id: string): Promise<Modes> {
  const [row] = await tx<Modes[]>`
    select verifactu_mode, verifactu_next_mode, verifactu_next_on
      from companies where company_id = ${company_id} for no key update`;
  return exists(row);
}

/** The version tells prepared plans of the change. */
export function setModes(tx: Tx, company_id: string, modes: Modes, now: Date) {
  return tx`
    update companies
       set verifactu_mode = ${modes.verifactu_mode}, verifactu_next_mode = ${modes.verifactu_next_mode},
           verifactu_next_on = ${modes.verifactu_next_on}, settings_version = settings_version + 1, updated_at = ${now}
     where company_id = ${company_id}`;
}

/** The company itself, for `from`. It makes a statement over values alone run where the company's rows lie. */
export function companyItself(tx: Tx, company_id: string) {
  return tx`(select c.company_id from companies c where c.company_id = ${company_id})`;
}
