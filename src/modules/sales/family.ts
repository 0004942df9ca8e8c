/** Declares a family: one kind of sales document (ADR 28). All shared code is a function of it. */
import type { Fragment } from 'postgres';
import {
  type DocumentKind,
  documentKinds,
  type DocumentNames,
  type PaperKind,
} from '../../domain/sales/document-kinds.ts';
import {
  type Bundle,
  type DocumentRow,
  type LineRow,
  type TaxRow,
  documentColumns,
  lineColumns,
  taxRowColumns,
} from '../../domain/sales/rows.ts';
import type { BuiltLines } from '../../domain/sales/build-rows.ts';
import type { LineInput } from '../../domain/sales/line-input.ts';
import type { LineTax, PaperFacts } from '../../domain/sales/line-facts.ts';
import type { SeriesKind } from '../../domain/sales/default-series.ts';
import type {
  PrintedDocument,
  LabelledText,
  PrintedLanguage,
  PrintedLogo,
} from '../../domain/printing/printed-document.ts';
import type { PrintedIssuer, PrintSetting } from '../../domain/printing/print-source.ts';
import type { Standing } from '../../domain/printing/standing.ts';
import type { Transfer } from '../../domain/printing/transfer.ts';
import type { CompanyContext, Ctx, Environment, IssuingCommit, Tx } from '../../kernel/operation.ts';
import type { Problem, ProblemDef } from '../../kernel/problem.ts';
import type { Reasons } from '../../kernel/reasons.ts';
import type { TProperties } from '../../kernel/schema.ts';
import type { Columns, SourcedColumns } from '../../platform/rows.ts';
import type { DocumentClient } from '../contacts/index.ts';
import type { EmailPurpose } from '../emails/index.ts';
import type { EventDefinitions } from '../events/index.ts';
import type { DocumentEmailWords } from './document-email.ts';
import type { Showing } from './documents.schema.ts';
import type { PlannedEmail } from './planned-email.ts';

/** `document_id`: the column that links lines, breakdown and tags to their document. */
export type FamilyTables = {
  documents: string;
  lines: string;
  taxes: string;
  tags: string;
  document_id: string;
  /** Of this kind alone; their rows refer to documents. */
  others?: readonly string[];
};

/** A document with its parts, and what its family's `parts` read. */
export type BundleOf<R extends DocumentRow, E extends object> = Bundle<R> & E;

export type BuiltParts = Pick<Bundle, 'lines' | 'tax_rows'>;

/** Members keyed by the shared member that they follow. */
export type Placed = Readonly<Record<string, TProperties>>;

/** The schema checks shared members, the family its own. */
export type SentContent = Record<string, unknown>;

export type FieldsOf = {
  client_id: string | null;
  company: CompanyContext;
  today: string;
  /** Else it is an edit. */
  is_new: boolean;
  /** Those of the lines and of `taxIds`. */
  taxes: ReadonlyMap<string, LineTax>;
  /** It takes its number at once, and that step has its own checks. */
  is_numbered: boolean;
  reasons: Reasons;
};

export type FinishOf<R extends DocumentRow> = {
  stored: R | null;
  /** Null when a dry run refused the lines. */
  built: BuiltParts | null;
  /** Those of `stored`. */
  before: BuiltParts | null;
};

/** What lines and rows of the breakdown have in this kind alone. */
export type OwnLines<R extends DocumentRow> = {
  columns: Columns;
  tax_columns: Columns;
  /** Of a line; these replace shared ones of the same name. */
  input: TProperties;
  /** Shared members that a line does not have. */
  without: readonly string[];
  shown: TProperties;
  tax_shown: TProperties;
  /** Of a line. A PUT may repeat but not change them. */
  read_only: readonly string[];
  present(line: LineRow): Record<string, unknown>;
  presentTax(row: TaxRow): Record<string, unknown>;
  /** Stored members that the sent line does not change. */
  kept(line: LineRow, sent: LineInput): object;
  /** How the lines of a supplier's paper are read. */
  paper?(row: R): PaperFacts;
  /**
   * Counts what the shared code does not know.
   * @param of `stored`: what an edit replaces, with its taxes as they were
   * @throws Problem
   */
  count(
    built: BuiltLines,
    of: {
      input: readonly LineInput[];
      row: R;
      sent: SentContent;
      stored: { lines: readonly LineRow[]; tax_rows: readonly TaxRow[] } | null;
    },
  ): { built: BuiltLines; own: Partial<R> };
};

