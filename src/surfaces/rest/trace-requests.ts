/** Each request as a span, which goes on the caller's trace if it says so (`traceparent`; W3C Trace Context). */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type OpenSpan, tracing } from '../../kernel/tracing.ts';
import { type LateRoutes, lateUnder } from './late-routes.ts';
import { singleHeader } from './request.ts';

/** Before all other hooks. Adds none where nobody keeps traces. */
export function traceRequests(app: FastifyInstance, { find }: LateRoutes): void {
  const keeper = tracing();
  if (keeper === null) return;
  const spans = new WeakMap<FastifyRequest, OpenSpan>();
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, routeOptions, id } = request;
    const under = lateUnder(request);
    const late = under === null ? undefined : find(request, under);
    const route = late?.url ?? routeOptions.url ?? 'unknown';
    const facts = { 'http.request.method': method, 'http.route': route, 'folio.request_id': id };
    const span = keeper.open(
      `${method} ${route}`,
      'server',
      facts,
      singleHeader(request.headers.traceparent),
    );
    if (span === null) return done();
    spans.set(request, span);
    span.within(done);
  });
  // The body arrived outside of the span.
  app.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request);
    if (span) span.within(done);
    else done();
  });
  const end = (request: FastifyRequest, status: number) => {
    const span = spans.get(request);
    if (!span) return;
    spans.delete(request);
    // A target that the router cannot read has no state yet.
    const { visit, error_code } = request.state ?? {};
    span.add({
      'http.response.status_code': status,
      'folio.operation': visit?.arrival.operation?.name,
      ...(error_code ? { 'folio.outcome': error_code } : {}),
    });
    span.end(status >= 500 ? (error_code ?? String(status)) : null);
  };
  app.addHook('onResponse', async (request, reply) => end(request, reply.statusCode));
  app.addHook('onRequestAbort', async (request) => end(request, 400));
}
