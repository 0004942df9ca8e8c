import { definePage } from '../../app/page.ts';

export default definePage({
  id: 'me',
  group: 'settings',
  order: 90,
  letter: 'u',
  icon: 'person',
  title: { es: 'Mi cuenta', en: 'My account' },
  is_own: true,
  routes: { '/me': () => import('./me.tsx') },
});
