import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, One, Shape, Uuid } from '../../../kernel/schema.ts';
import { seriesStates, stateOf } from '../rules/states.ts';
import { present, Series } from '../series.schema.ts';
import { lockSeries, updateSeries } from '../series.store.ts';

export const unarchiveSeries = defineOperation({
  name: 'unarchive_series',
  method: 'POST',
  path: '/v1/series/:series/unarchive',
  scope: 'series:write',
  tag: 'series',
  summary: 'Recupera una serie archivada.',
  description:
    'Vuelve a poner en uso una serie archivada, que sigue su numeración donde estaba. No pasa a ser la predeterminada. Si no estaba archivada, no cambia nada. Para que sea la predeterminada está set_default_series.',
  transaction: 'own',
  mcp: true,
  status: 200,
  params: Shape({ series: Described(Uuid, 'Id de la serie') }),
  output: One(Series),
  errors: [c.resource_not_found, c.invalid_status_transition],
  events: ['series.unarchived'],

  async handle({ tx, caller, now, today, emit }, { params }) {
    const current = await lockSeries(tx, caller.company_id, params.series, today);
    if (!current) throw fail(c.resource_not_found, { param: 'series' });
    const state = stateOf(current);
    if (seriesStates.next(state, 'unarchive', { param: 'series' }) === state)
      return { data: present(current) };

    const next = { ...current, is_archived: false, updated_at: now };
    await updateSeries(tx, caller.company_id, current.id, next);
    emit('series.unarchived', current.id);
    return { data: present(next) };
  },
});
