/** A known path answers 405 and `Allow` to all other methods (RFC 9110, 15.5.6). */
import type { FastifyInstance, HTTPMethods, RouteOptions } from 'fastify';
import { commonErrors as c } from '../../kernel/common.errors.ts';
import type { Operation } from '../../kernel/operation.ts';
import { fail } from '../../kernel/problem.ts';
import { checkParams } from '../../platform/check-call.ts';
import { paramsOf } from './request.ts';

const methods: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];

type Known = { allowed: Set<string>; config: object; operation: Operation | undefined };

/**
 * For all routes that are added from now on.
 * @returns call it once, after the last route
 */
export function refuseOtherMethods(app: FastifyInstance): () => void {
  const paths = new Map<string, Known>();
  app.addHook('onRoute', ({ url, method, config }: RouteOptions) => {
    const { operation, ...kept } = (config ?? {}) as { operation?: Operation };
    const known = paths.get(url) ?? { allowed: new Set(), config: kept, operation };
    for (const one of [method].flat()) known.allowed.add(one);
    paths.set(url, known);
  });
  return () => {
    // A plugin of its own, since it runs after those that add routes.
    app.register(async (scope) => {
      for (const [url, known] of [...paths]) addRefusal(scope, url, known);
    });
  };
}

function addRefusal(app: FastifyInstance, url: string, { allowed, config, operation }: Known): void {
  const others = methods.filter((method) => !allowed.has(method));
  if (others.length === 0) return;
  const allow = [...allowed].sort().join(', ');
  app.route({
    method: others,
    url,
    config,
    // Before the body is read. Whoever may not call at all is refused by then.
    onRequest: async (request, reply) => {
      if (operation) checkParams(operation, paramsOf(request));
      reply.header('Allow', allow);
      throw fail(c.method_not_allowed, { values: { allow } });
    },
    handler: () => undefined,
  });
}
