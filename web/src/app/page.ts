/** What the frame knows of a page: `web/src/pages/<page>/index.ts` defines it, and all are found by their place (`pages.ts`). */
import type { ComponentType } from 'react';
import type { IconName } from './icons.tsx';
import type { OperationName } from './operation.ts';

export type PageGroup = 'home' | 'daily' | 'build' | 'settings';

export type PageDefinition = {
  /** Also the name of its folder. */
  id: string;
  group: PageGroup;
  /** Among the pages of its group; tens, so that another fits between. */
  order: number;
  /** After `g`, goes here. */
  letter: string;
  icon: IconName;
  title: { es: string; en: string };
  /** It is shown to whoever may call this; to all when left out. */
  asks?: OperationName;
  /** Only here; in both when left out. */
  environment?: 'live' | 'test';
  /** By path under the company, the first being the one that the menu opens. Each is a chunk. */
  routes: Readonly<Record<string, () => Promise<{ default: ComponentType }>>>;
  /** Of the person: its first path is there without a company too, at `/account`. */
  is_own?: boolean;
  /** Routes that are there for one more operation, such as the form of a new one. */
  route_asks?: Readonly<Record<string, OperationName>>;
};

export const definePage = (page: PageDefinition): PageDefinition => page;

export function firstPath({ routes }: PageDefinition): string {
  return Object.keys(routes)[0] ?? '/';
}
