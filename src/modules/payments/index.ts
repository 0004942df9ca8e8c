/** Payments of invoices: their shape, methods, labels and rows. The operations on them are the invoices'. */
export {
  type PaymentMethod,
  type PaymentRow,
  Payment,
  paymentMethodNames,
  presentPayment,
  type ReversalReason,
  reversalReasons,
} from './payments.schema.ts';
export { insertPayments, listPaymentsOf, reversePayments } from './payments.store.ts';
