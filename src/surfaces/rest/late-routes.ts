/**
 * Operations mounted once more: one route takes all that lies under a path, and a table finds the operation. The table is made
 * for the first request. A route for each operation would take half of a start, which most processes never use.
 */
import type { FastifyRequest } from 'fastify';
import findMyWay from 'find-my-way';
import type { OtherMethods } from './other-methods.ts';
import { isLate, type KnownPath, type RouteConfig } from './request.ts';

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
  /** @param list is called for the first request */
  add(list: () => readonly LateOperation[]): void;
  /** @returns undefined for a path without a route */
  find(request: FastifyRequest): LateRoute | undefined;
};

type Entry = { known: KnownPath; configs: Map<string, RouteConfig> };

export function makeLateRoutes(maxParamLength: number): LateRoutes {
  const lists: (() => readonly LateOperation[])[] = [];
  let router: ReturnType<typeof findMyWay> | undefined;
  return {
    add: (list) => void lists.push(list),
    find(request) {
      router ??= routerOf(
        lists.flatMap((list) => list()),
        maxParamLength,
      );
      const at = router.find('GET', request.url);
      if (!at) return undefined;
      const { known, configs } = at.store as Entry;
      return { url: known.url, params: at.params, config: configs.get(request.method), known };
    },
  };
}

function routerOf(operations: readonly LateOperation[], maxParamLength: number) {
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

/** Sets the parameters of what the router does not know by itself. */
export function foundFor(request: FastifyRequest, others: OtherMethods, { find }: LateRoutes): Found {
  const is_late = isLate(request);
  if (!request.is404 && !is_late) return { is_missing: false };
  const late = find(request);
  if (late) {
    request.params = late.params;
    return late.config ? { late, is_missing: false } : { known: late.known, is_missing: false };
  }
  const known = others.pathOf(request);
  // A wider path with this method is not the one that was asked for.
  const is_wider = is_late && known?.allowed.has(request.method);
  return { known: is_wider ? undefined : known, is_missing: true };
}
