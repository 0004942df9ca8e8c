/**
 * Declares a family, which is one kind of sales document (ADR 28). Schema, store, list, drafting, editing, PDF, page, e-mail and plain
 * verbs are functions of it.
 */
import type { Fragment } from 'postgres';
import { type DocumentKind, documentKinds, type DocumentNames } from '../../domain/sales/document-kinds.ts';
import {
  type Bundle,
  type DocumentRow,
  documentColumns,
  lineColumns,
  taxRowColumns,
} from '../../domain/sales/rows.ts';
import type { SeriesKind } from '../../domain/sales/default-series.ts';
import type {
  PrintedDocument,
  PrintedLanguage,
  PrintedLogo,
} from '../../domain/printing/printed-document.ts';
import type { PrintedIssuer } from '../../domain/printing/print-source.ts';
import type { Standing } from '../../domain/printing/standing.ts';
import type { Ctx, Environment, IssuingCommit, Tx } from '../../kernel/operation.ts';
import type { ProblemDef } from '../../kernel/problem.ts';
import type { Reasons } from '../../kernel/reasons.ts';
import type { TProperties } from '../../kernel/schema.ts';
import type { Columns, SourcedColumns } from '../../platform/rows.ts';
import type { EmailPurpose } from '../emails/index.ts';
import type { EventDefinitions } from '../events/index.ts';
import type { DocumentEmailWords } from './document-email.ts';
import type { PlannedEmail } from './planned-email.ts';

/** `document_id` is the column by which lines, breakdown and tags name their document. */
export type FamilyTables = {
  documents: string;
  lines: string;
  taxes: string;
  tags: string;
  document_id: string;
};

/** A document with its parts, and with what else its family reads (`parts`). */
export type BundleOf<R extends DocumentRow, E extends object> = Bundle<R> & E;

/** Members of the answer, keyed by the shared member that they follow. */
export type Placed = Readonly<Record<string, TProperties>>;

/** The content that the caller sent. The schema checks shared members, the family its own. */
export type SentContent = Record<string, unknown>;

export type FieldsOf = {
  client_id: string | null;
  today: string;
  /** True for a creation, false for an edit. */
  is_new: boolean;
  /** It takes its number at once, so the number's checks run then. */
  is_numbered: boolean;
  reasons: Reasons;
};

/** The fields that only this kind has: columns, input, answer, and the rules between them. */
export type OwnFields<R extends DocumentRow, E extends object> = {
  columns: Columns;
  input: TProperties;
  /** Members of its answer, keyed by the shared member that they follow. */
  shown: Placed;
  /** Members of its answer that a PUT may repeat but not change. */
  read_only: readonly string[];
  present(bundle: BundleOf<R, E>): Record<string, unknown>;
  /**
   * Own columns of a new document (`stored` is null) or of an edited one, before its lines are built. If it returns a currency,
   * it has checked it.
   * @throws Problem through `of.reasons`
   */
  read(stored: R | null, sent: SentContent, of: FieldsOf): Partial<R>;
  /** Checks that need the lines. Own columns that it returns are added. */
  finish?(row: R, declared_keys: readonly string[], sent: SentContent, of: FieldsOf): Partial<R>;
  /** Refuses an edit before all other checks. */
  checkEdit?(stored: R, sent: SentContent): void;
  /** Whether the edit moves the document to another default series, if it names none. */
  leavesSeries?(stored: R, sent: SentContent): boolean;
  /** The day whose tax rates apply; the day of issue when left out. */
  ratesDay?(row: Pick<R, 'issued_on'> & Partial<R>): string | null;
  /** Own columns of a document that became another one. */
  converted?(target: { object: string; id: string }): Partial<R>;
  /** Own columns that a copy resets, besides number, dates, links and external id. It may refuse the copy. */
  duplicate?(bundle: BundleOf<R, E>): Partial<R>;
};

/** The state table of a kind, and the events of its moves. */
export type FamilyStates = {
  readonly statuses: readonly string[];
  /** Events by move, for moves that always emit the same one. */
  readonly events: Readonly<Record<string, string>>;
  /** @returns the next state, or why the move is refused */
  peek(from: string, move: string): string | ProblemDef;
  next(from: string, move: string, details?: { param?: string }): string;
};

/** Filters and orders of a kind besides the shared ones, each with the index that serves it. */
export type FamilyList = {
  query: TProperties;
  /** Equality filters with an index (company_id, field, id), usually most selective first. */
  streams: readonly string[];
  /** Day columns with an index (company_id, day, id). */
  days: readonly string[];
  /** Sort fields besides `created`: SQL of alias t, each with an index (company_id, field, id). */
  sorts: Readonly<Record<string, string>>;
};

