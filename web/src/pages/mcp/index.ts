import { definePage } from '../../app/page.ts';

export default definePage({
  id: 'mcp',
  group: 'build',
  order: 60,
  letter: 'm',
  icon: 'agent',
  title: { es: 'MCP', en: 'MCP' },
  routes: { '/mcp': () => import('./set-up.tsx') },
});
