import { definePage } from '../../app/page.ts';

export default definePage({
  id: 'sandbox',
  group: 'build',
  order: 80,
  letter: 's',
  icon: 'flask',
  title: { es: 'Pruebas', en: 'Sandbox' },
  // On a live company the page says where the sandbox is.
  asks: 'get_company',
  routes: {
    '/sandbox': () => import('./sandbox.tsx'),
    '/sandbox/emails/$email': () => import('./email.tsx'),
  },
});
