/**
 * The states of an offer: a quote or a pro-forma invoice. Each cell is the next state, or the error that refuses the move.
 * Operations, jobs, documentation and tests read this table.
 */
import { commonErrors as c } from '../../kernel/common.errors.ts';
import { defineStates, type StateTable } from '../../kernel/states.ts';

export const offerStatuses = [
  'draft',
  'pending',
  'accepted',
  'rejected',
  'expired',
  'cancelled',
  'converted',
] as const;
export type OfferStatus = (typeof offerStatuses)[number];

export const offerMoves = [
  'edit_content',
  'edit_labels',
  'delete',
  'mark_pending',
  'send',
  'accept',
  'reject',
  'cancel',
  'convert',
  'expire',
] as const;
export type OfferMove = (typeof offerMoves)[number];

const refused = Object.fromEntries(offerMoves.map((move) => [move, c.invalid_status_transition]));

/** All that is not named is refused. Labels change in every state. */
const allowing = (status: OfferStatus, allowed: Partial<Record<OfferMove, OfferStatus>>) =>
  ({ ...refused, edit_labels: status, ...allowed }) as StateTable<OfferStatus, OfferMove>[OfferStatus];

export const offerStates = defineStates<OfferStatus, OfferMove>({
  draft: allowing('draft', {
    edit_content: 'draft',
    delete: 'draft',
    mark_pending: 'pending',
    send: 'pending',
    accept: 'accepted',
  }),
  pending: allowing('pending', {
    edit_content: 'pending',
    send: 'pending',
    accept: 'accepted',
    reject: 'rejected',
    cancel: 'cancelled',
    convert: 'converted',
    expire: 'expired',
  }),
  accepted: allowing('accepted', {
    mark_pending: 'pending',
    send: 'accepted',
    cancel: 'cancelled',
    convert: 'converted',
  }),
  rejected: allowing('rejected', { mark_pending: 'pending', cancel: 'cancelled' }),
  expired: allowing('expired', { mark_pending: 'pending', cancel: 'cancelled' }),
  cancelled: allowing('cancelled', {}),
  converted: allowing('converted', {}),
});

/** Past its last day a pending offer has expired, also before the job that stores it has run. */
export function offerStatusOn(
  { status, valid_until }: { status: string; valid_until: string | null },
  today: string,
): string {
  return status === 'pending' && valid_until !== null && valid_until < today ? 'expired' : status;
}
