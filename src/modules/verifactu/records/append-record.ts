/** Adds one record to the chain outside of issuing. */
import type { Ctx } from '../../../kernel/operation.ts';
import { chainRecords, type KeptRecord, type RecordSeed, signRecords, storeRecords } from './chain.ts';
import { raiseClockAlarm } from './clock-alarm.ts';
import type { Recorder } from './recorder.ts';
import { saveChainHead } from './records.store.ts';
import { wakeSenderNow } from '../sending/sender.store.ts';
import type { ChainHead } from './records.rows.ts';

/** @param head locked; moved on and saved */
export async function appendRecord(
  {
    tx,
    company,
    ports,
    now,
    today,
    realNow,
  }: Pick<Ctx, 'tx' | 'company' | 'ports' | 'now' | 'today' | 'realNow'>,
  recorder: Recorder,
  head: ChainHead & { last_issued_at: Date | null },
  seed: RecordSeed,
): Promise<KeptRecord> {
  const { company_id } = company;
  const [kept] = chainRecords(ports, recorder, head, now, [seed]);
  if (!kept) throw new Error('A record was not made.');
  await signRecords(ports, recorder, [kept]);
  await raiseClockAlarm({ tx, ports, company, now, today }, recorder, head);
  const writes = storeRecords(tx, company_id, [kept]);
  if (kept.sending) {
    // The sender itself keeps the authority's waiting time.
    if (!head.is_sender_due) writes.push(...wakeSenderNow(tx, company_id, now, realNow()));
    head.unsent_count += 1;
    head.is_sender_due = true;
  }
  writes.push(saveChainHead(tx, company_id, head, 0));
  await Promise.all(writes);
  return kept;
}
