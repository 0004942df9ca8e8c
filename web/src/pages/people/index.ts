import { definePage } from '../../app/page.ts';

export default definePage({
  id: 'people',
  group: 'settings',
  order: 20,
  letter: 'p',
  icon: 'people',
  title: { es: 'Personas', en: 'People' },
  routes: { '/people': () => import('./people.tsx') },
});
