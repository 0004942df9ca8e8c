import { definePage } from '../../app/page.ts';

export default definePage({
  id: 'events',
  group: 'build',
  order: 10,
  letter: 'e',
  icon: 'event',
  title: { es: 'Eventos', en: 'Events' },
  asks: 'list_events',
  routes: {
    '/events': () => import('./list.tsx'),
    '/events/$event': () => import('./one.tsx'),
  },
});
