/** Event 10: what happened and was recorded since the last summary. */
import type { Tx } from '../../../kernel/operation.ts';
import { logOrKeepEvents } from './pending-events.ts';
import { boundedSums, noteOfSums } from './rules/bounded-sums.ts';
import type { LogContext, NewEvent } from './event-log.ts';
import type { ChainLink, EventType } from '../record.ts';

const countMax = 9999;
const recordsMax = 999_999;

type SumRow = {
  altas: number;
  anulaciones: number;
  tax_total: string | null;
  total: string | null;
  first: ChainLink | null;
  last: ChainLink | null;
};

async function sumRecords(tx: Tx, company_id: string, after: number, to: number) {
  const link = tx`json_build_object('tax_id', tax_id, 'number', number, 'issued_on', issued_on, 'huella', huella)`;
  const of = tx`company_id = ${company_id} and position > ${after} and position <= ${to} and mode = 'no_verifactu'`;
  const [row] = await tx<SumRow[]>`
    select count(*) filter (where kind = 'alta')::integer as altas,
           count(*) filter (where kind = 'anulacion')::integer as anulaciones,
           sum(tax_total)::numeric(24, 2)::text as tax_total, sum(total)::numeric(24, 2)::text as total,
           (select ${link} from verifactu_records where ${of} order by position limit 1) as first,
           (select ${link} from verifactu_records where ${of} order by position desc limit 1) as last
      from verifactu_records where ${of}`;
  const { altas = 0, anulaciones = 0, tax_total, total, first = null, last = null } = row ?? {};
  return { altas, anulaciones, tax_total: tax_total ?? '0.00', total: total ?? '0.00', first, last };
}

/** Locks the end of the chain. Later records belong to the next summary. */
async function lockSummed(tx: Tx, company_id: string): Promise<{ after: number; to: number }> {
  const [row] = await tx<{ record_position: string; summed_position: string }[]>`
    select h.record_position, s.summed_position
      from issuing_heads h join verifactu_settings s on s.company_id = ${company_id}
     where h.company_id = ${company_id} for update of h`.execute();
  if (!row) throw new Error('A company that never turned VeriFactu on has no log of events.');
  return { after: Number(row.summed_position), to: Number(row.record_position) };
}

function countEvents(tx: Tx, company_id: string) {
  return tx<{ type: EventType; count: number }[]>`
    select type, least(count(*), ${countMax})::integer as count from verifactu_events
     where company_id = ${company_id}
       and position > coalesce((select max(position) from verifactu_events
                                 where company_id = ${company_id} and type = '10'), 0)
     group by type order by type`;
}

export async function logSummary(ctx: LogContext, others: readonly NewEvent[] = []): Promise<void> {
  const { tx, company, now } = ctx;
  const { company_id } = company;
  const { after, to } = await lockSummed(tx, company_id);
  const [found, records] = await Promise.all([
    countEvents(tx, company_id),
    sumRecords(tx, company_id, after, to),
  ]);
  // The schema wants an entry even when nothing happened.
  const counts = found.length === 0 ? [{ type: '10' as const, count: 0 }] : [...found];
  const details = { type: '10' as const, counts, records: boundedSums(records, recordsMax) };
  await logOrKeepEvents(ctx, [{ details, note: noteOfSums(records) }, ...others]);
  await tx`update verifactu_settings
              set last_summary_at = ${now}, summed_position = ${to}, updated_at = ${now}
            where company_id = ${company_id}`;
}
