/** A payment asked for again by its external id. */
import { isDeepStrictEqual } from 'node:util';
import { commonErrors as c } from '../../kernel/common.errors.ts';
import { fail } from '../../kernel/problem.ts';

type Labels = {
  payment_date: string;
  reference: string | null;
  notes: string | null;
  metadata: Record<string, string>;
};
type SentLabels = { [K in keyof Labels]?: Labels[K] | null | undefined };

/**
 * What was left out is not compared: nobody knows later whether the day was sent.
 * @param said members that every such request says
 * @throws 409 idempotency_key_reused, subcode unattended_replay_mismatch
 */
export function checkPaymentReplay<R extends Labels>(known: R, sent: SentLabels, said: Partial<R>): void {
  const { reference = known.reference, notes = known.notes, metadata = known.metadata } = sent;
  const payment_date = sent.payment_date ?? known.payment_date;
  const labels = { payment_date, reference, notes, metadata: metadata ?? {} };
  if (!isDeepStrictEqual({ ...known, ...said, ...labels }, { ...known }))
    throw fail(c.idempotency_key_reused, { param: 'external_id', subcode: 'unattended_replay_mismatch' });
}
