/** A document of any kind, ready to print. */
import type { Tx } from '../../kernel/operation.ts';
import type { PrintedDocument } from '../../domain/printing/printed-document.ts';
import type { LinkLife } from '../../domain/printing/link-life.ts';
import type { PrintedLanguage } from '../../domain/printing/printed-document.ts';
import type { Standing } from '../../domain/printing/standing.ts';
import type { Transfer } from '../../domain/printing/transfer.ts';
import type { DocumentRef, LinkedKind } from './ports.ts';

export type Printable = {
  ref: DocumentRef;
  document: PrintedDocument;
  /** Stands for the logo's type and bytes in comparisons. Null: no logo. */
  logo_hash: string | null;
  /** Its PDF is cached in memory, never stored. */
  is_draft: boolean;
  /** Holds what a person may ask to be erased, so the blob store does not keep it. */
  is_personal?: boolean;
  /** Annulled or voided: the public page says only that; the PDF has a mark. */
  is_withdrawn: boolean;
  link: LinkLife;
  /** For the public page alone, not the PDF or its tag. Null: nothing changed since issue. */
  standing: Standing | null;
  /** For the public page alone. Null: nothing is to be paid to an account. */
  transfer: Transfer | null;
  /** For the public page alone: where texts of the issuer's contact lead. */
  contact_links: ReadonlyMap<string, string>;
};

/** How a public page asks for its document. */
export type PageWish = {
  /** Of the company, for `standing`. */
  today?: string | undefined;
  /** In place of the issuer's. */
  language?: PrintedLanguage | undefined;
};

export type DocumentSource = {
  /**
   * @param wish left out for paper
   * @returns undefined when the company has no such document
   */
  find(tx: Tx, company_id: string, id: string, wish?: PageWish): Promise<Printable | undefined>;
};

export type DocumentSources = Readonly<Record<LinkedKind, DocumentSource>>;

/** Rough: lines and logo are nearly all of it. */
export function charactersOf({ lines, logo }: PrintedDocument): number {
  const texts = lines.reduce(
    (sum, line) => sum + line.description.length + line.details.join().length + 100,
    0,
  );
  return 5_000 + texts + (logo?.base64.length ?? 0);
}
