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

export { purchaseInvoices } from './purchase-invoices.family.ts';
export { scanUses } from './purchase-invoices.store.ts';

export const purchaseInvoicesOperations: readonly Operation[] = [
  listPurchaseInvoices,
  createPurchaseInvoice,
  getPurchaseInvoice,
  updatePurchaseInvoice,
  deletePurchaseInvoice,
  duplicatePurchaseInvoice,
  markPurchaseInvoiceReceived,
  markPurchaseInvoiceAccounted,
  cancelPurchaseInvoice,
];
