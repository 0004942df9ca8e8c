/** The days of a recurrence: those that have come, and the next ones. */
import { commonErrors as c } from '../../kernel/common.errors.ts';
import { defineList } from '../../kernel/list-operation.ts';
import { pageAnswer, rangeParameters } from '../../kernel/page.ts';
import { fail } from '../../kernel/problem.ts';
import {
  DayText,
  Described,
  Enum,
  Moment,
  Nullable,
  Page,
  Timestamp,
  Type,
  Uuid,
  Shape,
} from '../../kernel/schema.ts';
import { rangeCondition, readPageRows, valueCondition } from '../../platform/page-rows.ts';
import { findDocument, idParams, idOf } from '../sales/index.ts';
import { recurringInvoices as family } from './recurring-invoices.family.ts';
import type { OccurrenceRow } from './recurring-invoices.store.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { runTime, upcomingDays } from './rules/calendar.ts';
import { nextOccurrence } from './rules/states.ts';

const statuses = ['made', 'skipped', 'failed'] as const;

const Occurrence = Type.Object({
  id: Described(Uuid, 'Id de este día en la lista'),
  object: Type.Literal('recurring_invoice_occurrence'),
  occurrence_on: Described(DayText, 'El día, YYYY-MM-DD'),
  status: Enum(statuses, {
    description: 'made con su factura, skipped pasó en pausa, failed no se pudo hacer',
  }),
  invoice_id: Described(Nullable(Uuid), 'Id de la factura que se hizo'),
  error: Nullable(
    Type.Object({
      code: Type.String({ description: 'Código del error' }),
      message: Type.String({ description: 'Por qué no se pudo hacer' }),
      param: Nullable(Type.String({ description: 'Campo que hay que corregir' })),
    }),
  ),
  created_at: Described(Timestamp, 'Cuándo se anotó (ISO 8601 UTC)'),
  updated_at: Described(Timestamp, 'Cuándo cambió por última vez (ISO 8601 UTC)'),
});

export const listRecurringInvoiceOccurrences = defineList({
  name: 'list_recurring_invoice_occurrences',
  path: '/v1/recurring_invoices/:recurring_invoice/occurrences',
  scope: 'recurring_invoices:read',
  tag: family.collection,
  summary: 'Lista los días de una factura recurrente que ya han llegado.',
  description:
    'Responde una página de los días que ya llegaron, lo último anotado primero: los que tienen su factura (made), los que pasaron en pausa (skipped; de una pausa muy larga, los 500 últimos) y los que no se pudieron hacer (failed), con su motivo. Los próximos los dice preview_recurring_invoice.',
  mcp: true,
  params: idParams(family),
  filters: {
    status: Type.Optional(Enum(statuses, { description: 'Qué fue de ellos' })),
    ...rangeParameters('created', Moment),
    ...rangeParameters('updated', Moment),
  },
  item: Occurrence,
  errors: [c.resource_not_found],
  examples: [{ title: 'Los que tienen su factura', query: { status: 'made' } }],

  async list({ tx, company: { company_id } }, { params, query, page }) {
    const id = (params as Record<string, string>)[family.object] ?? '';
    if (!(await findDocument(tx, family, company_id, id)))
      throw fail(c.resource_not_found, { param: family.object });
    const of = tx`and t.recurring_invoice_id = ${id}`;
    const rows = await readPageRows<OccurrenceRow>(tx, company_id, page, {
      table: 'recurring_occurrences',
      of,
      where: tx`${of} ${valueCondition(tx, 't.status', query, 'status')}
        ${rangeCondition(tx, 't.created_at', query, 'created')} ${rangeCondition(tx, 't.updated_at', query, 'updated')}`,
    });
    return pageAnswer(rows, page, (row) => ({
      id: row.id,
      object: 'recurring_invoice_occurrence',
      occurrence_on: row.occurrence_on,
      status: row.status,
      invoice_id: row.invoice_id,
      error: row.error,
      created_at: new Date(row.created_at).toISOString(),
      updated_at: new Date(row.updated_at).toISOString(),
    }));
  },
});

const standard = 12;

export const previewRecurringInvoice = defineOperation({
  name: 'preview_recurring_invoice',
  method: 'GET',
  path: '/v1/recurring_invoices/:recurring_invoice/upcoming',
  scope: 'recurring_invoices:read',
  tag: family.collection,
  summary: 'Dice los próximos días de una factura recurrente.',
  description:
    'Responde los próximos días en que hará una factura, 12 si limit no dice otra cosa, y a qué hora. De una en pausa, los que tendría si se reanudara hoy; de una terminada o cancelada, ninguno. Es una sola página: has_more siempre es false. No hace ninguna: para hacer ya la próxima está emit_recurring_invoice.',
  transaction: 'read',
  mcp: true,
  params: idParams(family),
  query: Shape({
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 24, description: 'Cuántos días: 1 a 24, 12 si se omite' }),
    ),
  }),
  output: Page(
    Type.Object({
      object: Type.Literal('recurring_invoice_occurrence'),
      id: Type.Null({ description: 'Aún no lo tiene: está por llegar' }),
      occurrence_on: Described(DayText, 'El día, YYYY-MM-DD'),
      run_at: Described(
        Timestamp,
        'Cuándo se hará la factura: a las 06:00 de la empresa; tras un fallo, cuándo se intenta de nuevo',
      ),
    }),
  ),
  errors: [c.resource_not_found],
  examples: [{ title: 'Los tres próximos', query: { limit: '3' } }],

  async handle({ tx, company: { company_id, time_zone }, today }, { params, query: { limit = standard } }) {
    const row = await findDocument(tx, family, company_id, idOf(family, params));
    if (!row) throw fail(c.resource_not_found, { param: family.object });
    const is_open = row.status === 'active' || row.status === 'paused';
    const next = is_open ? nextOccurrence(row, today) : null;
    const from = next && { index: next.index, made: row.occurrences_count };
    const days = from ? upcomingDays(row, row, from, limit) : [];
    // After a refusal the first one waits for a later day, and the others for it.
    const earliest = row.next_run_at === null ? 0 : new Date(row.next_run_at).getTime();
    const runAt = (day: string) => new Date(Math.max(earliest, runTime(time_zone, day).getTime()));
    return {
      data: days.map((occurrence_on) => ({
        object: 'recurring_invoice_occurrence',
        id: null,
        occurrence_on,
        run_at: runAt(occurrence_on).toISOString(),
      })),
      // Days to come have no id, so none leads to a further page.
      has_more: false,
      next_cursor: null,
    };
  },
});
