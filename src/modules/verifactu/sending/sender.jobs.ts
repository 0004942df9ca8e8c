/**
 * Sends a company's records to the authority, oldest first, in messages of up to 1,000, and reads the answers record
 * by record (Orden HAC/1177/2024, art. 16). A message is stored before it goes out: after a crash the same bytes
 * go again, and what the authority holds already is taken over from its answer. Attempts have no end.
 */
import type { Tx } from '../../../kernel/operation.ts';
import { newId } from '../../../kernel/uuid7.ts';
import { type JobCtx, type JobHandler, lookAgainIn, type OutsideCtx } from '../../../platform/job-handler.ts';
import { sendKind } from '../settings/change-mode.ts';
import type { Message, SendingIdentity, SendResult } from '../ports.ts';
import { lockChainHead, saveChainHead } from '../records/records.store.ts';
import { findRegistration } from '../records/registration.store.ts';
import { obstacleOf, outcomesOf, retryAfterMs } from './rules/answers.ts';
import { sendingBlocks, whoSends } from './sending-identity.ts';
import * as store from './sender.store.ts';

const batchMax = 1000;
const hourMs = 3_600_000;
/** After the authority's own trouble with a record: so that the same is not asked each minute. */
const troubleMs = 300_000;

/** What the verifactu module needs of the documents, and may not know: they are locked before events of them are made. */
export type Documents = { lock(tx: Tx, company_id: string, ids: readonly string[]): Promise<unknown> };

type Intent = { batch_id: string; message: Message; identity: SendingIdentity };
type Sent = { batch_id: string; result: SendResult };

export function makeSender(documents: Documents): JobHandler {
  return {
    kind: sendKind,
    events: ['invoice.verifactu_submitted', 'invoice.verifactu_failed'],
    outside: {
      begin: (ctx) => begin(ctx, documents),
      async call({ batch_id, message, identity }: Intent, { ports }: OutsideCtx): Promise<Sent> {
        return { batch_id, result: await ports.authority.send(message, identity) };
      },
    },
    async run(ctx, sent?: Sent) {
      await lockChainHead(ctx.tx, ctx.company.company_id);
      const pause_ms = sent ? await settle(ctx, sent, documents) : 0;
      return decideNext(ctx, pause_ms);
    },
  };
}

/** Picks the next message, or the one that has no answer yet. Nothing while nobody can be reached or it has to wait. */
async function begin(ctx: JobCtx, documents: Documents): Promise<Intent | undefined> {
  const { tx, company, now, ports } = ctx;
  const { company_id } = company;
  const [state, registration, open] = await Promise.all([
    store.findSenderState(tx, company_id),
    findRegistration(tx, company_id),
    store.findOpenBatch(tx, company_id),
  ]);
  if (!registration) return undefined;
  const identity = await whoSends(ports, company, registration, now, ctx.today);
  if ('blocked' in identity) {
    if (state.block_reason !== identity.blocked)
      await store.saveSenderState(tx, company_id, { ...state, block_reason: identity.blocked }, now);
    return undefined;
  }
  // What stood in the way is gone; what the authority itself said stands until it says otherwise.
  if (sendingBlocks.some((block) => block === state.block_reason)) {
    state.block_reason = null;
    await store.saveSenderState(tx, company_id, state, now);
  }
  if (isWaiting(state, ctx) && (await store.countWaiting(tx, company_id)) < batchMax) return undefined;
  const batch = open ? await readBatch(ctx, open) : await makeBatch(ctx, state, documents);
  if (!batch) return undefined;
  await Promise.all(store.countAttempt(tx, company_id, batch.id, now));
  const { environment } = company;
  return {
    batch_id: batch.id,
    identity,
    message: {
      environment,
      company_id,
      taxpayer: batch.taxpayer,
      is_incident: batch.is_incident,
      ends_on: batch.ends_on,
      records: batch.texts,
    },
  };
}

/** A frozen sandbox skips the authority's wait. */
function isWaiting({ send_after }: store.SenderState, { now, job: { is_clock_frozen } }: JobCtx): boolean {
  return send_after !== null && send_after > now && !is_clock_frozen;
}

/** A message with the exact texts that it carries. */
type Batch = Pick<store.BatchRow, 'id' | 'taxpayer' | 'is_incident' | 'ends_on'> & {
  texts: readonly string[];
};

/** A message that is stored already: the same records go again. */
async function readBatch({ tx, company: { company_id } }: JobCtx, open: store.BatchRow): Promise<Batch> {
  const records = await store.listOfBatch(tx, company_id, open.id);
  return { ...open, texts: records.map((record) => record.xml) };
}

