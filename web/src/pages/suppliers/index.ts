import { definePage } from '../../app/page.ts';

export default definePage({
  id: 'suppliers',
  group: 'daily',
  order: 13,
  letter: 'o',
  icon: 'truck',
  title: { es: 'Proveedores', en: 'Suppliers' },
  asks: 'list_suppliers',
  routes: {
    '/suppliers': () => import('./list.tsx'),
    '/suppliers/new': () => import('./create.tsx'),
    '/suppliers/$supplier': () => import('./one.tsx'),
    '/suppliers/$supplier/edit': () => import('./edit.tsx'),
  },
  route_asks: {
    '/suppliers/new': 'create_supplier',
    '/suppliers/$supplier/edit': 'update_supplier',
  },
});
