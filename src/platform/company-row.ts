/**
 * What modules read, lock and set in the row of a company: its plan, its clock, the version of its settings.
 * The row belongs to companies; it is here because modules below companies need it too.
 */
import type { CompanyContext, Tx } from '../kernel/operation.ts';
import type { PlanName } from '../kernel/plans.ts';
import type { CompanyClock } from './clock.ts';
import { setCompanyText } from './db.ts';

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

/**
 * Locks the company's row, so that two changes run one after the other. `for update` would also wait for every row that
 * refers to the company.
 */
export async function lockCompanyRow(tx: Tx, company_id: string): Promise<void> {
  await tx`select 1 from companies where company_id = ${company_id} for no key update`;
}

/** Changes of settings wait for one another, and prepared plans learn by the version to prepare again. */
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

/** Locks the clock: two moves run one after the other, and due times that were made by it are committed before it moves. */
export async function lockClock(tx: Tx, company_id: string): Promise<CompanyClock> {
  const [row] = await tx<Clocks[]>`
    select clock_offset_ms, clock_frozen_at from companies where company_id = ${company_id} for no key update`;
  return toClock(row);
}

/** Sets the clock. The version tells prepared plans that the time they relied on has changed. */
export async function setClock(tx: Tx, company_id: string, clock: CompanyClock): Promise<void> {
  await tx`
    update companies
       set clock_offset_ms = ${clock.clock_offset_ms}, clock_frozen_at = ${clock.clock_frozen_at},
           settings_version = settings_version + 1
     where company_id = ${company_id}`;
}

/**
 * The clock of the company that a key opens: a sandbox may run ahead. Its row is locked until the transaction ends, so
 * that no credential is written with a clock that moved meanwhile. The transaction's company stays as it was.
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

/** How many of the company's webhook endpoints listen: without any, events make no due work. */
export async function countListening(tx: Tx, company_id: string, change: 1 | -1): Promise<void> {
  await tx`update companies set webhook_endpoints_enabled = webhook_endpoints_enabled + ${change}
            where company_id = ${company_id}`;
}

function exists<R>(row: R | undefined): R {
  if (row === undefined) throw new Error('The company does not exist.');
  return row;
}

type Modes = Pick<CompanyContext, 'verifactu_mode' | 'verifactu_next_mode' | 'verifactu_next_on'>;

/** Locks the company's modes of VeriFactu, so that two changes run one after the other. */
export async function lockModes(tx: Tx, company_id: string): Promise<Modes> {
  const [row] = await tx<Modes[]>`
    select verifactu_mode, verifactu_next_mode, verifactu_next_on
      from companies where company_id = ${company_id} for no key update`;
  return exists(row);
}

/** Sets the modes; prepared plans learn by the version of the settings that something changed. */
export function setModes(tx: Tx, company_id: string, modes: Modes, now: Date) {
  return tx`
    update companies
       set verifactu_mode = ${modes.verifactu_mode}, verifactu_next_mode = ${modes.verifactu_next_mode},
           verifactu_next_on = ${modes.verifactu_next_on}, settings_version = settings_version + 1, updated_at = ${now}
     where company_id = ${company_id}`;
}

/** A piece of SQL for `from`: the company itself. It keeps a statement over values alone where the company's rows lie. */
export function companyItself(tx: Tx, company_id: string) {
  return tx`(select c.company_id from companies c where c.company_id = ${company_id})`;
}
