/** The five families of sales documents, as the cases of `checkFamily` need them. */
import { proformas } from '../../src/modules/proformas/index.ts';
import { quotes } from '../../src/modules/quotes/index.ts';
import type { Family } from '../../src/modules/sales/index.ts';
import { noteSetup } from './families/delivery-notes.ts';
import { invoiceSetup } from './families/invoices.ts';
import { offerSetup } from './families/offers.ts';
import { recurringSetup } from './families/recurring-invoices.ts';
import type { FamilySetup } from './family-setup.ts';

export const salesFamilies: readonly FamilySetup[] = [
  invoiceSetup,
  offerSetup(quotes, 'quote'),
  offerSetup(proformas as unknown as Family, 'proforma'),
  noteSetup,
  recurringSetup,
];
