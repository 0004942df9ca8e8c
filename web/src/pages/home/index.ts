import { definePage } from '../../app/page.ts';

export default definePage({
  id: 'home',
  group: 'home',
  order: 10,
  letter: 'h',
  icon: 'home',
  title: { es: 'Inicio', en: 'Home' },
  routes: { '/': () => import('./home.tsx') },
});
