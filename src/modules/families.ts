/** The one list of families of sales documents. PDFs, pages and e-mails of documents follow from it. */
import type { DocumentKind } from '../domain/sales/document-kinds.ts';
import type { EmailedDocuments } from './emails/index.ts';
import { invoices } from './invoices/index.ts';
import type { DocumentSources } from './pdfs/index.ts';
import { documentSource, emailedDocument, type Family } from './sales/index.ts';

export const families: readonly Family[] = [invoices];

function byKind<T>(all: readonly Family[], make: (family: Family) => T): Record<DocumentKind, T> {
  return Object.fromEntries(all.map((family) => [family.object, make(family)])) as Record<DocumentKind, T>;
}

export function documentSources(): DocumentSources {
  return byKind(
    families.filter(({ paper }) => paper !== null),
    documentSource,
  );
}

/** How the fate of an e-mail changes its document, for each kind that is sent. */
export const emailedDocuments: EmailedDocuments = byKind(
  families.filter(({ mail }) => mail !== null),
  emailedDocument,
);
