/** Recurrences: what an invoice says and on which days one is made. The invoices are made by `modules/invoices`. */
import type { Operation } from '../../kernel/operation.ts';
import {
  bulkChangeRecurringInvoiceStatus,
  bulkDeleteRecurringInvoices,
} from './recurring-invoices-bulk.operations.ts';
import { emitRecurringInvoice } from './operations/emit-recurring-invoice.ts';
import {
  listRecurringInvoiceOccurrences,
  previewRecurringInvoice,
} from './recurring-invoices-days.operations.ts';
import {
  activateRecurringInvoice,
  cancelRecurringInvoice,
  createRecurringInvoice,
  deleteRecurringInvoice,
  duplicateRecurringInvoice,
  getRecurringInvoice,
  listRecurringInvoices,
  pauseRecurringInvoice,
  resumeRecurringInvoice,
  updateRecurringInvoice,
} from './recurring-invoices.operations.ts';

export { recurringInvoices } from './recurring-invoices.family.ts';
export { nextAfterRun, rezoneRecurrences, runRecurrence } from './recurring-invoices.jobs.ts';

export const recurringInvoicesOperations: readonly Operation[] = [
  listRecurringInvoices,
  createRecurringInvoice,
  getRecurringInvoice,
  updateRecurringInvoice,
  deleteRecurringInvoice,
  duplicateRecurringInvoice,
  pauseRecurringInvoice,
  resumeRecurringInvoice,
  activateRecurringInvoice,
  cancelRecurringInvoice,
  emitRecurringInvoice,
  bulkChangeRecurringInvoiceStatus,
  bulkDeleteRecurringInvoices,
  listRecurringInvoiceOccurrences,
  previewRecurringInvoice,
];
