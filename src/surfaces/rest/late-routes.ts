/**
 * One route takes all operations under a path, and a table finds the operation. The table is made for the path's first
 * request. A route for each operation would take half of a start.
 */
import type { FastifyRequest } from 'fastify';
import findMyWay from 'find-my-way';
import type { OtherMethods } from './other-methods.ts';
import type { KnownPath, RouteConfig } from './request.ts';

/** The settings that a route for each operation would have given a request. */
export type LateRoute = {
  /** With the names of its parameters. */
  url: string;
  params: Record<string, string | undefined>;
  /** Of its operation; undefined where the path has another method. */
  config: RouteConfig | undefined;
  known: KnownPath;
};

type LateOperation = { method: string; url: string; config: RouteConfig };

export type LateRoutes = {
  /**
   * @param under the path of the route that takes them
   * @param list is called for the first request
   */
  add(under: string, list: () => readonly LateOperation[]): void;
  /**
   * @param under of the route that took the request; null where none did: then all are asked
   * @returns undefined for a path without a route
   */
  find(request: FastifyRequest, under: string | null): LateRoute | undefined;
};

type Entry = { known: KnownPath; configs: Map<string, RouteConfig> };

type Router = ReturnType<typeof findMyWay>;

export function makeLateRoutes(maxParamLength: number): LateRoutes {
  const tables = new Map<string, () => Router>();
  return {
    add(under, list) {
      let router: Router | undefined;
      tables.set(under, () => {
        router ??= routerOf(list(), maxParamLength);
        return router;
      });
    },
    find(request, under) {
      if (under !== null) return findIn(tables.get(under)!(), request);
      for (const table of tables.values()) {
        const found = findIn(table(), request);
        if (found) return found;
      }
      return undefined;
    },
  };
}

function findIn(router: Router, { url, method }: FastifyRequest): LateRoute | undefined {
  const at = router.find('GET', url);
  if (!at) return undefined;
  const { known, configs } = at.store as Entry;
  return { url: known.url, params: at.params, config: configs.get(method), known };
}

function routerOf(operations: readonly LateOperation[], maxParamLength: number): Router {
  const entries = new Map<string, Entry>();
  for (const { method, url, config } of operations) {
    const { operation, ...kept } = config;
    const entry = entries.get(url) ?? {
      known: { url, allowed: new Set(), config: kept, operation },
      configs: new Map(),
    };
    for (const one of method === 'GET' ? ['GET', 'HEAD'] : [method]) {
      entry.known.allowed.add(one);
      entry.configs.set(one, config);
    }
    entries.set(url, entry);
  }
  const router = findMyWay({ maxParamLength });
  // The method does not matter here.
  for (const [url, entry] of entries) router.on('GET', url as `/${string}`, () => undefined, entry);
  return router;
}

type Found = { known?: KnownPath | undefined; late?: LateRoute; is_missing: boolean };

/** The path of the route that took the request, if a table says what lies there. */
export function lateUnder({ routeOptions }: FastifyRequest): string | null {
  const { config, url } = routeOptions as { config?: RouteConfig; url?: string };
  return config?.is_late ? url! : null;
}

/** Sets the parameters of what the router does not know by itself. */
export function foundFor(request: FastifyRequest, others: OtherMethods, { find }: LateRoutes): Found {
  const under = request.is404 ? null : lateUnder(request);
  if (under === null && !request.is404) return { is_missing: false };
  const late = find(request, under);
  if (late) {
    request.params = late.params;
    return late.config ? { late, is_missing: false } : { known: late.known, is_missing: false };
  }
  const known = others.pathOf(request);
  // A wider path with this method is not the one that was asked for.
  const is_wider = under !== null && known?.allowed.has(request.method);
  return { known: is_wider ? undefined : known, is_missing: true };
}
