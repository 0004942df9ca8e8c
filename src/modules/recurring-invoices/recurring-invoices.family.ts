/**
 * Recurrences as a family of sales documents (ADR 28, ADR 44): a template and its calendar. They have no number and no paper; what
 * they make are invoices.
 */
import { rangeParameters } from '../../kernel/page.ts';
import { Enum, Moment, Type } from '../../kernel/schema.ts';
import { checkSimplified, seriesKindOf } from '../invoices/index.ts';
import { defineFamily, labels } from '../sales/index.ts';
import { recurringInvoicesEvents } from './recurring-invoices.events.ts';
import {
  newRecurringInput,
  ownColumns,
  presentOwn,
  recurringInput,
  recurringReadOnly,
  type RecurringRow,
  recurringShown,
  runColumns,
} from './recurring-invoices.schema.ts';
import { deleteOccurrences, insertSkipped, newSkipped, scheduleRun } from './recurring-invoices.store.ts';
import { frequencies } from './rules/calendar.ts';
import {
  checkDelivery,
  hasNewCalendar,
  refuseLateChange,
  notRun,
  readFields,
  refuseAfterRun,
  scheduleFields,
  type Sent,
} from './rules/recurring-fields.ts';
import {
  firstIndexOf,
  indexAfterPassed,
  type RecurringMove,
  recurringStates,
  recurringStatuses,
  type RecurringStatus,
} from './rules/states.ts';

export const recurringInvoices = defineFamily<RecurringRow>({
  object: 'recurring_invoice',
  one: 'una factura recurrente',
  many: 'las facturas recurrentes',
  the: 'la factura recurrente',
  collection: 'recurring_invoices',
  tables: {
    documents: 'recurring_invoices',
    lines: 'recurring_invoice_lines',
    taxes: 'recurring_invoice_tax_rows',
    tags: 'recurring_invoice_tags',
    document_id: 'recurring_invoice_id',
    others: ['recurring_occurrences'],
  },
  party: 'client',
  series: ({ type = 'F1' }) => seriesKindOf(type),
  without: ['number', 'issued_on', 'public_url', 'pdf', 'email'],
  is_template: true,
  fields: {
    columns: ownColumns,
    input: recurringInput,
    new_input: newRecurringInput,
    shown: recurringShown,
    read_only: recurringReadOnly,
    present: presentOwn,
    read(stored, body, { client_id, company, today }) {
      const sent = body as Sent;
      const own = readFields(stored, sent, { client_id, today });
      if (own.type !== stored?.type) checkSimplified(own.type, company);
      const kept = own.type === stored?.type ? stored.series_id : null;
      const series_id = sent.series_id === undefined ? kept : sent.series_id;
      return {
        ...own,
        // The default series is that of the day of each invoice.
        ...(series_id === null ? { series_id: null, series_code: null } : {}),
        ...(stored === null ? { ...notRun, status: sent.status ?? 'active' } : {}),
      };
    },
    finish(row, _keys, sent, { stored, client, today, company }) {
      const scheduled = scheduleFields(stored, row, { today, time_zone: company.time_zone });
      const is_active = (scheduled.status ?? row.status) === 'active';
      const has_content = Object.keys(sent).some((key) => !Object.hasOwn(labels, key));
      const has_new_delivery =
        stored !== null &&
        (['auto_send', 'send_to', 'client_id'] as const).some((key) => row[key] !== stored[key]);
      if ((is_active && has_content) || has_new_delivery) checkDelivery(row, client);
      return scheduled;
    },
    leavesSeries: (stored, { type = stored.type }) => type !== stored.type,
    duplicate: ({ document }, { today }) => ({
      ...notRun,
      status: 'paused',
      next_index: firstIndexOf({ ...document, last_occurrence_on: null }, today),
    }),
  },
  mutable: runColumns,
  async deleting({ tx, company: { company_id } }, row) {
    refuseAfterRun(row);
    await deleteOccurrences(tx, company_id, [row.id]);
  },
  async written(ctx, before, after) {
    if (before !== null) refuseLateChange(before, after, ctx.now);
    // The new calendar does not know the days that passed under the old one.
    if (before?.status === 'paused' && (hasNewCalendar(before, after) || after.status === 'completed')) {
      const skipped = newSkipped(before, indexAfterPassed(before, ctx.today), ctx.now);
      await insertSkipped(ctx.tx, ctx.company.company_id, skipped);
    }
    if (after.status === 'completed' && before !== null && before.status !== 'completed')
      ctx.emit('recurring_invoice.completed', after.id);
    if (before?.next_run_at !== after.next_run_at) await scheduleRun(ctx, after);
  },
  events: recurringInvoicesEvents,
  states: {
    statuses: recurringStatuses,
    events: {},
    peek: (from, move) => recurringStates.peek(from as RecurringStatus, move as RecurringMove),
    next: (from, move, details) =>
      recurringStates.next(from as RecurringStatus, move as RecurringMove, details),
  },
  list: {
    query: {
      frequency: Type.Optional(Enum(frequencies, { description: 'Cada cuánto' })),
      ...rangeParameters('next_run_at', Moment, 'Cuándo se hará la próxima factura'),
    },
    streams: ['client_id', 'series_id', 'frequency', 'status'],
    days: ['next_run_at'],
    sorts: { next_run_at: { ascending: 't.run_first', descending: 't.run_last' } },
    shared_sorts: [],
  },
  paper: null,
  mail: null,
  unique: { number: [], external_id: 'recurring_invoices_external_id' },
});
