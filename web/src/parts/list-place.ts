/** Filters and cursor of each list as somebody left it: the link back from what it led to has them. Gone with the tab. */
import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';

type Search = Readonly<Record<string, string>>;

/** By the path of its page, which names the company. */
const left = new Map<string, Search>();

export function useKeptPlace(): void {
  const { pathname, search } = useLocation();
  useEffect(() => {
    left.set(pathname, search as Search);
  }, [pathname, search]);
}

export const placeOf = (path: string): Search => left.get(path) ?? {};
