/** An event is `available` when this build emits it. Not paged: the catalogue is closed. */
import { defineOperation } from '../../../kernel/operation.ts';
import { Page } from '../../../kernel/schema.ts';
import { CatalogItem } from '../events.schema.ts';

export const listEventCatalog = defineOperation({
  name: 'list_event_catalog',
  method: 'GET',
  path: '/v1/event-catalog',
  scope: 'events:read',
  tag: 'events',
  summary: 'Lista el catálogo de eventos.',
  description:
    'Responde en una sola página los nombres de todos los eventos y lo que significan, para elegir a cuáles se suscribe un webhook. Los que están en available ya se emiten; los que están en coming_soon, aún no.',
  transaction: 'read',
  mcp: true,
  output: Page(CatalogItem),
  errors: [],
  examples: [{ title: 'El catálogo' }],

  async handle({ ports }) {
    return { data: ports.events.items, has_more: false, next_cursor: null };
  },
});
