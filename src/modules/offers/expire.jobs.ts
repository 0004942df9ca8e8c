/** Stores that offers past their last day have expired, by the company's own calendar. Moves ask the day itself. */
import { addDays, dayIn } from '../../kernel/dates.ts';
import type { Tx } from '../../kernel/operation.ts';
import type { JobCtx } from '../../platform/worker.ts';
import { type Family, lockDocuments, moveLocked } from '../sales/index.ts';
import type { OfferRow } from './offer.fields.ts';

const batchMax = 500;

/** Longest past first. Index: (company_id, valid_until, id) where status = 'pending'. */
async function findEnded(tx: Tx, { tables }: Family<OfferRow>, company_id: string, today: string) {
  const rows = await tx<{ id: string }[]>`
    select id from ${tx(tables.documents)}
     where company_id = ${company_id} and status = 'pending' and valid_until < ${today}
     order by valid_until, id limit ${batchMax}`;
  return rows.map(({ id }) => id);
}

/** Index as for those that have ended. */
async function findNextEnd(tx: Tx, { tables }: Family<OfferRow>, company_id: string, today: string) {
  const [row] = await tx<{ valid_until: string | null }[]>`
    select min(valid_until) as valid_until from ${tx(tables.documents)}
     where company_id = ${company_id} and status = 'pending' and valid_until >= ${today}`;
  return row?.valid_until ?? null;
}

type Expiry = {
  /** Of the job. */
  kind: string;
  events: readonly string[];
  look(ctx: JobCtx): Promise<(() => Promise<void>) | undefined>;
  /** The next day on which one has expired. */
  next(ctx: JobCtx): Promise<string | null>;
};

/** Runs as a task of the company's day, and as a job for what one batch leaves. It may run twice. */
export function expiryOf(family: Family<OfferRow>): Expiry {
  const kind = `${family.collection}.expire`;
  async function look(ctx: JobCtx) {
    const { company_id, time_zone } = ctx.company;
    const today = dayIn(time_zone, ctx.now);
    const ids = await findEnded(ctx.tx, family, company_id, today);
    return ids.length === 0 ? undefined : () => expire(ctx, ids, today);
  }

  async function expire(ctx: JobCtx, ids: readonly string[], today: string): Promise<void> {
    const locked = await lockDocuments(ctx.tx, family, ctx.company.company_id, ids);
    // Another worker, or an answer, may have come first.
    const due = [...locked.values()].filter(
      (row) => row.status === 'pending' && family.statusOn?.(row, today) === 'expired',
    );
    if (due.length > 0) await moveLocked(ctx, family, due, 'expire');
    if (ids.length === batchMax) ctx.enqueue(kind, {});
  }

  return {
    kind,
    events: [family.states.events.expire ?? ''],
    async next({ tx, company: { company_id }, today }) {
      const last_day = await findNextEnd(tx, family, company_id, today);
      return last_day === null ? null : addDays(last_day, 1);
    },
    look,
  };
}
