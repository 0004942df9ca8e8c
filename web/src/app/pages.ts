/** All pages, in the order of the menu. */
import type { PageDefinition, PageGroup } from './page.ts';

export const pageGroups: readonly PageGroup[] = ['home', 'daily', 'build', 'settings'];

const found = import.meta.glob<PageDefinition>('../pages/*/index.ts', { eager: true, import: 'default' });

export const pages: readonly PageDefinition[] = Object.values(found).sort(
  (a, b) => pageGroups.indexOf(a.group) - pageGroups.indexOf(b.group) || a.order - b.order,
);
