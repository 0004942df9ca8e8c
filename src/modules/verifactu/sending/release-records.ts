import type { Ctx } from '../../../kernel/operation.ts';
import { lockChainHead, saveChainHead } from '../records/records.store.ts';
import { findRegistration } from '../records/registration.store.ts';
import { companyBlock } from './rules/blocking.ts';
import {
  countWaiting,
  findSenderState,
  saveSenderState,
  unblockRecords,
  wakeSenderNow,
} from './sender.store.ts';
import { sendingBlock } from './sending-identity.ts';

/**
 * Runs the company's sender at once.
 * @param record_ids that broke the schema and no longer do; one whose invoice has a later record stays held back
 * @returns how many records were released
 */
export async function releaseRecords(ctx: Ctx, record_ids: readonly string[]): Promise<number> {
  const { tx, company, ports, now, today, realNow } = ctx;
  const { company_id, environment } = company;
  const registration = await findRegistration(tx, company_id);
  if (!registration) return 0;
  const block = sendingBlock(ports, company, registration, now, today);
  const head = await lockChainHead(tx, company_id);
  const state = await findSenderState(tx, company_id);
  const is_authority_configured = ports.authority.isConfigured(environment);
  const was_blocked = companyBlock({ is_authority_configured, block_reason: state.block_reason }) !== null;
  const held_with_company = was_blocked ? await countWaiting(tx, company_id) : 0;
  const unblocked = record_ids.length === 0 ? 0 : await unblockRecords(tx, company_id, record_ids);
  const waiting = await countWaiting(tx, company_id);
  const writes: Promise<unknown>[] = [
    saveChainHead(tx, company_id, { ...head, unsent_count: waiting, is_sender_due: waiting > 0 }, 0),
  ];
  if (state.block_reason !== block)
    writes.push(saveSenderState(tx, company_id, { ...state, block_reason: block }, now).execute());
  if (waiting > 0) writes.push(...wakeSenderNow(tx, company_id, now, realNow()));
  await Promise.all(writes);
  return block === null ? held_with_company + unblocked : 0;
}
