/** Operations on payments belong to invoices. */
export {
  type PaymentMethod,
  type PaymentRow,
  Payment,
  PaymentMethodName,
  presentPayment,
  type ReversalReason,
  ReversalReasonName,
  reversalReasonText,
} from './payments.schema.ts';
export {
  findPaymentByExternalId,
  insertPayments,
  isTakenId,
  listPaymentsOf,
  livePaymentsOf,
  reversePayments,
} from './payments.store.ts';
export { reversedPayment } from './reversed.ts';
export { checkPaymentReplay } from './replay.ts';
export { listPaymentRows, paymentSorts } from './payments.list.ts';
