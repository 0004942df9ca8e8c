/** Payments of invoices: their shape, methods, labels and rows. The operations on them are the invoices'. */
export {
  type PaymentMethod,
  type PaymentRow,
  Payment,
  PaymentMethodName,
  presentPayment,
  type ReversalReason,
  ReversalReasonName,
} from './payments.schema.ts';
export { insertPayments, listPaymentsOf, reversePayments } from './payments.store.ts';
