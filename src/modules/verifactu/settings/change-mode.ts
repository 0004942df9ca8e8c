/** Changes the remission mode, at once or on 1 January. */
import type { Ctx } from '../../../kernel/operation.ts';
import { newId } from '../../../kernel/uuid7.ts';
import { ensureSchedule } from '../../../platform/worker.ts';
import { type LogContext, logEvents } from '../event-log/event-log.ts';
import { summaryEveryMs } from '../event-log/event-log.jobs.ts';
import { logSummary } from '../event-log/event-summary.ts';
import { ensureEventLogJob } from '../event-log/pending-events.ts';
import type { RemissionMode } from '../record.ts';
import { signingFault } from '../identity/signer.ts';
import { findRegistration } from '../records/registration.store.ts';
import { insertSettings, lockModes, setEnabled, setEnd, setModes } from './settings.store.ts';

export const sendKind = 'verifactu.send';

const hourMs = 3_600_000;

/** What a company's first record needs. */
export async function ensureSettings(ctx: Pick<Ctx, 'tx' | 'company' | 'now'>): Promise<void> {
  const { tx, company, now } = ctx;
  // Ids never repeat in any company.
  await insertSettings(tx, company.company_id, { installation_number: newId(), enabled_at: null }, now);
  await ensureSchedule(tx, company.company_id, {
    id: company.company_id,
    schedule: 'verifactu.send',
    kind: sendKind,
    next_run_at: new Date(now.getTime() + hourMs),
  });
}

/**
 * Logs the change (events 01 and 02).
 * @throws Problem verifactu_not_eligible when no-verifactu mode begins and nobody can sign
 */
export async function applyMode(
  ctx: LogContext,
  from: RemissionMode | null,
  to: RemissionMode | null,
): Promise<void> {
  await setModes(
    ctx.tx,
    ctx.company.company_id,
    { verifactu_mode: to, verifactu_next_mode: null, verifactu_next_on: null },
    ctx.now,
  );
  // An end told in an earlier year is over.
  if (to === 'verifactu') await setEnd(ctx.tx, ctx.company.company_id, null, ctx.now);
  if (from === to) return;
  if (from === null) await setEnabled(ctx.tx, ctx.company.company_id, ctx.now);
  if (to === 'no_verifactu') {
    await logEvents(ctx, [{ details: { type: '01' } }]);
    await ensureEventLogJob(ctx, new Date(ctx.now.getTime() + summaryEveryMs));
  } else if (from === 'no_verifactu') {
    // Leaving needs no signature: where nobody can sign, both events wait.
    await logSummary(ctx, [{ details: { type: '02' } }]);
  }
}

/**
 * No-verifactu mode waits until somebody can sign its first event; nothing can be issued meanwhile.
 * @returns what it waits for, with the day on which it begins; undefined when nothing is left to do
 */
export async function beginPlannedMode(
  ctx: LogContext,
): Promise<{ waits_for: 'day' | 'signer'; on: string } | undefined> {
  const { tx, company, ports, now, today } = ctx;
  const { company_id } = company;
  const { verifactu_mode, verifactu_next_mode, verifactu_next_on } = await lockModes(tx, company_id);
  if (verifactu_next_mode === null || verifactu_next_on === null) return undefined;
  if (today < verifactu_next_on) return { waits_for: 'day', on: verifactu_next_on };
  if (verifactu_next_mode === 'no_verifactu') {
    const row = await findRegistration(tx, company_id);
    if (row && signingFault(ports, company, row, now, today))
      return { waits_for: 'signer', on: verifactu_next_on };
  }
  await applyMode(ctx, verifactu_mode, verifactu_next_mode === 'off' ? null : verifactu_next_mode);
  return undefined;
}

/**
 * For what makes records or events: where a mode's job has not run yet on its day, the log tells of the change before them. The row
 * of the company is locked before the issuing head.
 * @returns whether the mode of the day has begun; else it waits for somebody who can sign
 */
export async function beginDueMode(ctx: LogContext): Promise<boolean> {
  const { verifactu_next_mode, verifactu_next_on } = ctx.company;
  if (verifactu_next_mode === null || verifactu_next_on === null || ctx.today < verifactu_next_on)
    return true;
  return (await beginPlannedMode(ctx)) === undefined;
}
