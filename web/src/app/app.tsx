import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { LiveRegion } from '../parts/live-region.tsx';
import { isOfNoCompany, onRefusal } from './api.ts';
import { useCommonWords } from './common-words.ts';
import { later } from './later.tsx';
import { queryClient } from './reading.ts';
import { useToldRoleChanges } from './role-changes.ts';
import { router } from './router.tsx';
import { nonce } from './server-words.ts';
import { readSession, SessionContext, type Session, signInAddress } from './session.tsx';
import { makeTheme, schemeManager, variablesResolver } from './theme.ts';
import { LanguageContext } from './words.ts';

const [Notices] = later(() => import('../parts/notices.tsx'));
const [SessionEnded, useSessionEndedAtRest] = later(() => import('./session-ended.tsx'));

export function App({ first }: { first: Session }) {
  const [session, setSession] = useState(first);
  const [is_ended, setEnded] = useState(false);
  const renew = useCallback(async () => {
    const found = await readSession();
    // Another person has signed in: what is on the page is not theirs.
    if (found && found.user.id !== first.user.id) location.reload();
    else if (found) setSession(found);
    return found;
  }, [first.user.id]);
  useEffect(() => onRefusal(401, () => setEnded(true)), []);
  // The role may have changed, or the token with a new proof.
  useEffect(() => onRefusal(403, () => void renew().catch(() => undefined)), [renew]);
  // Somebody removed the person from the company.
  useEffect(
    () => onRefusal(404, (refused) => void (isOfNoCompany(refused) && renew().catch(() => undefined))),
    [renew],
  );
  useEffect(() => {
    document.documentElement.lang = session.user.language;
  }, [session.user.language]);
  const held = useMemo(() => ({ session, renew }), [session, renew]);
  const resume = useCallback(async () => {
    const found = await renew();
    if (found) {
      setEnded(false);
      await queryClient.invalidateQueries();
    }
    return found !== null;
  }, [renew]);
  return (
    <LanguageContext value={session.user.language}>
      <SessionContext value={held}>
        <Frame is_ended={is_ended} resume={resume} />
      </SessionContext>
    </LanguageContext>
  );
}

function Frame({ is_ended, resume }: { is_ended: boolean; resume(): Promise<boolean> }) {
  const { actions } = useCommonWords();
  useSessionEndedAtRest();
  useToldRoleChanges();
  const theme = useMemo(
    () => makeTheme({ close: actions.close, show_password: actions.show_password }),
    [actions.close, actions.show_password],
  );
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={schemeManager}
      cssVariablesResolver={variablesResolver}
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        <LiveRegion>
          <RouterProvider router={router} />
          <Notices />
          {is_ended && <SessionEnded resume={resume} address={signInAddress()} />}
        </LiveRegion>
      </QueryClientProvider>
    </MantineProvider>
  );
}
