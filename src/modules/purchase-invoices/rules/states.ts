/** Which moves a purchase allows. Accounted, paid and both are told apart, since each closes something of its own. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineStates, type StateTable } from '../../../kernel/states.ts';
import { hasLivePayment, type Standing } from './status.ts';

const stages = ['draft', 'open', 'paid_into', 'accounted', 'accounted_and_paid_into', 'cancelled'] as const;
export type Stage = (typeof stages)[number];

export const purchaseMoves = [
  'edit_content',
  'edit_labels',
  'delete',
  'mark_received',
  'mark_accounted',
  'pay',
  'reverse_payment',
  'cancel',
] as const;
export type PurchaseMove = (typeof purchaseMoves)[number];

export function stageOf(row: Standing): Stage {
  if (row.cancelled_at !== null) return 'cancelled';
  if (row.number === null) return 'draft';
  if (row.accounted_at === null) return hasLivePayment(row) ? 'paid_into' : 'open';
  return hasLivePayment(row) ? 'accounted_and_paid_into' : 'accounted';
}

const no = c.invalid_status_transition;
const refused = Object.fromEntries(purchaseMoves.map((move) => [move, no])) as Record<
  PurchaseMove,
  typeof no
>;
/** What is not named is refused. Labels change in every stage. The status follows from the row, not from the cell. */
const allowing = (stage: Stage, ...moves: readonly PurchaseMove[]) =>
  ({
    ...refused,
    ...Object.fromEntries(['edit_labels', ...moves].map((move) => [move, stage])),
  }) as StateTable<Stage, PurchaseMove>[Stage];

export const purchaseStates = defineStates<Stage, PurchaseMove>(
  {
    draft: allowing('draft', 'edit_content', 'delete', 'mark_received'),
    open: allowing('open', 'edit_content', 'mark_accounted', 'pay', 'cancel'),
    paid_into: allowing('paid_into', 'mark_accounted', 'pay', 'reverse_payment'),
    accounted: allowing('accounted', 'mark_received', 'pay', 'cancel'),
    accounted_and_paid_into: allowing('accounted_and_paid_into', 'mark_received', 'pay', 'reverse_payment'),
    cancelled: allowing('cancelled'),
  },
  {
    draft: 'en borrador',
    open: 'sin contabilizar ni pagar',
    paid_into: 'con pagos',
    accounted: 'contabilizada y sin pagos',
    accounted_and_paid_into: 'contabilizada y con pagos',
    cancelled: 'cancelada',
  },
);
