import { definePage } from '../../app/page.ts';

export default definePage({
  id: 'clients',
  group: 'daily',
  order: 12,
  letter: 'n',
  icon: 'contacts',
  title: { es: 'Clientes', en: 'Clients' },
  asks: 'list_clients',
  routes: {
    '/clients': () => import('./list.tsx'),
    '/clients/new': () => import('./create.tsx'),
    '/clients/$client': () => import('./one.tsx'),
    '/clients/$client/edit': () => import('./edit.tsx'),
  },
  route_asks: {
    '/clients/new': 'create_client',
    '/clients/$client/edit': 'update_client',
  },
});
