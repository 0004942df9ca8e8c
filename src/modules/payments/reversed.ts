/** A payment that is taken back stays, with why and when. */
import type { ReversalReason } from './paid.ts';

type Reversal = { reason: ReversalReason; note: string | null; now: Date };

export function reversedPayment<R extends object>(payment: R, { reason, note, now }: Reversal) {
  const at = now.toISOString();
  return {
    ...payment,
    is_reversed: true,
    reversed_at: at,
    reversal_reason: reason,
    reversal_note: note,
    updated_at: at,
  };
}
