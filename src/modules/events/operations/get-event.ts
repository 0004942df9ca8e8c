import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, One, Shape, Uuid } from '../../../kernel/schema.ts';
import { Event, present } from '../events.schema.ts';
import { findEvent } from '../events.store.ts';

export const getEvent = defineOperation({
  name: 'get_event',
  method: 'GET',
  path: '/v1/events/:event',
  scope: 'events:read',
  tag: 'events',
  summary: 'Consulta un evento.',
  description:
    'Responde un evento: qué ocurrió, a qué recurso y cuándo. El recurso puede haber cambiado después. Si el id no es de ninguno de la empresa, responde resource_not_found. Cómo está ahora lo dice la operación del recurso con aggregate_id, por ejemplo get_invoice.',
  transaction: 'read',
  mcp: true,
  params: Shape({ event: Described(Uuid, 'Id del evento') }),
  output: One(Event),
  errors: [c.resource_not_found],
  examples: [{ title: 'Un evento' }],

  async handle({ tx, caller }, { params }) {
    const row = await findEvent(tx, caller.company_id, params.event);
    if (!row) throw fail(c.resource_not_found, { param: 'event' });
    return { data: present(row) };
  },
});
