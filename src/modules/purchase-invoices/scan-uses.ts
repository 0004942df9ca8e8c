/** What scans ask of purchases (`modules/purchase-scans/ports.ts`). */
import { Problem, reasonText } from '../../kernel/problem.ts';
import { checkInput } from '../../platform/check-call.ts';
import type { ScanUses } from '../purchase-scans/index.ts';
import { contentOf, newDraft } from '../sales/index.ts';
import { purchaseInvoices, registeredAlready } from './purchase-invoices.family.ts';
import { createPurchaseInvoice } from './purchase-invoices.operations.ts';
import { plainNumber } from './rules/purchase-fields.ts';
import { findSamePaper, isReceivedPurchase, isRegistered } from './purchase-invoices.store.ts';

export const scanUses: ScanUses = {
  async refusalOf(ctx, body) {
    // A check changes the case of ids.
    const sent = structuredClone(body);
    try {
      checkInput(createPurchaseInvoice, { params: undefined, query: undefined, body: sent });
      const { document } = await newDraft(ctx, purchaseInvoices, contentOf(purchaseInvoices, sent));
      if (await isRegistered(ctx.tx, ctx.company.company_id, document)) throw registeredAlready();
      return null;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return reasonText(error);
    }
  },
  isReceived: isReceivedPurchase,
  findSame: (tx, company_id, { supplier_id, number }) =>
    findSamePaper(tx, company_id, { supplier_id, number: plainNumber(number) }),
};
