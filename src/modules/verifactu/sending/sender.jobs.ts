/**
 * Sends a company's records to the authority, oldest first (Orden HAC/1177/2024, art. 16).
 * A message is stored before it goes out: after a crash the same bytes go again.
 * Attempts have no end (docs/reliability.md).
 */
import { holdClock } from '../../../platform/company-context.ts';
import { type JobCtx, type JobHandler, lookAgainIn, type OutsideCtx } from '../../../platform/job-handler.ts';
import { lockChainHead, saveChainHead } from '../records/records.store.ts';
import { sendKind } from '../settings/change-mode.ts';
import type { Documents } from './keep-back.ts';
import { batchMax, isWaiting, type NextMessage, nextMessage } from './next-message.ts';
import { countWaiting, findSenderState } from './sender.store.ts';
import { type SentMessage, settleLate, settleMessage } from './settle-message.ts';
import { watchCompany } from './watch-company.ts';

const hourMs = 3_600_000;

export function makeSender(documents: Documents): JobHandler {
  return {
    kind: sendKind,
    events: ['invoice.verifactu_submitted', 'invoice.verifactu_failed'],
    outside: {
      begin: (ctx) => nextMessage(ctx, documents),
      async call({ batch_id, message, identity }: NextMessage, { ports }: OutsideCtx): Promise<SentMessage> {
        return { batch_id, result: await ports.authority.send(message, identity) };
      },
      async late(ctx, sent: SentMessage) {
        await lockClockAndHead(ctx);
        await settleLate(ctx, sent, documents);
      },
    },
    async run(ctx, sent?: SentMessage) {
      await lockClockAndHead(ctx);
      const pause_ms = sent ? await settleMessage(ctx, sent, documents) : 0;
      return decideNext(ctx, pause_ms);
    },
  };
}

/** The end of a run in a sandbox needs the clock. Whoever changes its settings or clock locks the company's row before the head, too. */
async function lockClockAndHead({ tx, company: { company_id, environment } }: JobCtx): Promise<void> {
  if (environment === 'test') await holdClock(tx, company_id);
  await lockChainHead(tx, company_id);
}

/** Locks the head of the chain: no record comes in between. */
async function decideNext(ctx: JobCtx, pause_ms: number): Promise<{ next_run_at: Date }> {
  const {
    tx,
    company: { company_id },
    now,
  } = ctx;
  const [head, state, waiting] = await Promise.all([
    lockChainHead(tx, company_id),
    findSenderState(tx, company_id),
    countWaiting(tx, company_id),
  ]);
  const is_blocked = state.block_reason !== null;
  const is_due = waiting > 0 && !is_blocked;
  await saveChainHead(
    tx,
    company_id,
    // While nothing can be sent the job looks each hour. Issuing need not wake it.
    { ...head, unsent_count: waiting, is_sender_due: waiting > 0 || pause_ms > 0 },
    0,
  );
  await watchCompany(ctx, { waiting, is_held: is_blocked });
  if (!is_due) return { next_run_at: lookAgainIn(ctx, hourMs) };
  if (pause_ms > 0) return { next_run_at: lookAgainIn(ctx, pause_ms) };
  const { send_after } = state;
  const is_held = send_after !== null && isWaiting(state, ctx) && waiting < batchMax;
  return { next_run_at: is_held ? send_after : now };
}