/** A note in the answer that does not stop the call. */
export type Warning = { code: string; text: string };

/** What only this kind has. */
export type OwnFields<R extends DocumentRow, E extends object> = {
  columns: Columns;
  input: TProperties;
  /** What a creation takes besides, or otherwise: members that it must have. */
  new_input?: TProperties;
  lines?: OwnLines<R>;
  /** Taxes that own members name. */
  taxIds?(sent: SentContent): readonly string[];
  /** Members of its answer. */
  shown: Placed;
  /** A PUT may repeat but not change them. */
  read_only: readonly string[];
  present(bundle: BundleOf<R, E>, showing: Showing): Record<string, unknown>;
  /**
   * Own columns, before the lines are built. `stored` is null for a new document. A currency that it returns has been checked.
   * @throws Problem through `of.reasons`
   */
  read(stored: R | null, sent: SentContent, of: FieldsOf): Partial<R>;
  /** Members that change the total besides the lines: a repeated request says them again. */
  deciding?: readonly string[];
  /** Members of a request, and their columns, that a repeated one with the same total may not say otherwise. */
  telling?: Readonly<Record<string, string>>;
  /**
   * Runs once the lines are built. Its own columns are added.
   * @throws Problem through `of.reasons`
   */
  finish?(
    row: R,
    declared_keys: readonly string[],
    sent: SentContent,
    of: FieldsOf & FinishOf<R> & { client: DocumentClient | null },
  ): Partial<R>;
  /**
   * Turns what a creation's answer or an earlier read says into what a read says now, for a client who sends it back.
   * @param shown what a read says
   */
  asRead?(sent: SentContent, shown: Readonly<Record<string, unknown>>): SentContent;
  /** How it takes its number, if not by its day of issue and with a client. */
  numbering?: {
    /** @throws Problem */
    check(row: R, today: string): void;
    /** Its period is that of the number. */
    day(row: R, today: string): string;
    /** Names it in a refusal. */
    day_param: string;
  };
  /** Refuses an edit before all other checks. */
  checkEdit?(stored: R, sent: SentContent): void;
  /** Whether an edit that names no series moves to another default one. */
  leavesSeries?(stored: R, sent: SentContent): boolean;
  /** The day of the tax rates; by default the day of issue. */
  ratesDay?(row: Pick<R, 'issued_on'> & Partial<R>): string | null;
  /** Own columns of a draft that holds nothing of these documents any more. Without it, a draft has one source at most. */
  withoutSources?(row: R, lost: readonly string[]): Partial<R>;
  /** Own columns of a document that became another; null: of one that is open again. */
  converted?(target: { object: string; id: string } | null): Partial<R>;
  /** Refuses what the state table alone does not. */
  checkDelete?(stored: R): void;
  /** Whether a document whose content is closed may still change in part. */
  isOpenInPart?(stored: R): boolean;
  /**
   * Runs after an edit of such a document.
   * @returns the document to store
   * @throws the refusal of a part that is closed
   */
  keepClosed?(before: BundleOf<R, E>, after: BundleOf<R, E>): BundleOf<R, E>;
  /**
   * Lines that a conversion adds, not counted yet.
   * @throws Problem through `reasons`
   */
  addedLines?(bundle: BundleOf<R, E>, of: Pick<FieldsOf, 'company' | 'reasons'>): readonly LineRow[];
  /** Own columns that a copy resets, besides the shared ones. It may refuse the copy. */
  duplicate?(bundle: BundleOf<R, E>, ctx: Pick<Ctx, 'company' | 'today'>): Partial<R>;
  /** Own columns that follow when an edit changes more than labels. */
  edited?(row: R): Partial<R>;
  /**
   * Own columns that a move sets.
   * @param row after the move has given it its number
   * @param sent the body of the call; empty for a move without one
   * @throws Problem that refuses the move
   */
  moving?(
    move: string,
    row: R,
    sent: SentContent,
    ctx: Pick<Ctx, 'caller' | 'company' | 'today' | 'now'>,
  ): Partial<R>;
};

