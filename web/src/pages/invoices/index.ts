import { definePage } from '../../app/page.ts';

export default definePage({
  id: 'invoices',
  group: 'daily',
  order: 10,
  letter: 'i',
  icon: 'invoice',
  title: { es: 'Facturas', en: 'Invoices' },
  asks: 'list_invoices',
  routes: {
    '/invoices': () => import('./list.tsx'),
    '/invoices/new': () => import('./create.tsx'),
    '/invoices/$invoice': () => import('./one.tsx'),
    '/invoices/$invoice/edit': () => import('./edit.tsx'),
  },
  route_asks: {
    '/invoices/new': 'create_invoice',
    '/invoices/$invoice/edit': 'update_invoice',
  },
});
