/** Stores a company's next message before it goes out. */
import { newId } from '../../../kernel/uuid7.ts';
import { makeGivingWay } from '../../../platform/give-way.ts';
import type { JobCtx } from '../../../platform/job-handler.ts';
import type { Message, SendingIdentity } from '../ports.ts';
import { findRegistration } from '../records/registration.store.ts';
import * as batches from './batches.store.ts';
import { type Documents, keepBack } from './keep-back.ts';
import {
  countWaiting,
  findSenderState,
  markIncident,
  saveSenderState,
  type SenderState,
} from './sender.store.ts';
import { taxpayerOf } from '../records/rules/taxpayer.ts';
import { onTimeSince } from './rules/late.ts';
import { toldEnd } from './rules/told-end.ts';
import { sendingBlocks, whoSends } from './sending-identity.ts';

export const batchMax = 1000;

export type NextMessage = { batch_id: string; message: Message; identity: SendingIdentity };

/**
 * A message without an answer goes first.
 * @returns undefined when nothing waits, when nobody can send, or while the authority wants no message
 */
export async function nextMessage(ctx: JobCtx, documents: Documents): Promise<NextMessage | undefined> {
  const { tx, company, now, ports } = ctx;
  const { company_id } = company;
  const [state, registration, open] = await Promise.all([
    findSenderState(tx, company_id),
    findRegistration(tx, company_id),
    batches.findOpenBatch(tx, company_id),
  ]);
  if (!registration) return undefined;
  const identity = await whoSends(ports, company, registration, now, ctx.today);
  if ('blocked' in identity) {
    if (state.block_reason !== identity.blocked)
      await saveSenderState(tx, company_id, { ...state, block_reason: identity.blocked }, now);
    return undefined;
  }
  // Somebody can send again. What the authority said stands until it says otherwise.
  if (sendingBlocks.some((block) => block === state.block_reason)) {
    state.block_reason = null;
    await saveSenderState(tx, company_id, state, now);
  }
  if (isWaiting(state, ctx) && (await countWaiting(tx, company_id)) < batchMax) return undefined;
  // A sandbox's clock is set forward by hand.
  const on_time = company.environment === 'live' ? onTimeSince(state, now) : undefined;
  if (on_time) await markIncident(tx, company_id, on_time);
  const batch = open ? await readBatch(ctx, open) : await makeBatch(ctx, state, documents);
  if (!batch) return undefined;
  await Promise.all(batches.countAttempt(tx, company_id, batch.id, now));
  const { taxpayer, is_incident, ends_on, texts: records } = batch;
  const { environment } = company;
  const message = { environment, company_id, taxpayer, is_incident, ends_on, records };
  return { batch_id: batch.id, identity, message };
}

/** A frozen sandbox skips the authority's waiting time. */
export function isWaiting({ send_after }: SenderState, { now, job: { is_clock_frozen } }: JobCtx): boolean {
  return send_after !== null && send_after > now && !is_clock_frozen;
}

type Batch = Pick<batches.BatchRow, 'id' | 'taxpayer' | 'is_incident' | 'ends_on'> & {
  texts: readonly string[];
};

async function readBatch({ tx, company: { company_id } }: JobCtx, open: batches.BatchRow): Promise<Batch> {
  const records = await batches.listOfBatch(tx, company_id, open.id);
  return { ...open, texts: records.map((record) => record.xml) };
}

async function makeBatch(
  ctx: JobCtx,
  state: SenderState & { ends_on: string | null },
  documents: Documents,
): Promise<Batch | undefined> {
  const { tx, company, now, today, ports } = ctx;
  const { company_id } = company;
  const waiting = await batches.listWaiting(tx, company_id, Math.min(batchMax, state.batch_max));
  // Our own rules checked each record when it was made. A thousand large ones take a second.
  const giveWay = makeGivingWay();
  const broken: (typeof waiting)[number][] = [];
  for (const record of waiting) {
    if (ports.records.findOfficialFaults(record.xml).length > 0) broken.push(record);
    await giveWay();
  }
  if (broken.length > 0) await keepBack(ctx, broken, documents);
  const fit = waiting.filter((record) => !broken.includes(record));
  const [first] = fit;
  if (!first) return undefined;
  // The header marks an incident: records with and without it travel apart.
  const end = fit.findIndex((record) => record.is_incident !== first.is_incident);
  const records = end < 0 ? fit : fit.slice(0, end);
  const batch = {
    id: newId(),
    taxpayer: taxpayerOf(company),
    is_incident: first.is_incident,
    ends_on: toldEnd(state.ends_on, today),
  };
  await batches.insertBatch(
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
  await batches.assignBatch(
    tx,
    company_id,
    batch.id,
    records.map((record) => record.record_id),
  );
  return { ...batch, texts: records.map((record) => record.xml) };
}
