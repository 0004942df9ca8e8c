import { definePage } from '../../app/page.ts';

export default definePage({
  id: 'company',
  group: 'settings',
  order: 10,
  letter: 'c',
  icon: 'company',
  title: { es: 'Empresa', en: 'Company' },
  asks: 'get_company',
  routes: {
    '/company': () => import('./settings.tsx'),
    '/company/series': () => import('./series-list.tsx'),
    '/company/series/new': () => import('./series-create.tsx'),
    '/company/series/$series': () => import('./series-one.tsx'),
    '/company/taxes': () => import('./taxes.tsx'),
    '/company/plan': () => import('./plan.tsx'),
    '/company/new': () => import('./create.tsx'),
  },
  route_asks: {
    '/company/series': 'list_series',
    '/company/series/new': 'create_series',
    '/company/series/$series': 'get_series',
    '/company/taxes': 'list_taxes',
  },
});
