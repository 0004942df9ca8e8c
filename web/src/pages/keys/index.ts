import { definePage } from '../../app/page.ts';

export default definePage({
  id: 'keys',
  group: 'build',
  order: 40,
  letter: 'k',
  icon: 'key',
  title: { es: 'Claves', en: 'Keys' },
  asks: 'list_api_keys',
  routes: {
    '/keys': () => import('./list.tsx'),
    '/keys/new': () => import('./create.tsx'),
    '/keys/$api_key': () => import('./one.tsx'),
  },
  route_asks: {
    '/keys/new': 'create_api_key',
  },
});
