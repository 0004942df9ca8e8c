import { definePage } from '../../app/page.ts';

export default definePage({
  id: 'requests',
  group: 'build',
  order: 30,
  letter: 'r',
  icon: 'requests',
  title: { es: 'Peticiones', en: 'Requests' },
  asks: 'list_request_logs',
  routes: { '/requests': () => import('./list.tsx') },
});
