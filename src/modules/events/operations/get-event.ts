/** Retrieves one event. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { One, Shape, Uuid } from '../../../kernel/schema.ts';
import { Event, present } from '../events.schema.ts';
import { findEvent } from '../events.store.ts';

export const getEvent = defineOperation({
  name: 'get_event',
  method: 'GET',
  path: '/v1/events/:event',
  scope: 'events:read',
  tag: 'events',
  summary: 'Consulta un evento.',
  transaction: 'read',
  mcp: true,
  params: Shape({ event: Uuid }),
  output: One(Event),
  errors: [c.resource_not_found],
  examples: [{ title: 'Un evento' }],

  async handle({ tx, caller }, { params }) {
    const row = await findEvent(tx, caller.company_id, params.event);
    if (!row) throw fail(c.resource_not_found, { param: 'event' });
    return { data: present(row) };
  },
});
