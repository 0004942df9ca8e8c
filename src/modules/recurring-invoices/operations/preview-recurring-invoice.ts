import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { DayText, Described, Shape, Timestamp, Type } from '../../../kernel/schema.ts';
import { findDocument, idOf, idParams } from '../../sales/index.ts';
import { recurringInvoices as family } from '../recurring-invoices.family.ts';
import { runTime, upcomingDays } from '../rules/calendar.ts';
import { nextOccurrence } from '../rules/schedule.ts';

const standard = 12;

export const previewRecurringInvoice = defineOperation({
  name: 'preview_recurring_invoice',
  method: 'GET',
  path: '/v1/recurring_invoices/:recurring_invoice/upcoming',
  scope: 'recurring_invoices:read',
  tag: family.collection,
  summary: 'Dice los próximos días de una factura recurrente.',
  description:
    'Responde los próximos días en que hará una factura, 12 si limit no dice otra cosa, y a qué hora. De una en pausa, los que tendría si se reanudara hoy; de una terminada o cancelada, ninguno.',
  transaction: 'read',
  mcp: true,
  params: idParams(family),
  query: Shape({
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 24, description: 'Cuántos días: 1 a 24, 12 si se omite' }),
    ),
  }),
  output: Type.Object({
    data: Type.Array(
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
  }),
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
    };
  },
});
