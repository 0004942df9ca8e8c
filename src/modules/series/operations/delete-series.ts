import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Deleted, Described, Shape, Uuid } from '../../../kernel/schema.ts';
import { hasNumbered, seriesStates, stateOf } from '../rules/states.ts';
import { lockSeries, removeSeries } from '../series.store.ts';

export const deleteSeries = defineOperation({
  name: 'delete_series',
  method: 'DELETE',
  path: '/v1/series/:series',
  scope: 'series:write',
  tag: 'series',
  summary: 'Elimina una serie que no ha dado ningún número.',
  description:
    'Borra para siempre una serie que no ha dado ningún número. Si ha dado alguno, si un borrador o una factura recurrente la nombra o si es la predeterminada de su tipo, se rechaza (invalid_status_transition): se puede archivar con archive_series.',
  transaction: 'own',
  mcp: true,
  effects: 'withdraw',
  irreversible: true,
  params: Shape({ series: Described(Uuid, 'Id de la serie') }),
  output: Deleted('series'),
  errors: [c.resource_not_found, c.invalid_status_transition],
  events: ['series.deleted'],

  async handle({ tx, caller, today, emit }, { params }) {
    const current = await lockSeries(tx, caller.company_id, params.series, today);
    if (!current) throw fail(c.resource_not_found, { param: 'series' });
    seriesStates.next(stateOf(current), 'delete', { param: 'series' });
    if (current.has_issued) throw hasNumbered('series');
    if (!(await removeSeries(tx, caller.company_id, current.id))) {
      const reason = 'un borrador o una factura recurrente nombra la serie. Puede archivarla.';
      throw fail(c.invalid_status_transition, { param: 'series', values: { reason } });
    }
    emit('series.deleted', current.id);
    return { data: { id: current.id, object: 'series', deleted: true } };
  },
});
