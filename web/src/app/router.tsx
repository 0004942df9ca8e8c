/** Routes are made of the pages found in `web/src/pages/`. A page's code is fetched when it is opened. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
  Outlet,
  useParams,
} from '@tanstack/react-router';
import type { FunctionComponent } from 'react';
import { NothingHere, PageCrashed } from '../parts/states.tsx';
import { CompanyContext, type CurrentCompany, findCompany } from './company.ts';
import { NoCompany, OwnAccount, UnknownCompany } from './no-company.tsx';
import { GatedPage } from './gated-page.tsx';
import { readSearch, writeSearch } from './navigate.tsx';
import { loadedOnceReachable } from './new-chunks.ts';
import { firstPath, type PageDefinition } from './page.ts';
import { pages } from './pages.ts';
import { recallCompany, rememberCompany } from './recent-company.ts';
import { publicPath } from './server-words.ts';
import { useSession } from './session.tsx';
import { Shell } from './shell/shell.tsx';

/** The one that was open last, or the first. */
function useUsualCompany(): CurrentCompany | null {
  const { session } = useSession();
  return findCompany(session, recallCompany() ?? '') ?? findCompany(session, session.companies[0]?.id ?? '');
}

function First() {
  const company = useUsualCompany();
  return company ? <Navigate to={`/${company.id}` as never} replace /> : <NoCompany />;
}

function InCompany() {
  const { session } = useSession();
  const { company: id } = useParams({ strict: false }) as { company: string };
  const company = findCompany(session, id);
  if (!company) return <UnknownCompany />;
  rememberCompany(company.id);
  return (
    <CompanyContext value={company}>
      <Shell key={company.id}>
        <Outlet />
      </Shell>
    </CompanyContext>
  );
}

type LazyPage = FunctionComponent & { preload?: () => Promise<void> };
type Load = PageDefinition['routes'][string];

const isAwaited = (): boolean => router.latestLocation.href !== router.state.resolvedLocation?.href;

const root = createRootRoute({ component: Outlet, notFoundComponent: NothingHere });
const first = createRoute({ getParentRoute: () => root, path: '/', component: First });
const ownPage = pages.find(({ is_own }) => is_own)!;
const lazily = (load: Load): LazyPage => lazyRouteComponent(loadedOnceReachable(load, isAwaited)) as LazyPage;
const OwnPage = lazily(ownPage.routes[firstPath(ownPage)]!);
/** Messages about an account lead here (`modules/people/mail/account-mail.ts`). */
const account = createRoute({
  getParentRoute: () => root,
  path: '/account',
  component: function Account() {
    const company = useUsualCompany();
    const to = `/${company?.id}${firstPath(ownPage)}`;
    return company ? <Navigate to={to as never} replace /> : <OwnAccount page={OwnPage} />;
  },
});
const firstCompany = createRoute({
  getParentRoute: () => root,
  path: '/new-company',
  component: lazily(() => import('./first-company.tsx')),
});
const inCompany = createRoute({
  getParentRoute: () => root,
  path: '/$company',
  component: InCompany,
  notFoundComponent: NothingHere,
});

const pageRoutes = pages.flatMap((page) =>
  Object.entries(page.routes).map(([path, load]) => {
    const Page = lazily(load);
    return createRoute({
      getParentRoute: () => inCompany,
      path,
      component: Object.assign(
        () => (
          <GatedPage page={page} path={path}>
            <Page />
          </GatedPage>
        ),
        // The router fetches by it what somebody comes near.
        { preload: async () => Page.preload?.() },
      ),
    });
  }),
);

export const router = createRouter({
  routeTree: root.addChildren([first, account, firstCompany, inCompany.addChildren(pageRoutes)]),
  basepath: `${publicPath}/dashboard`,
  parseSearch: readSearch,
  stringifySearch: writeSearch,
  defaultNotFoundComponent: NothingHere,
  defaultErrorComponent: PageCrashed as never,
  defaultPreload: 'intent',
  scrollRestoration: true,
});
