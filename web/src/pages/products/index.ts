import { definePage } from '../../app/page.ts';

export default definePage({
  id: 'products',
  group: 'daily',
  order: 14,
  letter: 'd',
  icon: 'box',
  title: { es: 'Productos', en: 'Products' },
  asks: 'list_products',
  routes: {
    '/products': () => import('./list.tsx'),
    '/products/new': () => import('./create.tsx'),
    '/products/$product': () => import('./one.tsx'),
  },
  route_asks: {
    '/products/new': 'create_product',
  },
});
