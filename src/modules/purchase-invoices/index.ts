/** Purchase invoices: what suppliers invoice, what of it is deducted, and what is paid. Owns `purchase_invoices` and their payments. */
import type { Operation } from '../../kernel/operation.ts';
import {
  cancelPurchaseInvoice,
  createPurchaseInvoice,
  deletePurchaseInvoice,
  duplicatePurchaseInvoice,
  getPurchaseInvoice,
  listPurchaseInvoices,
  markPurchaseInvoiceAccounted,
  markPurchaseInvoiceReceived,
  updatePurchaseInvoice,
} from './purchase-invoices.operations.ts';
import { markPurchaseInvoicePaid } from './operations/mark-purchase-invoice-paid.ts';
import { registerPurchaseInvoicePayment } from './operations/register-purchase-invoice-payment.ts';
import { reversePurchaseInvoicePayment } from './operations/reverse-purchase-invoice-payment.ts';

export { findExpenses } from './purchase-invoices.store.ts';
export { purchaseInvoices } from './purchase-invoices.family.ts';
export { scanUses } from './scan-uses.ts';

export const purchaseInvoicesOperations: readonly Operation[] = [
  listPurchaseInvoices,
  createPurchaseInvoice,
  getPurchaseInvoice,
  updatePurchaseInvoice,
  deletePurchaseInvoice,
  duplicatePurchaseInvoice,
  markPurchaseInvoiceReceived,
  markPurchaseInvoiceAccounted,
  markPurchaseInvoicePaid,
  registerPurchaseInvoicePayment,
  reversePurchaseInvoicePayment,
  cancelPurchaseInvoice,
];