/** The state table of a kind, and its events. */
export type FamilyStates = {
  readonly statuses: readonly string[];
  /** Only of moves that always emit the same event. */
  readonly events: Readonly<Record<string, string>>;
  /** @returns the next state, or why the move is refused */
  peek(from: string, move: string): string | ProblemDef;
  next(from: string, move: string, details?: { param?: string }): string;
  /** The status follows from the row, and the database says the same in a generated column. */
  derive?(row: DocumentRow): string;
};

export type ListCondition = {
  field: string;
  /** Begins with `and`, of the alias t. */
  sql: Fragment;
  /** `dayBounds` finds the ends of the ids by it. */
  day_column?: string;
};

/** Filters and orders besides the shared ones. An index serves each. */
export type FamilyList = {
  query: TProperties;
  /** Equality filters, most selective first. Index: (company_id, field, id). A yes or no is a column of the text `true` or `false`. */
  streams: readonly string[];
  /** Index: (company_id, day, id). */
  days: readonly string[];
  /** Ranges of amounts: SQL of alias t, in cents. Index: (company_id, cents, id), which may leave out zero. */
  cents?: Readonly<Record<string, string>>;
  /** SQL of alias t, or one for each direction. Index of each: (company_id, field, id). */
  sorts: Readonly<Record<string, string | { ascending: string; descending: string }>>;
  /** Filters of more than one column, of the names that `asked` gives them. */
  conditions?(tx: Tx, query: Record<string, unknown>): readonly ListCondition[];
  /** Turns what a call asks into filters of columns. */
  asked?(query: Record<string, unknown>, today: string): Record<string, unknown>;
  /** All of the shared ones when left out. */
  shared_sorts?: readonly SharedSort[];
};

/** Besides `created`. */
export type SharedSort = 'total' | 'number';

/** Events of all kinds that the catalogue leaves out for some. */
export type PlainEvent = 'deleted' | 'metadata_changed' | 'number_assigned';

/** `issuer` is the document's copy; for a draft, the company as it is now. */
export type PrintSource<R extends DocumentRow, E extends object> = {
  bundle: BundleOf<R, E>;
  issuer: PrintedIssuer;
  environment: Environment;
  logo: Omit<PrintedLogo, 'alternative_text'> | null;
  language: PrintedLanguage;
};

export type FamilyPaper<R extends DocumentRow, E extends object> = {
  print(source: PrintSource<R, E>): PrintedDocument;
  /** Reads what only paper shows. */
  complete?(tx: Tx, company_id: string, bundle: BundleOf<R, E>): Promise<BundleOf<R, E>>;
  /** `Presupuesto`. */
  title(row: R, language: PrintedLanguage): string;
  /** What a person may ask to be erased is printed: its PDF stays in memory. */
  isPersonal?(bundle: BundleOf<R, E>): boolean;
  /** Annulled or cancelled: its page says only that. */
  isWithdrawn(row: R): boolean;
  /** @param today left out where only the stored status counts */
  standing?(bundle: BundleOf<R, E>, setting: PrintSetting, today?: string): Standing | null;
  /** What is left to pay to an account. */
  transfer?(bundle: BundleOf<R, E>, issuer: PrintedIssuer): Transfer | null;
};

