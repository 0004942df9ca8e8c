import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { One } from '../../../kernel/schema.ts';
import { newId } from '../../../kernel/uuid7.ts';
import { newSeriesFields, readSeriesFormat } from '../rules/series-fields.ts';
import { refuseSharedNumbers, withFreeCode } from '../series.changes.ts';
import { CreateSeriesInput, present, Series } from '../series.schema.ts';
import { renewSettings } from '../../../platform/company-row.ts';
import { insertSeries } from '../series.store.ts';

export const createSeries = defineOperation({
  name: 'create_series',
  method: 'POST',
  path: '/v1/series',
  scope: 'series:write',
  tag: 'series',
  summary: 'Crea una serie de numeración.',
  description:
    'Crea una serie, que no pasa a ser la predeterminada de su tipo (set_default_series). Sin reset, la numeración vuelve a empezar cada año; sin format, el número lleva el código, el período y el contador. next_number es el primer número que dará, para seguir la numeración de otro programa. Se rechaza si el código ya está en uso o si el formato podría repetir números de otra serie (business_rule_violation).',
  transaction: 'own',
  mcp: true,
  body: CreateSeriesInput,
  output: One(Series),
  errors: [c.business_rule_violation],
  events: ['series.created'],
  examples: [
    {
      title: 'Facturas de una tienda',
      body: {
        code: 'T1-',
        document_type: 'invoice',
        name: 'Tienda 1',
        format: '{code}{yy}-{number:5}',
        reset: 'year',
      },
    },
    {
      title: 'Continúa la numeración de otro programa',
      body: { code: 'B', document_type: 'invoice', next_number: 348 },
    },
  ],

  async handle({ tx, caller, now, emit }, { body }) {
    const fields = newSeriesFields(body);
    const parts = readSeriesFormat(fields);
    await renewSettings(tx, caller.company_id);
    await refuseSharedNumbers(tx, caller.company_id, fields, parts, null);
    const row = {
      ...fields,
      id: newId(),
      is_default: false,
      is_archived: false,
      created_at: now,
      updated_at: now,
    };
    await withFreeCode(() => insertSeries(tx, caller.company_id, [row]));
    emit('series.created', row.id);
    return { data: present({ ...row, period_next: null, has_issued: false }) };
  },
});
