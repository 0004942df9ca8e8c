/** Payments of invoices: their shape, methods, labels and rows. The operations on them are the invoices'. */
export {
  type PaymentRow, Payment, paymentMethodNames, presentPayment,
} from './payments.schema.ts';
export { insertPayments, listPaymentsOf } from './payments.store.ts';