export type FamilyMail<R extends DocumentRow> = {
  purpose: EmailPurpose;
  words: Record<PrintedLanguage, DocumentEmailWords>;
  /** Where it goes when the call says nothing; none: where the client's documents go. */
  addresses?(row: R): readonly string[];
  /** Whether the text leaves the amounts out. */
  hidesAmounts?(row: R): boolean;
  /** In cents, and until when; null when no payment is asked for. */
  toPay?(row: R): { cents: bigint; due_on: string | null } | null;
  /** What its text says besides number, day and amounts. */
  facts?(row: R, language: PrintedLanguage): readonly LabelledText[];
  /** Statuses that send nothing more, in which a message that is on its way still goes out. */
  stays_in?: readonly string[];
  /** Whether a message of another purpose is still wanted. */
  wants?(row: R, purpose: EmailPurpose): boolean;
  /** Purposes of messages whose outcome is no event. */
  silent?: readonly EmailPurpose[];
  /** Events of delivered messages of other purposes. */
  sentEvents?: Partial<Record<EmailPurpose, string>>;
  /** Events that `onSent` may emit. */
  onSentEvents?: readonly string[];
  /** Runs when the mail server first accepts the message. */
  onSent?(ctx: Pick<Ctx, 'tx' | 'company' | 'now' | 'emit'>, row: R): Promise<void>;
};

/** Kinds with legal numbers change by plans, which commit in groups. */
export type FamilyIssuing<R extends DocumentRow, E extends object> = {
  commit: IssuingCommit;
  /** Issues a draft first. */
  planSending(ctx: Ctx, bundle: BundleOf<R, E>, email: PlannedEmail): Promise<unknown>;
  /** That its issue may answer. */
  warning_codes: readonly [string, ...string[]];
};

/** Of documents that have a number, a client and paper. */
export type SharedMember = 'number' | 'issued_on' | 'client' | 'client_id' | 'public_url' | 'pdf' | 'email';

export type FamilyDef<R extends DocumentRow, E extends object> = DocumentNames & {
  object: DocumentKind;
  /** In public addresses, for a kind outside the list of kinds. */
  address_code?: number | null;
  /** In paths: `quotes`. */
  collection: string;
  tables: FamilyTables;
  party: 'client' | 'supplier';
  /** Null if never numbered. */
  series(row: Partial<R>): SeriesKind | null;
  fields: OwnFields<R, E>;
  /** Shared members that this kind does not have. */
  without?: readonly SharedMember[];
  /** Documents are made of it later: what its lines leave out is found anew each time. */
  is_template?: boolean;
  /** How a creation leaves draft, for a kind where `options.mark_pending` does not say it. */
  creation?: { move: string; leaves(body: SentContent): boolean };
  /** Codes of `weigh` and `warn`. */
  warning_codes?: readonly [string, ...string[]];
  /**
   * Reads what a new or edited document is compared with. It may refuse.
   * @param before null for a new one
   */
  weigh?(ctx: Ctx, before: R | null, row: R): Promise<readonly Warning[]>;
  /** Warnings of a document that was written. */
  warn?(row: R): readonly Warning[];
  /** Before a move of one locked document is written. May refuse it. */
  checkMove?(ctx: Ctx, before: R, after: R): Promise<void>;
  /** In the transaction that wrote a new or edited document. */
  written?(ctx: Ctx, before: R | null, after: R): Promise<void>;
  /** Before a document goes: may refuse, and deletes what only this kind has. */
  deleting?(ctx: Ctx, row: R): Promise<void>;
  /** These change without replacing the document, besides the shared ones. */
  mutable: readonly string[];
  states: FamilyStates;
  /** The state on a day, which a job stores later: past its last day a quote has expired. The stored one when left out. */
  statusOn?(row: R, today: string): string;
  /** Events of a move besides those that the state table names. */
  moved?(move: string, before: R, after: R): readonly { type: string; data?: Record<string, unknown> }[];
  events: EventDefinitions;
  /** Kinds that it may be converted to. */
  becomes?: readonly DocumentKind[];
  /** Moves that withdraw it for good: the documents that it was made of open again. */
  withdraws?: readonly string[];
  /** The event that `moved` names for a document that is open again. */
  reopened?: string;
  /** Those it lacks. A change of metadata emits `updated`; the others are in the audit log or in the move's own event. */
  silent?: readonly PlainEvent[];
  /** The day on which its goods or services were supplied. */
  operationDay?(row: R): string | null;
  list: FamilyList;
  /** More columns and rows, read with a document. */
  parts?: {
    columns?(tx: Tx, company_id: string): Fragment;
    read?(tx: Tx, company_id: string, ids: readonly string[]): Promise<(id: string) => E>;
    /** For a page, where `read` may find more than it shows. `whole`: so many of the documents have all of theirs. */
    readPage?(
      tx: Tx,
      company_id: string,
      ids: readonly string[],
    ): Promise<{ of: (id: string) => E; whole: number }>;
    /** For a new document. */
    none?(): E;
  };
  /** Null if not printed. */
  paper: FamilyPaper<R, E> | null;
  mail: FamilyMail<R> | null;
  /** Names of the unique indexes. `others`: the refusal of each. */
  unique: { number: readonly string[]; external_id: string; others?: Record<string, () => Problem> };
};

