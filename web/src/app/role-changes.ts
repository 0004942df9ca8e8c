/** What a role no longer opens goes from the page at once, so the reason is told. */
import { useEffect, useRef } from 'react';
import { tell } from '../parts/tell.ts';
import { useCommonWords } from './common-words.ts';
import { useSession } from './session.tsx';

export function useToldRoleChanges(): void {
  const { session: words } = useCommonWords();
  const { companies } = useSession().session;
  const known = useRef(companies);
  useEffect(() => {
    const before = new Map(known.current.map(({ id, role }) => [id, role]));
    known.current = companies;
    if (companies.some(({ id, role }) => before.has(id) && before.get(id) !== role)) tell(words.role_changed);
  }, [companies, words.role_changed]);
}
