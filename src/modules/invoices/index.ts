/** Invoices: drafts, issuing, payments. Only the commit of plans takes their numbers. */
import type { Operation } from '../../kernel/operation.ts';
import { annulInvoice } from './operations/annul-invoice.ts';
import { bulkCreateInvoices } from './operations/bulk-create-invoices.ts';
import { canAnnulInvoice } from './operations/can-annul-invoice.ts';
import { canIssueInvoice } from './operations/can-issue-invoice.ts';
import { createCorrectiveInvoice } from './operations/create-corrective-invoice.ts';
import { createInvoice } from './operations/create-invoice.ts';
import { getClientBalance } from './operations/get-client-balance.ts';
import { getClientStatement } from './operations/get-client-statement.ts';
import { getInvoiceVerifactu } from './operations/get-invoice-verifactu.ts';
import {
  deleteInvoice,
  duplicateInvoice,
  getInvoice,
  getInvoicePdf,
  getInvoicePdfLink,
  listInvoices,
  revokeInvoicePublicLink,
  sendInvoice,
  updateInvoice,
} from './invoices.operations.ts';
import { issueInvoice } from './operations/issue-invoice.ts';
import { listPayments } from './operations/list-payments.ts';
import { markInvoiceSent } from './operations/mark-invoice-sent.ts';
import { registerInvoicePayment } from './operations/register-invoice-payment.ts';
import { reverseInvoicePayment } from './operations/reverse-invoice-payment.ts';
import { sendInvoiceReminder } from './operations/send-invoice-reminder.ts';
import { substituteSimplifiedInvoices } from './operations/substitute-simplified-invoices.ts';
import { voidInvoice } from './operations/void-invoice.ts';

export { invoiceTarget } from './converting.ts';
export { checkSimplified, Invoice, invoices } from './invoices.family.ts';
export { invoiceErrors } from './invoices.errors.ts';
export type { InvoiceInputBody } from './invoices.schema.ts';
export { type CallToCommit, commitCalls, commitInvoicePlan } from './issuing/commit-plans.ts';
export type { Committed, PartOutcome, Replayed } from './issuing/group.ts';
export type { InvoicePlan } from './issuing/plan.ts';
export { amountsOf, invoiceRunOutput } from './issuing/dry-run.ts';
export { prepareCreation, readForCreation } from './issuing/prepare-creation.ts';
export { addressWarningCodes } from './rules/addresses.ts';
export { seriesKindOf } from './rules/invoice-types.ts';
export { checkSurchargeApart } from './rules/surcharge-rules.ts';
export { lockInvoices } from './stored-invoices.ts';

export { checkInvoices, checkRecordedInvoices } from './check-invoices.ts';

export const invoicesOperations: readonly Operation[] = [
  listInvoices,
  createInvoice,
  getInvoice,
  getInvoiceVerifactu,
  getInvoicePdf,
  getInvoicePdfLink,
  revokeInvoicePublicLink,
  updateInvoice,
  deleteInvoice,
  issueInvoice,
  sendInvoice,
  sendInvoiceReminder,
  markInvoiceSent,
  duplicateInvoice,
  registerInvoicePayment,
  reverseInvoicePayment,
  listPayments,
  getClientBalance,
  getClientStatement,
  canAnnulInvoice,
  annulInvoice,
  voidInvoice,
  createCorrectiveInvoice,
  substituteSimplifiedInvoices,
  canIssueInvoice,
  bulkCreateInvoices,
];
