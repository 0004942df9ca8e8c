import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineList } from '../../../kernel/list-operation.ts';
import { pageAnswer, rangeParameters } from '../../../kernel/page.ts';
import { fail } from '../../../kernel/problem.ts';
import { DayText, Described, Enum, Moment, Nullable, Timestamp, Type, Uuid } from '../../../kernel/schema.ts';
import { rangeCondition, readPageRows, valueCondition } from '../../../platform/page-rows.ts';
import { findDocument, idParams } from '../../sales/index.ts';
import { recurringInvoices as family } from '../recurring-invoices.family.ts';
import type { OccurrenceRow } from '../recurring-invoices.store.ts';

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
