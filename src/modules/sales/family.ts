/**
 * A family of sales documents: what one kind is, said once. Schema, store, list, drafting, editing, PDF, page, e-mail and
 * the plain verbs are functions of a family; a kind brings this declaration, its own rules and its own operations.
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

/** The tables of a family. `document_id` is the column by which lines, breakdown and tags name their document. */
export type FamilyTables = {
  documents: string;
  lines: string;
  taxes: string;
  tags: string;
  document_id: string;
};

/** A document with its parts, and with what else its family reads with it (`parts`). */
export type BundleOf<R extends DocumentRow, E extends object> = Bundle<R> & E;

/** Members of the wire by the shared member that they follow in an answer. */
export type Placed = Readonly<Record<string, TProperties>>;

/** What the caller sent of a document's content: the shared members are checked by the schema, the own ones by the family. */
export type SentContent = Record<string, unknown>;

/** What own fields are held against. */
export type FieldsOf = {
  client_id: string | null;
  today: string;
  /** It is created, not edited. */
  is_new: boolean;
  /** It takes its number at once: what the number brings is checked then. */
  is_numbered: boolean;
  reasons: Reasons;
};

/** The fields that only this kind has: columns, input, answer, and the rules between them. */
export type OwnFields<R extends DocumentRow, E extends object> = {
  columns: Columns;
  /** Members of its input, besides those that every document has. */
  input: TProperties;
  /** Members of its answer, and after which shared one they stand. */
  shown: Placed;
  /** Members of its answer that a PUT may repeat and not change. */
  read_only: readonly string[];
  present(bundle: BundleOf<R, E>): Record<string, unknown>;
  /**
   * Own columns of a new document (`stored` is null) or of an edited one. Asked before its lines are built. It checks the
   * currency too where it answers one.
   * @throws Problem through `of.reasons`
   */
  read(stored: R | null, sent: SentContent, of: FieldsOf): Partial<R>;
  /** Checks that need the lines built. Own columns that it answers are added. */
  finish?(row: R, declared_keys: readonly string[], sent: SentContent, of: FieldsOf): Partial<R>;
  /** Refuses an edit before anything else is looked at. */
  checkEdit?(stored: R, sent: SentContent): void;
  /** The edit moves the document to another default series unless it names one. */
  leavesSeries?(stored: R, sent: SentContent): boolean;
  /** The day whose tax rates hold; the day of issue when left out. */
  ratesDay?(row: Pick<R, 'issued_on'> & Partial<R>): string | null;
  /** Own columns of a document that has become another one. */
  converted?(target: { object: string; id: string }): Partial<R>;
  /** What a copy does not take over, besides number, dates, links and external id. May refuse. */
  duplicate?(bundle: BundleOf<R, E>): Partial<R>;
};

/** States and moves of a kind: its table, and the event of each move that has one. */
export type FamilyStates = {
  readonly statuses: readonly string[];
  /** The event that the move brings, where every entry by it brings one. */
  readonly events: Readonly<Record<string, string>>;
  /** @returns the next state, or why the move is refused */
  peek(from: string, move: string): string | ProblemDef;
  /** @throws Problem that refuses the move */
  next(from: string, move: string, details?: { param?: string }): string;
};

/** Filters and orders that a kind's list has besides the shared ones, each with the index that serves it. */
export type FamilyList = {
  /** Query parameters besides the shared ones. */
  query: TProperties;
  /** Fields of equality with an index (company_id, field, id), those that usually leave the fewest first. */
  streams: readonly string[];
  /** Day columns with an index (company_id, day, id). */
  days: readonly string[];
  /** Sort fields besides `created`: SQL of alias t, each with an index (company_id, field, id). */
  sorts: Readonly<Record<string, string>>;
};

/** What is printed. `issuer` is the document's copy of it, or the company as it is now for a draft. */
export type PrintSource<R extends DocumentRow, E extends object> = {
  bundle: BundleOf<R, E>;
  issuer: PrintedIssuer;
  environment: Environment;
  logo: Omit<PrintedLogo, 'alternative_text'> | null;
  language: PrintedLanguage;
};

export type FamilyPaper<R extends DocumentRow, E extends object> = {
  print(source: PrintSource<R, E>): PrintedDocument;
  /** What the document is called on paper: `Presupuesto`. */
  title(row: R, language: PrintedLanguage): string;
  /** Annulled or cancelled: its page says so, and shows nothing of it. */
  isWithdrawn(row: R): boolean;
  standing?(bundle: BundleOf<R, E>, document: PrintedDocument): Standing | null;
};

export type FamilyMail<R extends DocumentRow> = {
  purpose: EmailPurpose;
  words: Record<PrintedLanguage, DocumentEmailWords>;
  /** What is left to pay and until when, in cents; null when nobody is asked to pay. */
  toPay?(row: R): { cents: bigint; due_on: string | null } | null;
  /** A message of another purpose than the family's own is still wanted. */
  wants?(row: R, purpose: EmailPurpose): boolean;
  /** The event of a message that was taken, where it is of another purpose. */
  sentEvents?: Partial<Record<EmailPurpose, string>>;
  /** The events that `onSent` may emit. */
  onSentEvents?: readonly string[];
  /** The mail server took the message for the first time. */
  onSent?(ctx: Pick<Ctx, 'tx' | 'company' | 'now' | 'emit'>, row: R): Promise<void>;
};

/** How a kind whose numbers are part of legal records goes on: it is planned, and committed with others. */
export type FamilyIssuing<R extends DocumentRow, E extends object> = {
  commit: IssuingCommit;
  /** The plan that sends a document by e-mail; a draft is issued by it. */
  planSending(ctx: Ctx, bundle: BundleOf<R, E>, email: PlannedEmail): Promise<unknown>;
};

export type FamilyDef<R extends DocumentRow, E extends object> = DocumentNames & {
  object: DocumentKind;
  /** Its number within public addresses, for a kind that is not in the list of kinds. */
  address_code?: number;
  /** The word in paths and in the reference: `quotes`. */
  collection: string;
  tables: FamilyTables;
  party: 'client' | 'supplier';
  /** The kind of series that it is numbered in; null: never numbered. */
  series(row: Partial<R>): SeriesKind | null;
  fields: OwnFields<R, E>;
  /** Columns that may be written without writing the document anew; the shared ones are added. */
  mutable: readonly string[];
  states: FamilyStates;
  /** The events of the kind, as `defineEvents` takes them. */
  events: EventDefinitions;
  list: FamilyList;
  /** What else is read with a document: more columns, more rows. */
  parts?: {
    columns?(tx: Tx, company_id: string): Fragment;
    read?(tx: Tx, company_id: string, ids: readonly string[]): Promise<(id: string) => E>;
    /** What a new document has of it. */
    none?(): E;
  };
  /** Null for a kind without paper. */
  paper: FamilyPaper<R, E> | null;
  mail: FamilyMail<R> | null;
  /** Names of the unique indexes behind its number and its external id. */
  unique: { number: readonly string[]; external_id: string };
};

export type Family<R extends DocumentRow = DocumentRow, E extends object = object> = FamilyDef<R, E> & {
  address_code: number;
  /** All columns of the document's row. */
  columns: Columns;
  line_columns: SourcedColumns;
  tax_columns: SourcedColumns;
  tag_columns: SourcedColumns;
  mutable_columns: readonly string[];
};

/** Columns of every document that may change whatever its state. */
const sharedMutable = [
  'version',
  'status',
  'metadata',
  'tags',
  'custom_fields',
  'sent_at',
  'updated_at',
] as const;

/** Defines a family. What follows from its declaration alone is worked out here, once. */
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
