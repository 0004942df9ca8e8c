/** Going about within a company. Paths are those of the pages: `/keys`, `/invoices/{id}`. Outside of any they begin at the root. */
import { Link, type LinkProps, useLocation, useNavigate } from '@tanstack/react-router';
import { type ComponentPropsWithoutRef, forwardRef, useCallback } from 'react';
import { useCompanyPath } from './company.ts';
import { useIsShown } from './is-shown.ts';

type Search = Readonly<Record<string, string>>;

export function readSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

export function writeSearch(search: Readonly<Record<string, unknown>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(search))
    if (value !== undefined && value !== null && value !== '') parameters.set(name, String(value));
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

/** Filters and cursor as they are in the address. An empty value is taken out. */
export function useAddress() {
  const location = useLocation();
  const navigate = useNavigate();
  const search = location.search as Search;
  const change = useCallback(
    (changes: Readonly<Record<string, string | null>>, { replace = false } = {}) =>
      navigate({
        to: '.',
        replace,
        search: (before: Search) => {
          const next: Record<string, string> = { ...before };
          for (const [name, value] of Object.entries(changes))
            if (value === null || value === '') delete next[name];
            else next[name] = value;
          return next;
        },
      } as never),
    [navigate],
  );
  return { search, change };
}

/** Whoever has left meanwhile stays where they are: an answer that comes late leads nobody away. */
export function useGo(): (path: string, search?: Search) => void {
  const base = useCompanyPath();
  const navigate = useNavigate();
  const isShown = useIsShown();
  return useCallback(
    (path, search = {}) => {
      if (isShown()) void navigate({ to: `${base}${path}`, search } as never);
    },
    [base, navigate, isShown],
  );
}

type PageLinkProps = Omit<ComponentPropsWithoutRef<'a'>, 'href'> & { to: string; search?: Search };

/** For `component={PageLink}` of Mantine's parts too. */
export const PageLink = forwardRef<HTMLAnchorElement, PageLinkProps>(function PageLink(
  { to, search = {}, ...rest },
  ref,
) {
  const base = useCompanyPath();
  const given = { ...rest, to: `${base}${to}`, search, activeOptions: { exact: true } };
  return <Link ref={ref} {...(given as LinkProps)} />;
});
