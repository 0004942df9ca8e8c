/** The documents on a port of their own (FOLIO_DOCS_PORT), so that the API's address need not show them (ADR 84). */
import type { FastifyInstance } from 'fastify';
import { goTo } from '../surfaces/people/desk.ts';
import { type PagesOptions, registerPages } from '../surfaces/openapi/pages.ts';
import { makeRestServer, type RestParts } from '../surfaces/rest/server.ts';
import { referenceLink } from '../surfaces/shared/base-path.ts';

/** What it has in common with the server of REST. */
export type DocsParts = Omit<RestParts, 'catalog'>;

/** Serves documents alone: no operation, no health, nothing of a company. */
export function makeDocsServer(rest: DocsParts, pages: PagesOptions): FastifyInstance {
  const { app, endRoutes } = makeRestServer({ ...rest, catalog: [] });
  registerPages(app, pages);
  app.get('/', (_request, reply) => goTo(reply, referenceLink(pages)));
  endRoutes();
  return app;
}
