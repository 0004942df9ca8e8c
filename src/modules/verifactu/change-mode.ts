/** Carries out a change of remission mode, at once or on the 1 January that was decided. */
import type { Ctx } from '../../kernel/operation.ts';
import { newId } from '../../kernel/uuid7.ts';
import { ensureSchedule } from '../../platform/worker.ts';
import { type LogContext, logEvents } from './event-log.ts';
import type { RemissionMode } from './record.ts';
import { insertSettings, setModes } from './settings.store.ts';

export const sendKind = 'verifactu.send';

const hourMs = 3_600_000;

/** What a company needs before its first record: an installation that never repeats, and its sender. */
export async function ensureSettings(ctx: Pick<Ctx, 'tx' | 'company' | 'now'>): Promise<void> {
  const { tx, company, now } = ctx;
  // Ids grow with time and never repeat, in any company.
  await insertSettings(tx, company.company_id, newId(), now);
  await ensureSchedule(tx, company.company_id, {
    id: company.company_id,
    schedule: 'verifactu.send',
    kind: sendKind,
    next_run_at: new Date(now.getTime() + hourMs),
  });
}

/**
 * Sets the mode from now on, and logs what the log of events wants to know (types 01 and 02).
 * @throws Problem verifactu_not_eligible when an event has to be signed and nobody can
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
  if (from === to) return;
  if (to === 'no_verifactu') await logEvents(ctx, [{ details: { type: '01' } }]);
  else if (from === 'no_verifactu') await logEvents(ctx, [{ details: { type: '02' } }]);
}
