/** Puts the address of the tools together. */
import type { FastifyInstance } from 'fastify';
import type { McpServerFactory } from '@modelcontextprotocol/server';
import type { Addresses } from '../kernel/addresses.ts';
import type { Log } from '../kernel/log.ts';
import type { Operation } from '../kernel/operation.ts';
import type { Clock } from '../platform/clock.ts';
import { loadCompany } from '../platform/company-context.ts';
import type { Database } from '../platform/db.ts';
import type { Engine } from '../platform/engine.ts';
import { keptUnlessFailed } from '../platform/remembered.ts';
import { instructionsOf } from '../surfaces/mcp/instructions.ts';
import { loadServing } from '../surfaces/mcp/load-serving.ts';
import { registerMcp } from '../surfaces/mcp/route.ts';
import type { Served } from '../surfaces/mcp/served.ts';
import { makeToolList } from '../surfaces/mcp/tool-list.ts';
import { wholeView } from '../surfaces/mcp/tool-view.ts';
import type { HeldAnswers } from '../surfaces/rest/held-answers.ts';
import type { Config } from './config.ts';

export type McpParts = Addresses & {
  config: Config;
  db: Database;
  clock: Clock;
  engine: Engine;
  log: Log;
  catalog: readonly Operation[];
  question_keys: readonly Buffer[];
  held: HeldAnswers;
  /** For tests. */
  serves_mcp?: McpServerFactory | undefined;
};

export function addMcp(app: FastifyInstance, parts: McpParts): void {
  const { config, db, clock, engine, held, public_url, docs_url, catalog } = parts;
  const tools = makeToolList(catalog);
  const companyOf = async (company_id: string) =>
    (await db.read(company_id, (tx) => loadCompany(tx, company_id, clock.now()))).company;
  const load = async (): Promise<Served> => {
    const { makeFactory, serveMcp } = await loadServing();
    const factory = parts.serves_mcp ?? makeFactory({ ...parts, tools, companyOf });
    return serveMcp(factory, config.FOLIO_MCP_LEGACY === 'api_keys');
  };
  const loaded = keptUnlessFailed(load);
  const answer: Served['answer'] = async (...call) => (await loaded()).answer(...call);
  registerMcp(app, {
    engine,
    held,
    public_url,
    docs_url,
    served: { answer },
    origins: {
      configured_url: config.FOLIO_PUBLIC_URL,
      host: config.HOST,
      origins: config.FOLIO_MCP_ORIGINS,
    },
    findTool: (name) => tools.find(name, wholeView),
    instructionsFor: async ({ company_id }) => instructionsOf(await companyOf(company_id)),
  });
}
