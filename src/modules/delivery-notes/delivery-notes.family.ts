/** Delivery notes as a family of sales documents (ADR 28). */
import { commonErrors as c } from '../../kernel/common.errors.ts';
import { fail } from '../../kernel/problem.ts';
import { DayText, Type } from '../../kernel/schema.ts';
import { rangeParameters } from '../../kernel/page.ts';
import { defineFamily, refuseFuture, type SentContent } from '../sales/index.ts';
import { deliveryNotesEvents } from './delivery-notes.events.ts';
import { mutableColumns, type NoteRow, ownColumns, type Signed } from './delivery-notes.rows.ts';
import { noteInput, noteReadOnly, noteShown, presentNote } from './delivery-notes.schema.ts';
import { noteWords } from './delivery-notes.words.ts';
import { noteFields } from './rules/note-fields.ts';
import { keepSigned } from './rules/signed-content.ts';
import { noteStanding, printNote } from './rules/printed-note.ts';
import { operationDay } from './rules/recapitulation.ts';
import { type NoteMove, type NoteStatus, noteStates, noteStatuses } from './rules/states.ts';
import { findSignatureImage, listSignatures } from './signatures.store.ts';

export const blankOwn = {
  delivered_at: null,
  cancelled_at: null,
  signed_at: null,
  content_hash: null,
  converted_to_id: null,
} as const;

/** @throws 422 business_rule_violation for an instant to come */
function deliveredAt(sent: SentContent, now: Date): string {
  const at = typeof sent.delivered_at === 'string' ? new Date(sent.delivered_at) : now;
  if (at > now) {
    const reason = 'la entrega no puede ser futura.';
    throw fail(c.business_rule_violation, { param: 'delivered_at', values: { reason } });
  }
  return at.toISOString();
}

const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

export const deliveryNotes = defineFamily<NoteRow, Signed>({
  object: 'delivery_note',
  one: 'un albarán',
  many: 'los albaranes',
  the: 'el albarán',
  collection: 'delivery_notes',
  tables: {
    documents: 'delivery_notes',
    lines: 'delivery_note_lines',
    taxes: 'delivery_note_tax_rows',
    tags: 'delivery_note_tags',
    document_id: 'delivery_note_id',
    others: ['delivery_note_signatures'],
  },
  party: 'client',
  series: () => 'delivery_note',
  fields: {
    columns: ownColumns,
    input: noteInput,
    shown: noteShown,
    read_only: noteReadOnly,
    present: presentNote,
    read(stored, sent, { reasons, today }) {
      const { issued_on = null } = sent as { issued_on?: string | null };
      if (issued_on !== stored?.issued_on) reasons.attempt(() => refuseFuture(issued_on, today));
      return { ...(stored === null ? blankOwn : {}), ...noteFields(stored, sent, reasons) };
    },
    ratesDay: ({ delivery_date = null, issued_on }) => delivery_date ?? issued_on,
    duplicate: () => ({ ...blankOwn, delivery_date: null, received_by: null }),
    converted: (target) => ({ converted_to_id: target?.id ?? null }),
    moving(move, _row, sent, { now }) {
      if (move === 'mark_delivered') return { delivered_at: deliveredAt(sent, now) };
      return move === 'cancel' ? { cancelled_at: now } : {};
    },
    isOpenInPart: ({ status, show_prices }) => status === 'signed' && !show_prices,
    keepClosed: keepSigned,
    checkDelete(row) {
      if (row.signed_at === null) return;
      const values = { reason: 'el albarán se firmó.' };
      throw fail(c.invalid_status_transition, { param: 'delivery_note', values });
    },
  },
  mutable: mutableColumns,
  silent: ['deleted', 'metadata_changed', 'number_assigned'],
  states: {
    statuses: noteStatuses,
    events: { sign: 'delivery_note.signed', convert: 'delivery_note.converted' },
    peek: (from, move) => noteStates.peek(from as NoteStatus, move as NoteMove),
    next: (from, move, details) => noteStates.next(from as NoteStatus, move as NoteMove, details),
  },
  moved: (_move, { id, status: from }, { status: to }) =>
    from === to ? [] : [{ type: 'delivery_note.status_changed', data: { delivery_note: { id }, from, to } }],
  events: deliveryNotesEvents,
  becomes: ['invoice'],
  withdraws: ['cancel'],
  reopened: 'delivery_note.status_changed',
  list: {
    query: {
      ...rangeParameters('delivery_date', DayText, 'Día de la entrega'),
      convertible: flag('Se puede convertir en factura: está pendiente, entregado o firmado'),
      signed: flag('Se ha firmado, también si se canceló después'),
    },
    streams: ['client_id', 'series_id', 'status', 'convertible', 'signed'],
    days: ['issued_on', 'delivery_date'],
    shared_sorts: ['number'],
    sorts: { delivery_date: { ascending: 't.delivery_date_up', descending: 't.delivery_date_down' } },
  },
  parts: {
    async read(tx, company_id, ids) {
      const rows = await listSignatures(tx, company_id, ids);
      const of = new Map(rows.map((row) => [row.delivery_note_id, row]));
      return (id) => ({ signature: of.get(id) ?? null });
    },
    none: () => ({ signature: null }),
  },
  paper: {
    print: printNote,
    async complete(tx, company_id, bundle) {
      if (!bundle.signature?.image_media_type) return bundle;
      return { ...bundle, image: await findSignatureImage(tx, company_id, bundle.document.id) };
    },
    isPersonal: ({ document, signature }) => signature !== null || document.received_by !== null,
    title: (_row, language) => noteWords[language].title,
    standing: ({ document }, { language }) => noteStanding(document, language),
    isWithdrawn: ({ status }) => status === 'cancelled',
  },
  mail: {
    purpose: 'delivery_note',
    words: {
      es: noteWords.es.mail,
      ca: noteWords.ca.mail,
      eu: noteWords.eu.mail,
      gl: noteWords.gl.mail,
      en: noteWords.en.mail,
    },
    addresses: ({ billing_emails }) => billing_emails,
    hidesAmounts: ({ show_prices }) => !show_prices,
  },
  operationDay,
  unique: {
    number: [
      'delivery_notes_company_id_number_idx',
      'delivery_notes_company_id_series_id_series_period_series_number_idx',
    ],
    external_id: 'delivery_notes_company_id_external_id_idx',
  },
});
