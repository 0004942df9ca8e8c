/** The same page on the other side: live or sandbox. Document ids belong to one side, so it goes to the page's root. */
import { useLocation } from '@tanstack/react-router';
import { useCurrentCompany } from '../company.ts';

export function useTwin(): string | null {
  const { environment, live_id, sandbox_id } = useCurrentCompany();
  const { pathname } = useLocation();
  const other = environment === 'live' ? sandbox_id : live_id;
  if (other === null) return null;
  const [, , page] = pathname.split('/');
  return page === undefined || page === '' ? `/${other}` : `/${other}/${page}`;
}
