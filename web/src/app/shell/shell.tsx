/** The frame of every page: bar of the sandbox, header, menu, content. */
import { AppShell, Box } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useLocation } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect } from 'react';
import { useSay } from '../../parts/live-region.tsx';
import { Loading } from '../../parts/states.tsx';
import { useCommonWords } from '../common-words.ts';
import { type CurrentCompany, useCurrentCompany } from '../company.ts';
import { Header } from './header.tsx';
import { Navigation } from './navigation.tsx';
import { SandboxBar } from './sandbox-bar.tsx';
import classes from './shell.module.css';
import { Shortcuts } from './shortcuts.tsx';

const headerHeight = 56;
const barHeight = 36;

let said: CurrentCompany['environment'] | null = null;

/** Readers hear of another environment once they are there: whoever has something unsaved is asked on the way. */
function useSaidEnvironment(): void {
  const { sandbox } = useCommonWords();
  const { environment } = useCurrentCompany();
  const say = useSay();
  useEffect(() => {
    if (said !== null && said !== environment)
      say(environment === 'test' ? sandbox.now_test : sandbox.now_live);
    said = environment;
  }, [environment, say, sandbox]);
}

export function Shell({ children }: { children: ReactNode }) {
  const words = useCommonWords();
  const { environment } = useCurrentCompany();
  useSaidEnvironment();
  const [is_menu_open, menu] = useDisclosure(false);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes when another page is opened
  useEffect(() => menu.close(), [pathname]);
  const is_test = environment === 'test';
  return (
    <AppShell
      header={{ height: is_test ? headerHeight + barHeight : headerHeight }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !is_menu_open } }}
      padding={{ base: 'md', md: 'xl' }}
      data-environment={environment}
    >
      <a href="#content" className={classes.skip}>
        {words.skip}
      </a>
      <AppShell.Header zIndex={102}>
        {is_test && <SandboxBar height={barHeight} />}
        <Header height={headerHeight} is_menu_open={is_menu_open} toggleMenu={menu.toggle} />
      </AppShell.Header>
      <AppShell.Navbar aria-label={words.pages}>
        <Navigation />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <Box maw="var(--folio-width)" mx="auto">
          <Suspense fallback={<Loading />}>{children}</Suspense>
        </Box>
      </AppShell.Main>
      <Shortcuts />
    </AppShell>
  );
}
