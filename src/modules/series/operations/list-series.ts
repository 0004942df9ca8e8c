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
  transaction: 'read',
  mcp: true,
  query: Shape({
    ...pageParameters,
    ...sortParameter(sorts),
    document_type: Type.Optional(Enum(seriesKinds)),
    is_archived: Type.Optional(Type.Boolean()),
    code: Type.Optional(Text(60)),
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
