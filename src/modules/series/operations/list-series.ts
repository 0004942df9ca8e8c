import { seriesKinds } from '../../../domain/sales/default-series.ts';
import { defineList } from '../../../kernel/list-operation.ts';
import { pageAnswer, rangeParameters } from '../../../kernel/page.ts';
import { Enum, Moment, Text, Type } from '../../../kernel/schema.ts';
import { kindTexts, present, Series } from '../series.schema.ts';
import { listSeries as listRows } from '../series.store.ts';

const sorts = ['created', 'code'] as const;

export const listSeries = defineList({
  name: 'list_series',
  path: '/v1/series',
  scope: 'series:read',
  tag: 'series',
  summary: 'Lista las series de numeración.',
  description:
    'Responde una página de las series de la empresa, también las archivadas, cada una con el número que dará a su siguiente documento. Los filtros se suman: solo salen las que los cumplen todos. El id va en series_id de un documento; el que no dice ninguna usa la predeterminada de su tipo (is_default).',
  mcp: true,
  sorts,
  filters: {
    document_type: Type.Optional(Enum(seriesKinds, { description: `Qué numera: ${kindTexts}` })),
    is_archived: Type.Optional(
      Type.Boolean({ description: 'true: solo las archivadas; false: solo las que están en uso' }),
    ),
    code: Type.Optional(Text(60, { description: 'Código exacto' })),
    ...rangeParameters('created', Moment),
    ...rangeParameters('updated', Moment),
  },
  item: Series,
  examples: [
    {
      title: 'Las series de factura en uso',
      query: { document_type: 'invoice', is_archived: 'false', sort: 'code' },
    },
  ],

  async list({ tx, caller, today }, { query, page }) {
    const rows = await listRows(tx, caller.company_id, today, query, page);
    return pageAnswer(rows, page, present);
  },
});
