import { definePage } from '../../app/page.ts';

export default definePage({
  id: 'webhooks',
  group: 'build',
  order: 20,
  letter: 'w',
  icon: 'webhook',
  title: { es: 'Webhooks', en: 'Webhooks' },
  asks: 'list_webhook_endpoints',
  routes: {
    '/webhooks': () => import('./list.tsx'),
    '/webhooks/new': () => import('./create.tsx'),
    '/webhooks/$webhook_endpoint': () => import('./one.tsx'),
    '/webhooks/$webhook_endpoint/edit': () => import('./edit.tsx'),
    '/webhooks/$webhook_endpoint/deliveries/$delivery': () => import('./delivery.tsx'),
  },
  route_asks: {
    '/webhooks/new': 'create_webhook_endpoint',
    '/webhooks/$webhook_endpoint/edit': 'update_webhook_endpoint',
  },
});
