/** Operations on payments belong to invoices. */
export {
  newPaid,
  paidInput,
  paidMembers,
  type PaidRow,
  type PaymentMethod,
  PaymentMethodName,
  presentPaid,
  type ReversalReason,
  ReversalReasonName,
} from './paid.ts';
export { type PaymentRow, Payment, presentPayment } from './payments.schema.ts';
export { readPagePayments } from './page-payments.ts';
export { paymentsMax, refuseMorePayments } from './most-payments.ts';
export {
  countPaymentsOf,
  findPaymentByExternalId,
  findPaymentOf,
  insertPayments,
  isTakenId,
  listPagePayments,
  listPaymentsOf,
  livePaymentsOf,
  reversePayments,
} from './payments.store.ts';
export { reversedPayment } from './reversed.ts';
export { checkPaymentReplay } from './replay.ts';
export { listPaymentRows, paymentSorts } from './payments.list.ts';

/** What emptying a sandbox deletes here: rows that refer to others go first. */
export const sandboxTables = ['payments'];
