import { askedValues } from '../../../kernel/list-filters.ts';
import { defineList } from '../../../kernel/list-operation.ts';
import { pageAnswer, rangeParameters } from '../../../kernel/page.ts';
import { invalidField, refuseIssues } from '../../../kernel/resource-input.ts';
import { Described, Text, Moment, Type, Uuid } from '../../../kernel/schema.ts';
import { eventCatalog } from '../event-catalog.data.ts';
import { Event, present } from '../events.schema.ts';
import { listEvents as listRows } from '../events.store.ts';

const names: ReadonlySet<string> = new Set(eventCatalog.map((e) => e.name));

type Asked = { type?: string; 'type[in]'?: string };

/** @throws 422 parameter_invalid for a name outside the catalogue */
function readTypes({ type, 'type[in]': text }: Asked): string[] | undefined {
  const several = text?.split(',').map((name) => name.trim());
  for (const [param, list] of [
    ['type', type === undefined ? [] : [type]],
    ['type[in]', several ?? []],
  ] as const) {
    const unknown = list.find((name) => !names.has(name));
    if (unknown !== undefined) {
      refuseIssues([invalidField(param, `No hay eventos de tipo «${unknown.slice(0, 60)}».`)]);
    }
  }
  return askedValues({ type, 'type[in]': several?.join() }, 'type');
}

export const listEvents = defineList({
  name: 'list_events',
  path: '/v1/events',
  scope: 'events:read',
  tag: 'events',
  summary: 'Lista los eventos.',
  description:
    'Responde una página de lo que ha ocurrido en la empresa, lo más reciente primero: facturas emitidas o cobradas, clientes nuevos y demás tipos del catálogo. Sirve para ponerse al día cuando se ha perdido un webhook: con test=false, sin los ejemplos de send_webhook_test_event. Los filtros se suman; un tipo que no está en el catálogo se rechaza (parameter_invalid).',
  mcp: true,
  sorts: ['created'],
  filters: {
    type: Type.Optional(Text(100, { description: 'Tipo exacto, por ejemplo invoice.paid' })),
    'type[in]': Type.Optional(
      Text(4000, { description: 'Varios tipos, separados por comas; salen los de cualquiera de ellos' }),
    ),
    aggregate_id: Type.Optional(Described(Uuid, 'Id del recurso al que le ocurrió, por ejemplo una factura')),
    test: Type.Optional(
      Type.Boolean({
        description: 'true: solo los ejemplos de send_webhook_test_event; false: solo lo que ha ocurrido',
      }),
    ),
    ...rangeParameters('created', Moment),
    ...rangeParameters('updated', Moment),
  },
  item: Event,
  examples: [{ title: 'Los de una clase', query: { type: 'invoice.created', limit: '2' } }],

  async list({ tx, caller }, { query, page }) {
    const types = readTypes(query);
    const rows = await listRows(tx, caller.company_id, caller.environment, page, {
      ...query,
      ...(types ? { types } : {}),
    });
    return pageAnswer(rows, page, present);
  },
});
