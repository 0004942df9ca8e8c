/** A document of any kind, as its printing sees it. */
import type { Tx } from '../../kernel/operation.ts';
import type { PrintedDocument } from '../../domain/printing/printed-document.ts';
import type { Standing } from '../../domain/printing/standing.ts';
import type { DocumentRef, LinkedKind } from './ports.ts';

export type Printable = {
  ref: DocumentRef;
  document: PrintedDocument;
  /** Stands for the logo's type and bytes when documents are compared. Null without a logo. */
  logo_hash: string | null;
  /** Its PDF is cached in memory for a while, and not stored. */
  is_draft: boolean;
  /** Annulled or voided: the public page says only that. The PDF carries a mark. */
  is_withdrawn: boolean;
  /** For the public page alone: not part of the PDF or its tag. Null when nothing changed since issue. */
  standing: Standing | null;
};

export type DocumentSource = {
  /**
   * @param tx a transaction of the company
   * @returns undefined when the company has none of that id
   */
  find(tx: Tx, company_id: string, id: string): Promise<Printable | undefined>;
};

/** By kind; main passes them as `ports.documents`. */
export type DocumentSources = Readonly<Record<LinkedKind, DocumentSource>>;
