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
import type { ComponentType } from 'react';
import { NothingHere, PageCrashed } from '../parts/states.tsx';
import { CompanyContext, findCompany } from './company.ts';
import { NoCompany, UnknownCompany } from './no-company.tsx';
import { GatedPage } from './gated-page.tsx';
import { readSearch, writeSearch } from './navigate.tsx';
import { loadedOnceReachable } from './new-chunks.ts';
import { pages } from './pages.ts';
import { recallCompany, rememberCompany } from './recent-company.ts';
import { publicPath } from './server-words.ts';
import { useSession } from './session.tsx';
import { Shell } from './shell/shell.tsx';

function First() {
  const { session } = useSession();
  const last = recallCompany();
  const company =
    (last && findCompany(session, last)) ?? findCompany(session, session.companies[0]?.id ?? '');
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

const root = createRootRoute({ component: Outlet, notFoundComponent: NothingHere });
const first = createRoute({ getParentRoute: () => root, path: '/', component: First });
const inCompany = createRoute({
  getParentRoute: () => root,
  path: '/$company',
  component: InCompany,
  notFoundComponent: NothingHere,
});

type Fetched = { preload?: () => Promise<void> };

const isAwaited = () => router.latestLocation.href !== router.state.resolvedLocation?.href;

const pageRoutes = pages.flatMap((page) =>
  Object.entries(page.routes).map(([path, load]) => {
    const Page = lazyRouteComponent(loadedOnceReachable(load, isAwaited)) as ComponentType & Fetched;
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
  routeTree: root.addChildren([first, inCompany.addChildren(pageRoutes)]),
  basepath: `${publicPath}/dashboard`,
  parseSearch: readSearch,
  stringifySearch: writeSearch,
  defaultNotFoundComponent: NothingHere,
  defaultErrorComponent: PageCrashed as never,
  defaultPreload: 'intent',
  scrollRestoration: true,
});
