import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, One, Shape, Uuid } from '../../../kernel/schema.ts';
import { seriesStates, stateOf } from '../rules/states.ts';
import { present, Series } from '../series.schema.ts';
import { lockSeries, updateSeries } from '../series.store.ts';

export const archiveSeries = defineOperation({
  name: 'archive_series',
  method: 'POST',
  path: '/v1/series/:series/archive',
  scope: 'series:write',
  tag: 'series',
  summary: 'Archiva una serie: ya no da números.',
  description:
    'Retira una serie: no da más números, y un borrador que la nombre no se puede emitir con ella. Los números que dio no cambian, y se recupera con unarchive_series. La predeterminada de su tipo no se puede archivar (invalid_status_transition): haga antes predeterminada otra con set_default_series. Archivar una ya archivada no cambia nada.',
  transaction: 'own',
  mcp: true,
  effects: 'withdraw',
  status: 200,
  params: Shape({ series: Described(Uuid, 'Id de la serie') }),
  output: One(Series),
  errors: [c.resource_not_found, c.invalid_status_transition],
  events: ['series.archived'],

  async handle({ tx, caller, now, today, emit }, { params }) {
    const current = await lockSeries(tx, caller.company_id, params.series, today);
    if (!current) throw fail(c.resource_not_found, { param: 'series' });
    const state = stateOf(current);
    if (seriesStates.next(state, 'archive', { param: 'series' }) === state) return { data: present(current) };

    const next = { ...current, is_archived: true, updated_at: now };
    await updateSeries(tx, caller.company_id, current.id, next);
    emit('series.archived', current.id);
    return { data: present(next) };
  },
});
