/**
 * After the first number only the name may change: the numbers of a series must follow one another (RD
 * 1619/2012, art. 6.1.a).
 */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { changedKeys, writableOf } from '../../../kernel/resource-input.ts';
import { Described, One, Shape, Uuid } from '../../../kernel/schema.ts';
import { applySeriesInput, changedNumbering, readSeriesFormat } from '../rules/series-fields.ts';
import { hasNumbered } from '../rules/states.ts';
import { refuseSharedNumbers, withFreeCode } from '../series.changes.ts';
import { present, Series, seriesReadOnly, UpdateSeriesInput } from '../series.schema.ts';
import { lockSeries, updateSeries as updateRow } from '../series.store.ts';

export const updateSeries = defineOperation({
  name: 'update_series',
  method: 'PUT',
  path: '/v1/series/:series',
  scope: 'series:write',
  tag: 'series',
  summary: 'Modifica una serie de numeración.',
  description:
    'Cambia los datos que se envían. El nombre cambia siempre; code, format, reset y next_number solo mientras la serie no ha dado ningún número: después se rechaza con invalid_status_transition y el campo en error.param, porque los números de una serie tienen que ser seguidos. El tipo de documento no cambia. Se rechaza también un código en uso o un formato que podría repetir números de otra serie (business_rule_violation). Una que ya ha dado números se retira con archive_series.',
  transaction: 'own',
  mcp: true,
  params: Shape({ series: Described(Uuid, 'Id de la serie') }),
  body: UpdateSeriesInput,
  output: One(Series),
  errors: [c.resource_not_found, c.invalid_status_transition, c.business_rule_violation],
  events: ['series.updated'],
  examples: [{ title: 'Cambia el nombre', body: { name: 'Tienda de la calle Mayor' } }],

  async handle({ tx, caller, now, today, emit }, { params, body }) {
    const current = await lockSeries(tx, caller.company_id, params.series, today);
    if (!current) throw fail(c.resource_not_found, { param: 'series' });
    const shown = present(current);
    const input = writableOf(body, shown, seriesReadOnly);
    const renumbers = changedNumbering(shown, input);
    if (renumbers && current.has_issued) throw hasNumbered(renumbers);
    const next = { ...current, ...applySeriesInput(current, input, shown.next_number) };
    if (changedKeys(current, next).length === 0) return { data: shown };
    if (renumbers) await refuseSharedNumbers(tx, caller.company_id, next, readSeriesFormat(next), current.id);

    next.updated_at = now;
    await withFreeCode(() => updateRow(tx, caller.company_id, current.id, next));
    emit('series.updated', current.id);
    return { data: present(next) };
  },
});
