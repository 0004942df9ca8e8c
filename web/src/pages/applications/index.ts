import { definePage } from '../../app/page.ts';

export default definePage({
  id: 'applications',
  group: 'build',
  order: 50,
  letter: 'a',
  icon: 'apps',
  title: { es: 'Aplicaciones', en: 'Applications' },
  asks: 'list_oauth_clients',
  environment: 'live',
  routes: {
    '/applications': () => import('./list.tsx'),
    '/applications/new': () => import('./create.tsx'),
    '/applications/connected': () => import('./connected.tsx'),
    '/applications/connected/$oauth_grant': () => import('./grant.tsx'),
    '/applications/$oauth_client': () => import('./one.tsx'),
    '/applications/$oauth_client/edit': () => import('./edit.tsx'),
  },
  route_asks: {
    '/applications/new': 'create_oauth_client',
    '/applications/$oauth_client/edit': 'update_oauth_client',
  },
});