/** Stores the next message; records that break the schema are kept back, and never keep back others. */
async function makeBatch(
  ctx: JobCtx,
  state: store.SenderState & { ends_on: string | null },
  documents: Documents,
): Promise<Batch | undefined> {
  const { tx, company, now, ports } = ctx;
  const { company_id } = company;
  const waiting = await store.listWaiting(tx, company_id, Math.min(batchMax, state.batch_max));
  // Our own rules were asked when the record was made, and its text has not changed since.
  const broken = waiting.filter(({ xml }) => ports.records.findOfficialFaults(xml).length > 0);
  if (broken.length > 0) await blockBroken(ctx, broken, documents);
  const fit = waiting.filter((record) => !broken.includes(record));
  const [first] = fit;
  if (!first) return undefined;
  // The mark of an incident stands in the header: what has it and what has not do not mix.
  const end = fit.findIndex((record) => record.is_incident !== first.is_incident);
  const records = end < 0 ? fit : fit.slice(0, end);
  const batch = {
    id: newId(),
    taxpayer: { name: company.name ?? '', tax_id: company.tax_id },
    is_incident: first.is_incident,
    ends_on: state.ends_on,
  };
  await store.insertBatch(
    tx,
    company_id,
    {
      ...batch,
      records_count: records.length,
      first_position: first.position,
      last_position: records.at(-1)!.position,
    },
    now,
  );
  await store.assignBatch(
    tx,
    company_id,
    batch.id,
    records.map((record) => record.record_id),
  );
  return { ...batch, texts: records.map((record) => record.xml) };
}

async function blockBroken(
  ctx: JobCtx,
  broken: readonly { record_id: string; invoice_id: string }[],
  documents: Documents,
): Promise<void> {
  const ids = broken.map((record) => record.invoice_id);
  await documents.lock(ctx.tx, ctx.company.company_id, [...new Set(ids)]);
  await store.blockRecords(
    ctx.tx,
    ctx.company.company_id,
    broken.map((record) => record.record_id),
  );
  for (const id of ids) ctx.emit('invoice.verifactu_failed', id);
}

/** Writes down what became of a message. @returns how long to wait besides what the authority asked for */
async function settle(ctx: JobCtx, { batch_id, result }: Sent, documents: Documents): Promise<number> {
  const {
    tx,
    company: { company_id },
    now,
  } = ctx;
  const state = await store.findSenderState(tx, company_id);
  const sent = await store.listSent(tx, company_id, batch_id);
  if (result.kind === 'answer') {
    const outcomes = outcomesOf(sent, result.lines);
    await documents.lock(tx, company_id, [...new Set(sent.map((record) => record.invoice_id))]);
    await store.saveOutcomes(tx, company_id, outcomes, result.csv, now);
    await store.closeBatch(tx, company_id, batch_id, result, now);
    for (const { status, invoice_id } of outcomes) {
      if (status === 'rejected') ctx.emit('invoice.verifactu_failed', invoice_id);
      else if (status !== 'pending') ctx.emit('invoice.verifactu_submitted', invoice_id);
    }
    const has_trouble = outcomes.some((outcome) => outcome.status === 'pending');
    const wait_ms = Math.max(result.wait_seconds * 1000, has_trouble ? troubleMs : 0);
    await store.saveSenderState(
      tx,
      company_id,
      {
        send_after: new Date(now.getTime() + wait_ms),
        wait_seconds: result.wait_seconds,
        batch_max: Math.min(batchMax, state.batch_max * 2),
        failures: 0,
        failing_since: null,
        block_reason: null,
      },
      now,
    );
    return has_trouble ? troubleMs : 0;
  }
  const obstacle = obstacleOf(result);
  if (obstacle.kind === 'repeat') {
    const failures = state.failures + 1;
    ctx.log.warn({ reason: obstacle.reason, failures }, 'the authority could not be reached');
    await store.markIncident(tx, company_id);
    await store.saveSenderState(
      tx,
      company_id,
      { ...state, failures, failing_since: state.failing_since ?? now },
      now,
    );
    return retryAfterMs(failures, state.wait_seconds);
  }
  if (result.kind !== 'fault') throw new Error('Only a fault refuses a message.');
  await Promise.all(store.refuseBatch(tx, company_id, batch_id, result, now));
  if (obstacle.kind === 'blocked') {
    ctx.log.error({ code: result.code }, 'the authority refuses the messages of a company');
    await store.saveSenderState(tx, company_id, { ...state, block_reason: obstacle.reason }, now);
    return hourMs;
  }
  // Which record breaks the schema is not said: halves find it, and it alone is kept back.
  const is_found = sent.length === 1;
  if (is_found) await blockBroken(ctx, sent, documents);
  const batch_max = is_found ? batchMax : Math.ceil(sent.length / 2);
  const send_after = new Date(now.getTime() + state.wait_seconds * 1000);
  await store.saveSenderState(tx, company_id, { ...state, batch_max, send_after }, now);
  return 0;
}

/** When it runs again; the head of the chain is locked, so no record comes in between. */
async function decideNext(ctx: JobCtx, pause_ms: number): Promise<{ next_run_at: Date }> {
  const {
    tx,
    company: { company_id },
    now,
  } = ctx;
  const [head, state, waiting] = await Promise.all([
    lockChainHead(tx, company_id),
    store.findSenderState(tx, company_id),
    store.countWaiting(tx, company_id),
  ]);
  const is_blocked = state.block_reason !== null;
  const is_due = waiting > 0 && !is_blocked;
  await saveChainHead(
    tx,
    company_id,
    // Who issues meanwhile need not tell it: while nothing can be sent it looks each hour.
    { ...head, unsent_count: waiting, is_sender_due: waiting > 0 || pause_ms > 0 },
    0,
  );
  if (!is_due) return { next_run_at: lookAgainIn(ctx, hourMs) };
  if (pause_ms > 0) return { next_run_at: lookAgainIn(ctx, pause_ms) };
  const { send_after } = state;
  const is_held = send_after !== null && isWaiting(state, ctx) && waiting < batchMax;
  return { next_run_at: is_held ? send_after : now };
}
