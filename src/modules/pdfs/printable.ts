/** A document as one who has its PDF made knows it, whatever its kind; the module of each kind brings its source. */
import type { Tx } from '../../kernel/operation.ts';
import type { PrintedDocument } from '../../domain/printing/printed-document.ts';
import type { Standing } from '../../domain/printing/standing.ts';
import type { DocumentRef, LinkedKind } from './ports.ts';

export type Printable = {
  ref: DocumentRef;
  document: PrintedDocument;
  /** Stands for the type and bytes of its logo where documents are told apart: they may be many. Null without one. */
  logo_hash: string | null;
  /** It may change still: its PDF is remembered for a while and not kept. */
  is_draft: boolean;
  /** Annulled or voided: its public page says so, and shows nothing of it. Its PDF carries the mark. */
  is_withdrawn: boolean;
  /** How it stands today, for its page alone: no part of its PDF, nor of the tag. Null when it stands as issued. */
  standing: Standing | null;
};

/** Reads what is printed of a document of one kind. */
export type DocumentSource = {
  /**
   * @param tx a transaction of the company
   * @returns undefined when the company has none of that id
   */
  find(tx: Tx, company_id: string, id: string): Promise<Printable | undefined>;
};

/** The source of each kind; main joins them as `ports.documents`. */
export type DocumentSources = Readonly<Record<LinkedKind, DocumentSource>>;
