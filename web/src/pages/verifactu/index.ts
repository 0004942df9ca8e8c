import { definePage } from '../../app/page.ts';

export default definePage({
  id: 'verifactu',
  group: 'daily',
  order: 20,
  letter: 'v',
  icon: 'seal',
  title: { es: 'VeriFactu', en: 'VeriFactu' },
  asks: 'list_verifactu_records',
  routes: {
    '/verifactu': () => import('./list.tsx'),
    '/verifactu/settings': () => import('./settings.tsx'),
    '/verifactu/$record': () => import('./one.tsx'),
  },
});
