import { definePage } from '../../app/page.ts';

export default definePage({
  id: 'audit',
  group: 'settings',
  order: 30,
  letter: 'l',
  icon: 'audit',
  title: { es: 'Auditoría', en: 'Audit log' },
  asks: 'list_audit_log',
  routes: { '/audit': () => import('./audit.tsx') },
});
