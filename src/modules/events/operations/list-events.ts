/** Lists the events, newest first; filters by type, by resource and by time. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import {
  pageAnswer,
  pageParameters,
  rangeParameters,
  readPage,
  sortParameter,
} from '../../../kernel/page.ts';
import { invalid, refuseIssues } from '../../../kernel/resource-input.ts';
import { Page, Shape, Text, Timestamp, Type, Uuid } from '../../../kernel/schema.ts';
import { eventCatalog } from '../event-catalog.data.ts';
import { Event, present } from '../events.schema.ts';
import { listEvents as listRows } from '../events.store.ts';

const names: ReadonlySet<string> = new Set(eventCatalog.map((e) => e.name));

/** The types asked for. @throws 422 parameter_invalid for a name that is not in the catalogue */
function readTypes(query: { type?: string; 'type[in]'?: string }): string[] | undefined {
  const types: string[] = [];
  for (const param of ['type', 'type[in]'] as const) {
    if (query[param] === undefined) continue;
    const list = param === 'type' ? [query[param]] : query[param].split(',').map((t) => t.trim());
    const unknown = list.find((name) => !names.has(name));
    if (unknown !== undefined) {
      refuseIssues([invalid(param, `No hay eventos de tipo «${unknown.slice(0, 60)}».`)]);
    }
    types.push(...list);
  }
  return types.length === 0 ? undefined : [...new Set(types)];
}

export const listEvents = defineOperation({
  name: 'list_events',
  method: 'GET',
  path: '/v1/events',
  scope: 'events:read',
  tag: 'events',
  summary: 'Lista los eventos.',
  transaction: 'read',
  mcp: true,
  query: Shape({
    type: Type.Optional(Text(100)),
    'type[in]': Type.Optional(Text(4000, { description: 'Varios tipos, separados por comas' })),
    aggregate_id: Type.Optional(Uuid),
    ...rangeParameters('created', Timestamp),
    ...pageParameters,
    ...sortParameter(['created']),
  }),
  output: Page(Event),
  errors: [c.parameter_invalid_cursor],
  examples: [{ title: 'Los de una clase', query: { type: 'invoice.created', limit: '2' } }],

  async handle({ tx, caller }, { query }) {
    const page = readPage(query);
    const types = readTypes(query);
    const rows = await listRows(tx, caller.company_id, page, { ...query, ...(types ? { types } : {}) });
    return pageAnswer(rows, page, present);
  },
});
