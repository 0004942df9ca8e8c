/** Lists the company's numbering series. */
import { seriesKinds } from '../../../domain/sales/default-series.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { pageAnswer, pageParameters, readPage, sortParameter } from '../../../kernel/page.ts';
import { Enum, Page, Shape, Text, Type } from '../../../kernel/schema.ts';
import { present, Series } from '../series.schema.ts';
import { listSeries as listRows } from '../series.store.ts';

const sorts = ['created', 'code'] as const;

export const listSeries = defineOperation({
  name: 'list_series',
  method: 'GET',
  path: '/v1/series',
  scope: 'series:read',
  tag: 'series',
  summary: 'Lista las series de numeración.',
  description:
    'Responde una página de las series de la empresa, también las archivadas, cada una con el número que dará a su siguiente documento. Los filtros se suman: solo salen las que los cumplen todos.',
  transaction: 'read',
  mcp: true,
  query: Shape({
    ...pageParameters,
    ...sortParameter(sorts),
    document_type: Type.Optional(
      Enum(seriesKinds, {
        description:
          'Qué numera: invoice facturas, simplified_invoice simplificadas, corrective_invoice rectificativas, corrective_simplified_invoice rectificativas de simplificadas, quote presupuestos, proforma proformas, delivery_note albaranes',
      }),
    ),
    is_archived: Type.Optional(
      Type.Boolean({ description: 'true: solo las archivadas; false: solo las que están en uso' }),
    ),
    code: Type.Optional(Text(60, { description: 'Código exacto' })),
  }),
  output: Page(Series),
  errors: [c.parameter_invalid_cursor],
  examples: [
    {
      title: 'Las series de factura en uso',
      query: { document_type: 'invoice', is_archived: 'false', sort: 'code' },
    },
  ],

  async handle({ tx, caller, today }, { query }) {
    const page = readPage(query, sorts);
    const rows = await listRows(tx, caller.company_id, today, query, page);
    return pageAnswer(rows, page, present);
  },
});
