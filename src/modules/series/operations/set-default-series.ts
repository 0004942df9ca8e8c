import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, One, Shape, Uuid } from '../../../kernel/schema.ts';
import { seriesStates, stateOf } from '../rules/states.ts';
import { present, Series } from '../series.schema.ts';
import { lockDefaultSeries, lockSeries, updateSeries } from '../series.store.ts';

export const setDefaultSeries = defineOperation({
  name: 'set_default_series',
  method: 'POST',
  path: '/v1/series/:series/set-default',
  scope: 'series:write',
  tag: 'series',
  summary: 'Hace de una serie la predeterminada de su tipo de documento.',
  description:
    'Hace que la serie sea la que se usa cuando un documento de su tipo no dice otra; la que lo era deja de serlo. Los borradores conservan la suya. Una serie archivada se rechaza (invalid_status_transition). Si ya era la predeterminada, no cambia nada. Las de cada tipo las da list_series.',
  transaction: 'own',
  mcp: true,
  status: 200,
  params: Shape({ series: Described(Uuid, 'Id de la serie') }),
  output: One(Series),
  errors: [c.resource_not_found, c.invalid_status_transition],
  events: ['series.demoted_from_default', 'series.marked_as_default'],

  async handle({ tx, caller, now, today, emit }, { params }) {
    const { company_id } = caller;
    const current = await lockSeries(tx, company_id, params.series, today);
    if (!current) throw fail(c.resource_not_found, { param: 'series' });
    const state = stateOf(current);
    if (seriesStates.next(state, 'set_default', { param: 'series' }) === state)
      return { data: present(current) };

    const previous = await lockDefaultSeries(tx, company_id, current.document_type, today);
    if (previous) {
      // First, because the unique key admits one default at any moment.
      await updateSeries(tx, company_id, previous.id, { ...previous, is_default: false, updated_at: now });
      emit('series.demoted_from_default', previous.id);
    }
    const next = { ...current, is_default: true, updated_at: now };
    await updateSeries(tx, company_id, current.id, next);
    emit('series.marked_as_default', current.id);
    return { data: present(next) };
  },
});
