/** Finds what waits for somebody in a live company's records, certificate and representation (docs/monitoring.md). */
import type { Tx } from '../../../kernel/operation.ts';
import type { JobCtx } from '../../../platform/job-handler.ts';
import { setWatched, type Watched } from '../../../platform/watched.ts';
import { isLastRecord } from '../records/records.store.ts';

const kinds = [
  'records_waiting',
  'records_held',
  'records_blocked',
  'records_rejected',
  'certificate',
  'representation',
] as const satisfies readonly Watched['kind'][];

/** Of one company, the newest rejected ones and the first blocked ones. */
const countedMax = 1000;

/**
 * A sandbox's faults are its developer's.
 * @param waiting records that nothing but the authority or the company holds up
 * @param is_held nothing of the company can be sent
 */
export async function watchCompany(
  { tx, company }: JobCtx,
  { waiting, is_held }: { waiting: number; is_held: boolean },
): Promise<void> {
  if (company.environment !== 'live') return;
  const { company_id } = company;
  const [found, oldest_at] = await Promise.all([
    findWatched(tx, company_id),
    waiting > 0 ? findOldestWaiting(tx, company_id) : null,
  ]);
  const kind = is_held ? 'records_held' : 'records_waiting';
  const waits: Watched[] = oldest_at === null ? [] : [{ kind, things: waiting, at: oldest_at }];
  await setWatched(tx, company_id, kinds, [...waits, ...found]);
}

async function findOldestWaiting(tx: Tx, company_id: string): Promise<Date | null> {
  const [row] = await tx<{ created_at: Date }[]>`
    select created_at from verifactu_sendings
     where company_id = ${company_id} and status in ('pending', 'sending') and not is_blocked
     order by position limit 1`.execute();
  return row?.created_at ?? null;
}

/** A representation lasts to the end of its day. */
async function findWatched(tx: Tx, company_id: string): Promise<Watched[]> {
  const max = tx.unsafe(String(countedMax));
  const isLast = isLastRecord(tx, company_id);
  const rows = await tx<(Omit<Watched, 'at'> & { at: Date | null })[]>`
    select 'records_blocked' as kind, count(*)::integer as things, min(s.created_at) as at
      from (select b.record_id, b.created_at from verifactu_sendings b
             where b.company_id = ${company_id} and b.is_blocked order by b.record_id limit ${max}) s
     where ${isLast}
    union all
    select 'records_rejected', count(*)::integer, min(s.answered_at)
      from (select b.record_id, b.answered_at from verifactu_sendings b
             where b.company_id = ${company_id} and b.status = 'rejected' order by b.record_id desc limit ${max}) s
     where ${isLast}
    union all
    select 'certificate', 1, valid_until from verifactu_certificates where company_id = ${company_id} and is_current
    union all
    select 'representation', 1, (valid_until + 1)::timestamp at time zone 'UTC' from verifactu_representations
     where company_id = ${company_id} and is_current and revoked_at is null`.execute();
  return rows.flatMap(({ kind, things, at }) => (at === null ? [] : [{ kind, things, at }]));
}
