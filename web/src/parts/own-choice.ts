/** A choice among a few, of something that has one already. */
import type { Choice } from './list-filters.tsx';

/** What is chosen stays a choice, also where it is offered no more. A browser would show the first one in its place. */
export const withOwn = (offered: readonly Choice[], own: Choice): Choice[] =>
  offered.some(({ value }) => value === own.value) ? [...offered] : [own, ...offered];
