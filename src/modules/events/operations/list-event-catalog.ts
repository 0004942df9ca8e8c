/** An event is `available` when this build emits it. */
import { defineClosedList } from '../../../kernel/closed-list.ts';
import { CatalogItem, presentCatalogItem } from '../events.schema.ts';

export const listEventCatalog = defineClosedList({
  name: 'list_event_catalog',
  path: '/v1/event-catalog',
  scope: 'events:read',
  tag: 'events',
  summary: 'Lista el catálogo de eventos.',
  description:
    'Responde una página de los nombres de todos los eventos y lo que significan, para elegir a cuáles se suscribe un webhook. Los que están en available ya se emiten; los que están en coming_soon, aún no. Se eligen en enabled_events de create_webhook_endpoint o de update_webhook_endpoint.',
  mcp: true,
  item: CatalogItem,
  examples: [{ title: 'El catálogo' }],
  items: ({ events }) => events.items.map(presentCatalogItem),
});
