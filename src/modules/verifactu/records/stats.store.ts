/** Nearly all records are accepted. Indexes count the others; the accepted ones are the rest. */
import type { Tx } from '../../../kernel/operation.ts';
import { isLastRecord } from './records.store.ts';

export type StatsRow = {
  /** All records; `kept` are those of no-verifactu mode. */
  made: number;
  kept: number;
  pending: number;
  sending: number;
  /** Among the pending and the sending. */
  held_back: number;
  late: number;
  accepted_with_errors: number;
  rejected: number;
  /** Among the rejected: nobody has mended or annulled the invoice yet. */
  rejected_open: number;
  oldest_at: Date | null;
};

/** One statement: all figures are of one instant. */
export async function readStats(tx: Tx, company_id: string): Promise<StatsRow> {
  const [row] = await tx<StatsRow[]>`
    select h.record_position::float8 as made, h.kept_count::float8 as kept, o.*, e.*,
           (select count(*)::float8 from verifactu_sendings s
             where s.company_id = ${company_id} and s.status = 'rejected' and ${isLastRecord(tx, company_id)}) as rejected_open,
           (select s.created_at from verifactu_sendings s
             where s.company_id = ${company_id} and s.status in ('pending', 'sending')
             order by s.position limit 1) as oldest_at
      from issuing_heads h,
           (select count(*) filter (where s.status = 'pending')::float8 as pending,
                   count(*) filter (where s.status = 'sending')::float8 as sending,
                   count(*) filter (where s.is_blocked)::float8 as held_back,
                   count(*) filter (where s.is_incident and not s.is_blocked)::float8 as late
              from verifactu_sendings s
             where s.company_id = ${company_id} and s.status in ('pending', 'sending')) o,
           (select count(*) filter (where s.status = 'accepted_with_errors')::float8 as accepted_with_errors,
                   count(*) filter (where s.status = 'rejected')::float8 as rejected
              from verifactu_sendings s
             where s.company_id = ${company_id} and s.status in ('accepted_with_errors', 'rejected')) e
     where h.company_id = ${company_id}`;
  if (!row) throw new Error('The company has no issuing head.');
  return row;
}
