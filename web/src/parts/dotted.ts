/** Names such as `invoice.verifactu_submitted`. On a narrow screen a line ends after a sign, not within a word. */
import { createElement, type ReactElement, type ReactNode } from 'react';

/** Of the name, each with the signs that end it. */
export function partsOf(name: string): string[] {
  return name.match(/[^._]*[._]+|[^._]+/g) ?? [];
}

/** Whoever copies it has the name as it is. */
export function Dotted({ name }: { name: string }): ReactElement {
  const [first = '', ...others] = partsOf(name);
  const children = others.reduce<ReactNode[]>((all, part) => all.concat(createElement('wbr'), part), [first]);
  return createElement('span', null, ...children);
}
