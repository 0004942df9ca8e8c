import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, One, Shape, Uuid } from '../../../kernel/schema.ts';
import { present, Series } from '../series.schema.ts';
import { findSeriesRow } from '../series.store.ts';

export const getSeries = defineOperation({
  name: 'get_series',
  method: 'GET',
  path: '/v1/series/:series',
  scope: 'series:read',
  tag: 'series',
  summary: 'Consulta una serie de numeración.',
  description:
    'Responde una serie con next_number, el número que dará a su siguiente documento. Si el id no es de ninguna de la empresa, responde resource_not_found. next_number no queda reservado: lo toma el primer documento que lo pida.',
  transaction: 'read',
  row: 'series',
  mcp: true,
  params: Shape({ series: Described(Uuid, 'Id de la serie') }),
  output: One(Series),
  errors: [c.resource_not_found],

  async handle({ tx, caller, today }, { params }) {
    const row = await findSeriesRow(tx, caller.company_id, params.series, today);
    if (!row) throw fail(c.resource_not_found, { param: 'series' });
    return { data: present(row) };
  },
});