/** What is printed. `issuer` is the document's copy; for a draft, the company as it is now. */
export type PrintSource<R extends DocumentRow, E extends object> = {
  bundle: BundleOf<R, E>;
  issuer: PrintedIssuer;
  environment: Environment;
  logo: Omit<PrintedLogo, 'alternative_text'> | null;
  language: PrintedLanguage;
};

export type FamilyPaper<R extends DocumentRow, E extends object> = {
  print(source: PrintSource<R, E>): PrintedDocument;
  /** The kind's name on paper: `Presupuesto`. */
  title(row: R, language: PrintedLanguage): string;
  /** Annulled or cancelled: its page says only that. */
  isWithdrawn(row: R): boolean;
  standing?(bundle: BundleOf<R, E>, document: PrintedDocument): Standing | null;
};

export type FamilyMail<R extends DocumentRow> = {
  purpose: EmailPurpose;
  words: Record<PrintedLanguage, DocumentEmailWords>;
  /** What is left to pay, in cents, and until when; null when no payment is asked for. */
  toPay?(row: R): { cents: bigint; due_on: string | null } | null;
  /** Whether a message of another purpose than the family's own is still wanted. */
  wants?(row: R, purpose: EmailPurpose): boolean;
  /** The event of a delivered message, by purposes other than the family's own. */
  sentEvents?: Partial<Record<EmailPurpose, string>>;
  /** The events that `onSent` may emit. */
  onSentEvents?: readonly string[];
  /** Runs when the mail server first accepts the message. */
  onSent?(ctx: Pick<Ctx, 'tx' | 'company' | 'now' | 'emit'>, row: R): Promise<void>;
};

/** How a kind with legal numbers moves on: by plans that commit in groups. */
export type FamilyIssuing<R extends DocumentRow, E extends object> = {
  commit: IssuingCommit;
  /** The plan that sends a document by e-mail, and issues it first if it is a draft. */
  planSending(ctx: Ctx, bundle: BundleOf<R, E>, email: PlannedEmail): Promise<unknown>;
};

export type FamilyDef<R extends DocumentRow, E extends object> = DocumentNames & {
  object: DocumentKind;
  /** Its number in public addresses, for a kind outside the list of kinds. */
  address_code?: number;
  /** The word in paths and in the reference: `quotes`. */
  collection: string;
  tables: FamilyTables;
  party: 'client' | 'supplier';
  /** The kind of its series; null if it is never numbered. */
  series(row: Partial<R>): SeriesKind | null;
  fields: OwnFields<R, E>;
  /** Columns that may change without replacing the document, besides the shared ones. */
  mutable: readonly string[];
  states: FamilyStates;
  events: EventDefinitions;
  list: FamilyList;
  /** More columns and rows that are read with a document. */
  parts?: {
    columns?(tx: Tx, company_id: string): Fragment;
    read?(tx: Tx, company_id: string, ids: readonly string[]): Promise<(id: string) => E>;
    /** The parts of a new document. */
    none?(): E;
  };
  /** Null for a kind without paper. */
  paper: FamilyPaper<R, E> | null;
  mail: FamilyMail<R> | null;
  /** Names of the unique indexes on its number and its external id. */
  unique: { number: readonly string[]; external_id: string };
};

export type Family<R extends DocumentRow = DocumentRow, E extends object = object> = FamilyDef<R, E> & {
  address_code: number;
  columns: Columns;
  line_columns: SourcedColumns;
  tax_columns: SourcedColumns;
  tag_columns: SourcedColumns;
  mutable_columns: readonly string[];
};

/** Columns of every document that may change in every state. */
const sharedMutable = [
  'version',
  'status',
  'metadata',
  'tags',
  'custom_fields',
  'sent_at',
  'updated_at',
] as const;

export function defineFamily<R extends DocumentRow, E extends object = object>(
  def: FamilyDef<R, E>,
): Family<R, E> {
  const owner = { type: 'uuid', from: 'document_id' };
  const { document_id } = def.tables;
  return {
    ...def,
    address_code: def.address_code ?? documentKinds[def.object].address_code,
    columns: { ...documentColumns, ...def.fields.columns },
    line_columns: { [document_id]: owner, ...lineColumns },
    tax_columns: { [document_id]: owner, ...taxRowColumns },
    tag_columns: { tag: 'text', [document_id]: owner },
    mutable_columns: [...new Set([...sharedMutable, ...def.mutable])],
  };
}
