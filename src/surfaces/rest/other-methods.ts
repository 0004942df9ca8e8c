/**
 * A known path answers 405 and `Allow` to all other methods (RFC 9110, 15.5.6). A route for each of them would cost 30 MB
 * and a fifth of a start, so most are found once the router has found nothing.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods, RouteOptions } from 'fastify';
import findMyWay from 'find-my-way';
import { commonErrors as c } from '../../kernel/common.errors.ts';
import { fail } from '../../kernel/problem.ts';
import { checkParams } from '../../platform/check-call.ts';
import { type KnownPath, paramsOf, type RouteConfig } from './request.ts';

export const methods: readonly HTTPMethods[] = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
];

export type OtherMethods = {
  /** For a request without a route. Sets its parameters. */
  pathOf(request: FastifyRequest): KnownPath | undefined;
  /** Call it once, after the last route. */
  endRoutes(): void;
};

/** For all routes that are added from now on. */
export function knowPaths(app: FastifyInstance, maxParamLength: number): OtherMethods {
  const paths = new Map<string, KnownPath>();
  let router: ReturnType<typeof findMyWay> | undefined;
  let has_ended = false;
  app.addHook('onRoute', ({ url, method, config }: RouteOptions) => {
    const { operation, is_late, ...kept } = (config ?? {}) as RouteConfig;
    // The route of a refusal is not a method of the path. Late routes are known elsewhere.
    if (has_ended || is_late) return;
    const known = paths.get(url) ?? { url, allowed: new Set(), config: kept, operation };
    for (const one of [method].flat()) known.allowed.add(one);
    paths.set(url, known);
  });
  return {
    pathOf(request) {
      // Made for the first that asks: no start waits for it.
      router ??= routerOf(paths.values(), maxParamLength);
      const found = router.find('GET', request.url);
      if (!found) return undefined;
      request.params = found.params;
      return found.store as KnownPath;
    },
    endRoutes() {
      // A plugin of its own, since it runs after those that add routes.
      app.register(async (scope) => {
        has_ended = true;
        for (const { known, others } of hiddenMethods([...paths.values()])) addRefusal(scope, known, others);
      });
    },
  };
}

function routerOf(paths: Iterable<KnownPath>, maxParamLength: number): ReturnType<typeof findMyWay> {
  const router = findMyWay({ maxParamLength });
  // The method does not matter here.
  for (const known of paths) router.on('GET', known.url as `/${string}`, () => undefined, known);
  return router;
}

/** @throws 404 or 405, always */
export function refuseMethod(
  request: FastifyRequest,
  reply: FastifyReply,
  { operation, allowed }: KnownPath,
): never {
  if (operation) checkParams(operation, paramsOf(request));
  const allow = [...allowed].sort().join(', ');
  reply.header('Allow', allow);
  throw fail(c.method_not_allowed, { values: { allow } });
}

/** Methods of a path that a wider path would take: `GET /v1/things/find` must not read a thing named `find`. */
function hiddenMethods(paths: readonly KnownPath[]): { known: KnownPath; others: HTTPMethods[] }[] {
  const parted = paths.map((known) => ({ known, parts: known.url.split('/') }));
  // Few paths can be wider than a given one. Comparing all with all would take a tenth of a start.
  const wide = Map.groupBy(
    parted.filter(({ known }) => /:|\*/.test(known.url)),
    ({ parts }) => (parts.at(-1) === '*' ? 'open' : parts.length),
  );
  return parted.flatMap(({ known, parts }) => {
    const candidates = [...(wide.get(parts.length) ?? []), ...(wide.get('open') ?? [])];
    const wider = candidates.filter((one) => one.known !== known && covers(one.parts, parts));
    const taken = new Set(wider.flatMap((one) => [...one.known.allowed]));
    const others = methods.filter((method) => taken.has(method) && !known.allowed.has(method));
    return others.length === 0 ? [] : [{ known, others }];
  });
}

function covers(wide: readonly string[], parts: readonly string[]): boolean {
  const is_open = wide.at(-1) === '*';
  if (is_open ? wide.length > parts.length : wide.length !== parts.length) return false;
  // Compares from the end, because paths begin alike.
  for (let at = wide.length - 1; at >= 0; at--) {
    const part = wide[at]!;
    if (part !== parts[at] && part !== '*' && !part.startsWith(':')) return false;
  }
  return true;
}

function addRefusal(app: FastifyInstance, known: KnownPath, others: HTTPMethods[]): void {
  app.route({
    method: others,
    url: known.url,
    config: known.config,
    // Before the body is read. A caller who may not call at all is refused by then.
    onRequest: async (request, reply) => refuseMethod(request, reply, known),
    handler: () => undefined,
  });
}
