/** SQL of the sandbox clock, which is stored in the company's row. */
import type { Tx } from '../../kernel/operation.ts';
import type { CompanyClock } from '../../platform/clock.ts';

type ClockRow = { clock_offset_ms: string; clock_frozen_at: Date | null };

function toClock(row: ClockRow | undefined): CompanyClock {
  if (!row) throw new Error('The company of the transaction does not exist.');
  return { clock_offset_ms: Number(row.clock_offset_ms), clock_frozen_at: row.clock_frozen_at };
}

export async function getClock(tx: Tx, company_id: string): Promise<CompanyClock> {
  const [row] = await tx<ClockRow[]>`
    select clock_offset_ms, clock_frozen_at from companies where company_id = ${company_id}`;
  return toClock(row);
}

/**
 * Locks the company's row, so that two moves run one after the other. Due times that are being computed with
 * the clock are committed before it moves. `for update` would also wait for every row that refers to the
 * company.
 */
export async function lockClock(tx: Tx, company_id: string): Promise<CompanyClock> {
  const [row] = await tx<ClockRow[]>`
    select clock_offset_ms, clock_frozen_at from companies where company_id = ${company_id} for no key update`;
  return toClock(row);
}

/** The new version tells prepared plans that the time they relied on has changed. */
export async function updateClock(tx: Tx, company_id: string, clock: CompanyClock): Promise<void> {
  await tx`
    update companies
       set clock_offset_ms = ${clock.clock_offset_ms}, clock_frozen_at = ${clock.clock_frozen_at},
           settings_version = settings_version + 1
     where company_id = ${company_id}`;
}
