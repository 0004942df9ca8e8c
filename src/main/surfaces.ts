/** What is served besides health: operations, tools, and pages. A worker does not load it. */
import type { McpServerFactory } from '@modelcontextprotocol/server';
import type { FastifyInstance } from 'fastify';
import type { Addresses } from '../kernel/addresses.ts';
import type { Log } from '../kernel/log.ts';
import type { Operation } from '../kernel/operation.ts';
import type { Ports } from '../kernel/ports.ts';
import { catalog } from '../modules/catalog.ts';
import { openPdf } from '../modules/pdfs/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db.ts';
import { registerOAuth } from '../surfaces/oauth/oauth-routes.ts';
import { registerPages } from '../surfaces/openapi/pages.ts';
import { registerPeoplePages } from '../surfaces/people/people-pages.ts';
import { answerUnreadable, registerPublicPages } from '../surfaces/public/public-pages.ts';
import { registerSecurityTxt } from '../surfaces/public/security-txt.ts';
import type { HeldAnswers } from '../surfaces/rest/held-answers.ts';
import type { MountForPeople } from '../surfaces/rest/server.ts';
import type { Config } from './config.ts';
import { addDashboard } from './dashboard.ts';
import { type DocsParts, makeDocsServer } from './docs-server.ts';
import { commandHint } from './hints.ts';
import { addMcp } from './mcp.ts';

export type SurfaceParts = Addresses & {
  config: Config;
  db: Database;
  clock: Clock;
  ports: Ports;
  log: Log;
  question_keys: readonly Buffer[];
  mountForPeople: MountForPeople;
  held: HeldAnswers;
  /** What a server of documents alone has from that of REST. */
  rest: DocsParts;
  serves_mcp: McpServerFactory | undefined;
};

export type Surfaces = ReturnType<typeof makeSurfaces>;

/** @param more operations, for tests */
export function makeSurfaces(more: readonly Operation[]) {
  const operations = [...catalog, ...more];
  return {
    operations,
    answerUnreadable,
    /**
     * All but the routes of REST.
     * @returns a server of documents alone, where they have a port of their own
     */
    add(app: FastifyInstance, parts: SurfaceParts): FastifyInstance | null {
      const { config, ports, clock, public_url, docs_url, rest } = parts;
      const pages = { operations, public_url, docs_url };
      const has_port = config.FOLIO_DOCS_PORT !== null;
      if (!has_port) registerPages(app, pages);
      addPages(app, parts);
      registerSecurityTxt(app, {
        contacts: config.FOLIO_SECURITY_CONTACT,
        public_url,
        now: () => clock.now(),
      });
      const { engine } = rest;
      addDashboard(app, { ports, engine, clock, public_url, docs_url, mount: parts.mountForPeople });
      addMcp(app, { ...parts, engine, catalog: operations });
      return has_port ? makeDocsServer(rest, pages) : null;
    },
  };
}

function addPages(app: FastifyInstance, parts: SurfaceParts): void {
  const { config, db, clock, ports, log, public_url, docs_url, held, rest } = parts;
  const { engine, shares, body_bounds } = rest;
  registerOAuth(app, { clock, ports, public_url, docs_url, shares, body_bounds });
  registerPeoplePages(app, {
    people: ports.people,
    clock,
    public_url,
    docs_url,
    command: commandHint(config),
    shares,
    body_bounds,
  });
  registerPublicPages(app, {
    db,
    clock,
    ports,
    held,
    public_url,
    shares,
    body_bounds,
    run: (call) => engine.runFromLink(call),
    openPdf: (document, format) => openPdf({ db, ports, log }, document, format),
  });
}
