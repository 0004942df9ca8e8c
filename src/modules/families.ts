/** Every family of documents: of sales, and of purchases. Printing, links and e-mails of all kinds follow from this list. */
import type { ContactUses } from './contacts/index.ts';
import type { EmailedDocuments } from './emails/index.ts';
import { deliveryNotes } from './delivery-notes/index.ts';
import { invoices } from './invoices/index.ts';
import { answersTo } from './offers/index.ts';
import type { AddressCodes, DocumentSources } from './pdfs/index.ts';
import type { ProductUses } from './products/index.ts';
import { proformas } from './proformas/index.ts';
import { purchaseInvoices } from './purchase-invoices/index.ts';
import { supplierOfScans } from './purchase-scans/index.ts';
import { quotes } from './quotes/index.ts';
import { recurringInvoices } from './recurring-invoices/index.ts';
import {
  contactUses,
  documentSource,
  emailedDocument,
  type Family,
  productUses,
  taxUses,
} from './sales/index.ts';
import type { TaxUses } from './taxes/index.ts';

export const families: readonly Family[] = [
  invoices,
  deliveryNotes,
  proformas,
  quotes,
  recurringInvoices,
  purchaseInvoices,
];

function byKind<T>(all: readonly Family[], make: (family: Family) => T): Record<string, T> {
  return Object.fromEntries(all.map((family) => [family.object, make(family)]));
}

export function documentSourcesOf(all: readonly Family[]): DocumentSources {
  return byKind(
    all.filter(({ paper }) => paper !== null),
    documentSource,
  ) as DocumentSources;
}

/** How the e-mails of each kind change its documents. */
export function emailedDocumentsOf(all: readonly Family[]): EmailedDocuments {
  return byKind(
    all.filter(({ mail }) => mail !== null),
    emailedDocument,
  ) as EmailedDocuments;
}

/** The kinds that a client answers on their public page. */
export const answers = { quote: answersTo(quotes), proforma: answersTo(proformas) };

/** The number of each kind within public addresses. */
export function addressCodesOf(all: readonly Family[]): AddressCodes {
  return byKind(
    all.filter(({ address_code }) => address_code !== null),
    ({ address_code }) => address_code,
  ) as AddressCodes;
}

/** Which products are on documents of any kind. */
export function productUsesOf(all: readonly Family[]): ProductUses {
  return productUses(all.map(({ tables }) => tables.lines));
}

/** Which taxes recurrences name that go on, or may be resumed. */
export function taxUsesOf(all: readonly Family[]): TaxUses {
  const templates = all.filter(({ is_template }) => is_template);
  return taxUses(
    templates.map(({ tables }) => tables),
    ['active', 'paused'],
  );
}

/** Which contacts are on documents of any kind: each kind names its party. */
export function contactUsesOf(all: readonly Family[]): ContactUses {
  const placesOf = (role: Family['party']) =>
    all
      .filter(({ party }) => party === role)
      .map(({ tables }) => ({ table: tables.documents, column: 'client_id' }));
  return contactUses({ client: placesOf('client'), supplier: [...placesOf('supplier'), supplierOfScans] });
}
