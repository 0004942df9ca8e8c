import type { JobCtx } from '../../../platform/job-handler.ts';
import type { SendResult } from '../ports.ts';
import * as batches from './batches.store.ts';
import { type Documents, keepBack } from './keep-back.ts';
import { batchMax } from './next-message.ts';
import { obstacleOf, outcomesOf, retryAfterMs, type SentRecord } from './rules/answers.ts';
import { findSenderState, markIncident, saveSenderState, type SenderState } from './sender.store.ts';

const hourMs = 3_600_000;
/** After trouble of the authority's own. Without it the record would go each minute. */
const troubleMs = 300_000;

export type SentMessage = { batch_id: string; result: SendResult };

type Message = { batch_id: string; records: readonly SentRecord[]; state: SenderState };
type Result<K extends SendResult['kind']> = Extract<SendResult, { kind: K }>;

/** @returns milliseconds to wait, besides what the authority asked for */
export async function settleMessage(
  ctx: JobCtx,
  { batch_id, result }: SentMessage,
  documents: Documents,
): Promise<number> {
  const { tx, company } = ctx;
  const { company_id } = company;
  // Two senders may have sent it, when the first one's lease ended during its call: one answer settles it.
  if (!(await batches.isOpenBatch(tx, company_id, batch_id))) {
    await keepCsv(ctx, { batch_id, result });
    return 0;
  }
  const state = await findSenderState(tx, company_id);
  const records = await batches.listSent(tx, company_id, batch_id);
  const message = { batch_id, records, state };
  if (result.kind === 'answer') return settleAnswer(ctx, message, result, documents);
  const obstacle = obstacleOf(result);
  if (obstacle.kind === 'repeat') return repeatLater(ctx, state, obstacle.reason);
  if (result.kind !== 'fault') throw new Error('Only a fault refuses a message.');
  await Promise.all(batches.refuseBatch(tx, company_id, batch_id, result, ctx.now));
  if (obstacle.kind === 'schema') return halveMessage(ctx, message, documents);
  ctx.log.error({ code: result.code }, 'the authority refuses the messages of a company');
  await saveSenderState(tx, company_id, { ...state, block_reason: obstacle.reason }, ctx.now);
  return hourMs;
}

/**
 * For a sender whose lease ended while it waited. The authority has the records by its message, and only its answer has
 * their CSV. Anything but an answer is left to the sender that took over.
 */
export async function settleLate(ctx: JobCtx, sent: SentMessage, documents: Documents): Promise<void> {
  if (sent.result.kind === 'answer') await settleMessage(ctx, sent, documents);
}

async function keepCsv({ tx, company }: JobCtx, { batch_id, result }: SentMessage): Promise<void> {
  if (result.kind !== 'answer' || result.csv === null) return;
  const records = await batches.listWithoutCsv(tx, company.company_id, batch_id);
  const entered = outcomesOf(records, result.lines).filter(({ has_csv }) => has_csv);
  const ids = entered.map(({ record_id }) => record_id);
  if (ids.length > 0) await Promise.all(batches.addCsv(tx, company.company_id, batch_id, ids, result.csv));
}

async function settleAnswer(
  ctx: JobCtx,
  { batch_id, records, state }: Message,
  result: Result<'answer'>,
  documents: Documents,
): Promise<number> {
  const { tx, company, now } = ctx;
  const { company_id } = company;
  const outcomes = outcomesOf(records, result.lines);
  await documents.lock(tx, company_id, [...new Set(records.map((record) => record.invoice_id))]);
  await batches.saveOutcomes(tx, company_id, outcomes, result.csv, now);
  await batches.closeBatch(tx, company_id, batch_id, result, now);
  for (const { status, invoice_id } of outcomes) {
    if (status === 'rejected') ctx.emit('invoice.verifactu_failed', invoice_id);
    else if (status !== 'pending') ctx.emit('invoice.verifactu_submitted', invoice_id);
  }
  const pause_ms = outcomes.some((outcome) => outcome.status === 'pending') ? troubleMs : 0;
  await saveSenderState(
    tx,
    company_id,
    {
      send_after: new Date(now.getTime() + Math.max(result.wait_seconds * 1000, pause_ms)),
      wait_seconds: result.wait_seconds,
      batch_max: Math.min(batchMax, state.batch_max * 2),
      failures: 0,
      failing_since: null,
      block_reason: null,
    },
    now,
  );
  return pause_ms;
}

/** The authority's waiting time holds after a failed message too, up to an hour, whoever asks for the next one. */
function afterWait({ wait_seconds }: SenderState, now: Date): Date {
  return new Date(now.getTime() + Math.min(wait_seconds * 1000, hourMs));
}

/** The same bytes go again. */
async function repeatLater(
  { tx, company, now, log }: JobCtx,
  state: SenderState,
  reason: string,
): Promise<number> {
  const failures = state.failures + 1;
  log.warn({ reason, failures }, 'the authority could not be reached');
  await markIncident(tx, company.company_id);
  const failing_since = state.failing_since ?? now;
  const send_after = afterWait(state, now);
  await saveSenderState(tx, company.company_id, { ...state, send_after, failures, failing_since }, now);
  return retryAfterMs(failures, state.wait_seconds);
}

/** The authority does not say which record breaks the schema: halving finds it. */
async function halveMessage(ctx: JobCtx, { records, state }: Message, documents: Documents): Promise<number> {
  const { tx, company, now } = ctx;
  const is_found = records.length === 1;
  if (is_found) await keepBack(ctx, records, documents);
  const batch_max = is_found ? batchMax : Math.ceil(records.length / 2);
  const send_after = new Date(now.getTime() + state.wait_seconds * 1000);
  await saveSenderState(tx, company.company_id, { ...state, batch_max, send_after }, now);
  return 0;
}
