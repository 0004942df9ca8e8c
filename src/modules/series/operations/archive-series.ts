/** Archives a series: no further document takes a number from it. What it gave stays. The default cannot be archived. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { One, Shape, Uuid } from '../../../kernel/schema.ts';
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
  transaction: 'own',
  mcp: true,
  status: 200,
  params: Shape({ series: Uuid }),
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
