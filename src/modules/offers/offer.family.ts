/** Makes a family of offers: quotes and pro-forma invoices run on one state table. */
import { dayFacts } from '../../domain/printing/print-facts.ts';
import type { PrintedLanguage } from '../../domain/printing/printed-document.ts';
import {
  type OfferMove,
  offerStates,
  type OfferStatus,
  offerStatuses,
  offerStatusOn,
} from '../../domain/sales/offer-states.ts';
import type { DocumentKind } from '../../domain/sales/document-kinds.ts';
import type { Bundle, LineRow } from '../../domain/sales/rows.ts';
import type { Columns } from '../../platform/rows.ts';
import { rangeParameters } from '../../kernel/page.ts';
import { DayText, type TProperties, Type } from '../../kernel/schema.ts';
import type { EventDefinitions } from '../events/index.ts';
import {
  type ConversionTarget,
  defineFamily,
  type Family,
  type FieldsOf,
  type FinishOf,
  type Placed,
  type SentContent,
} from '../sales/index.ts';
import {
  moveOffer,
  newOffer,
  offerColumns,
  offerInput,
  type OfferKind,
  offerMutable,
  offerReadOnly,
  type OfferRow,
  offerShown,
  presentOffer,
  readOffer,
} from './offer.fields.ts';
import type { OfferWords } from './offer.words.ts';
import { checkDays } from './rules/validity.ts';
import { offerStanding, printOffer } from './rules/print-offer.ts';

/** What one kind of offer has besides. */
export type OfferExtras<R extends OfferRow> = {
  columns: Columns;
  input: TProperties;
  shown: Placed;
  deciding: readonly string[];
  present(row: R): Record<string, unknown>;
  taxIds(sent: SentContent): readonly string[];
  read(stored: R | null, sent: SentContent, of: FieldsOf): Partial<R>;
  /** @throws Problem through `of.reasons` */
  finish(row: R, of: Pick<FieldsOf, 'company' | 'reasons'> & FinishOf<R>): Partial<R>;
  addedLines(bundle: Bundle<R>, of: Pick<FieldsOf, 'company' | 'reasons'>): readonly LineRow[];
  /** Cents that paper adds to its sums. */
  sum(row: R): bigint | null;
  /** For an offer that is made of another document. */
  none: Partial<R>;
};

export type OfferDef<R extends OfferRow> = {
  object: OfferKind;
  one: string;
  many: string;
  the: string;
  collection: string;
  words: Record<PrintedLanguage, OfferWords>;
  /** Of the moves that always emit the same event. */
  moves: Readonly<Partial<Record<OfferMove, string>>>;
  /** Of an entry into `pending` by its owner. @param is_first it takes its number */
  entersPending(is_first: boolean): string | null;
  events: EventDefinitions;
  becomes: readonly DocumentKind[];
  withdraws?: readonly OfferMove[];
  extras?: OfferExtras<R>;
};

export function defineOffers<R extends OfferRow = OfferRow>({
  words,
  moves,
  entersPending,
  extras,
  ...def
}: OfferDef<R>): Family<R> {
  const { object, collection } = def;
  return defineFamily<R>({
    ...def,
    tables: {
      documents: collection,
      lines: `${object}_lines`,
      taxes: `${object}_tax_rows`,
      tags: `${object}_tags`,
      document_id: `${object}_id`,
    },
    party: 'client',
    series: () => object,
    fields: {
      columns: { ...offerColumns, ...extras?.columns },
      input: { ...(offerInput(def.the) as TProperties), ...extras?.input },
      shown: { ...offerShown, ...extras?.shown },
      read_only: offerReadOnly,
      present: ({ document }) => ({ ...presentOffer(document), ...extras?.present(document) }),
      read: (stored, sent, of) =>
        ({ ...readOffer(object, stored, sent, of), ...extras?.read(stored, sent, of) }) as Partial<R>,
      ...(extras && {
        deciding: extras.deciding,
        taxIds: (sent) => extras.taxIds(sent),
        finish: (row, _, __, of) => extras.finish(row, of),
        addedLines: (bundle, of) => extras.addedLines(bundle, of),
      }),
      duplicate: (_, ctx) => newOffer(object, null, ctx) as Partial<R>,
      edited: ({ content_version }) => ({ content_version: content_version + 1 }) as Partial<R>,
      moving: (move, row, sent, ctx) => moveOffer(object, move, row, sent, ctx) as Partial<R>,
      converted: (target) =>
        ({
          converted_to_kind: target?.object ?? null,
          converted_to_id: target?.id ?? null,
        }) as Partial<R>,
    },
    mutable: offerMutable,
    states: {
      statuses: offerStatuses,
      events: moves,
      peek: (from, move) => offerStates.peek(from as OfferStatus, move as OfferMove),
      next: (from, move, details) => offerStates.next(from as OfferStatus, move as OfferMove, details),
    },
    statusOn: offerStatusOn,
    moved(move, before) {
      const enters = move === 'mark_pending' || (move === 'send' && before.status === 'draft');
      const type = enters ? entersPending(before.number === null) : null;
      return type === null ? [] : [{ type }];
    },
    list: {
      query: {
        ...rangeParameters('valid_until', DayText, 'Último día de validez'),
        converted: Type.Optional(
          Type.Boolean({ description: 'true: los convertidos en otro documento; false: los demás' }),
        ),
      },
      streams: ['client_id', 'series_id', 'status', 'converted'],
      days: ['issued_on', 'valid_until'],
      sorts: { valid_until: { ascending: 't.valid_until_last', descending: 't.valid_until_first' } },
    },
    paper: {
      title: (_, language) => words[language].title,
      isWithdrawn: ({ status }) => status === 'cancelled',
      print: ({ bundle, ...setting }) =>
        printOffer(bundle, setting, words, extras?.sum(bundle.document) ?? null),
      standing: ({ document }, { language }, today) => offerStanding(document, words[language], today),
    },
    mail: {
      purpose: object,
      words,
      facts: ({ valid_until }, language) => dayFacts(words[language].valid_until, valid_until, language),
      stays_in: ['converted'],
      // The receipt has the document as it is when it goes out.
      wants: ({ acceptance, status }, purpose) =>
        purpose !== 'acceptance_receipt' || (acceptance !== null && status !== 'cancelled'),
      silent: ['answer_notice'],
    },
    unique: {
      number: [`${collection}_number`, `${collection}_series_number`],
      external_id: `${collection}_external_id`,
    },
  });
}

/** Makes an offer of another document. */
export function offerTarget<R extends OfferRow>(
  family: Family<R>,
  kind: OfferKind,
  none: Partial<R> = {},
): ConversionTarget {
  return {
    family,
    input: {},
    own(ctx, _source, { issued_on = null }, reasons) {
      const made = newOffer(kind, issued_on, ctx);
      reasons.attempt(() => checkDays({ issued_on, valid_until: made.valid_until }, ctx.today));
      return { ...made, ...none };
    },
  };
}
