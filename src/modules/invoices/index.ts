/** Invoices: drafts, issuing, payments. Owns numbering inside the one function that commits plans. */
import type { Operation } from '../../kernel/operation.ts';
import { annulInvoice } from './operations/annul-invoice.ts';
import { bulkCreateInvoices } from './operations/bulk-create-invoices.ts';
import { canAnnulInvoice } from './operations/can-annul-invoice.ts';
import { canIssueInvoice } from './operations/can-issue-invoice.ts';
import { createCorrective } from './operations/create-corrective.ts';
import { createInvoice } from './operations/create-invoice.ts';
import { deleteInvoice } from './operations/delete-invoice.ts';
import { duplicateInvoice } from './operations/duplicate-invoice.ts';
import { getInvoice } from './operations/get-invoice.ts';
import { getInvoicePdf } from './operations/get-invoice-pdf.ts';
import { getInvoicePdfLink } from './operations/get-invoice-pdf-link.ts';
import { getInvoiceVerifactu } from './operations/get-invoice-verifactu.ts';
import { issueInvoice } from './operations/issue-invoice.ts';
import { listInvoices } from './operations/list-invoices.ts';
import { markInvoiceSent } from './operations/mark-invoice-sent.ts';
import { registerPayment } from './operations/register-payment.ts';
import { reversePayment } from './operations/reverse-payment.ts';
import { sendInvoice } from './operations/send-invoice.ts';
import { sendInvoiceReminder } from './operations/send-invoice-reminder.ts';
import { substituteSimplified } from './operations/substitute-simplified.ts';
import { updateInvoice } from './operations/update-invoice.ts';
import { voidInvoice } from './operations/void-invoice.ts';

export { invoiceDocument } from './invoice-document.ts';
export { emailedInvoice } from './emailed-invoice.ts';
export { lockInvoices } from './invoices.store.ts';

export { checkInvoices, checkRecordedInvoices } from './check-invoices.ts';

export const invoicesOperations: readonly Operation[] = [
  listInvoices,
  createInvoice,
  getInvoice,
  getInvoiceVerifactu,
  getInvoicePdf,
  getInvoicePdfLink,
  updateInvoice,
  deleteInvoice,
  issueInvoice,
  sendInvoice,
  sendInvoiceReminder,
  markInvoiceSent,
  duplicateInvoice,
  registerPayment,
  reversePayment,
  canAnnulInvoice,
  annulInvoice,
  voidInvoice,
  createCorrective,
  substituteSimplified,
  canIssueInvoice,
  bulkCreateInvoices,
];