export type Family<R extends DocumentRow = DocumentRow, E extends object = object> = FamilyDef<R, E> & {
  /** Null if not printed. */
  address_code: number | null;
  columns: Columns;
  /** Those of `columns` that the database does not make. */
  written_columns: Columns;
  line_columns: SourcedColumns;
  tax_columns: SourcedColumns;
  tag_columns: SourcedColumns;
  mutable_columns: readonly string[];
};

/** The kind of what is linked, printed or e-mailed. @throws Error for a family without paper */
export function paperKindOf({ object, address_code }: Pick<Family, 'object' | 'address_code'>): PaperKind {
  if (address_code === null) throw new Error(`A ${object} has no paper.`);
  return object as PaperKind;
}

/** The name of a plain event; undefined if the kind has none. */
export function plainEvent(
  { object, silent = [] }: Pick<Family, 'object' | 'silent'>,
  event: PlainEvent,
): string | undefined {
  return silent.includes(event) ? undefined : `${object}.${event}`;
}

/** The state that moves go from. */
export function statusOn<R extends DocumentRow, E extends object>(
  family: Family<R, E>,
  row: R,
  today: string,
): string {
  return family.statusOn?.(row, today) ?? row.status;
}

/** The document with the status that follows from it, where one does. */
export function withStatus<R extends DocumentRow, E extends object>({ states }: Family<R, E>, row: R): R {
  return states.derive === undefined ? row : { ...row, status: states.derive(row) };
}

/** They may change in every state of every document. */
const sharedMutable = [
  'version',
  'status',
  'metadata',
  'tags',
  'custom_fields',
  'sent_at',
  'link_renewed_at',
  'updated_at',
] as const;

export function defineFamily<R extends DocumentRow, E extends object = object>(
  def: FamilyDef<R, E>,
): Family<R, E> {
  const owner = { type: 'uuid', from: 'document_id' };
  const { document_id } = def.tables;
  const columns: Columns = { ...documentColumns, ...def.fields.columns };
  const is_derived = def.states.derive !== undefined;
  const { status: _, ...without_status } = columns;
  return {
    ...def,
    address_code: def.address_code ?? documentKinds[def.object].address_code,
    columns,
    written_columns: is_derived ? without_status : columns,
    line_columns: { [document_id]: owner, ...lineColumns, ...def.fields.lines?.columns },
    tax_columns: { [document_id]: owner, ...taxRowColumns, ...def.fields.lines?.tax_columns },
    tag_columns: { tag: 'text', [document_id]: owner },
    mutable_columns: [...new Set([...sharedMutable, ...def.mutable])].filter(
      (name) => !(is_derived && name === 'status'),
    ),
  };
}
