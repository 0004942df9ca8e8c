/**
 * What the address of the tools serves: tools alone, to each caller its own, without any state between requests. The package of the
 * protocol takes a sixth of the service's time to load, so `load-serving.ts` loads this with the first call.
 */
import {
  createMcpHandler,
  type McpRequestContext,
  type McpServerFactory,
  ProtocolError,
  Server,
} from '@modelcontextprotocol/server';
import { type CallParts, makeCallTool, refusalOf } from './call-tool.ts';
import { type ConfirmationParts, makeConfirmation } from './confirmation.ts';
import { carrierOf, type Exchange, exchangeOf } from './exchange.ts';
import { invalidParams, methodNotFound } from './refusals.ts';
import type { Served } from './served.ts';

const cacheHints = {
  'tools/list': { ttlMs: 300_000, cacheScope: 'private' },
  'server/discover': { ttlMs: 300_000, cacheScope: 'private' },
} as const;

const serverInfo = { name: 'folio', title: 'Folio', version: '1' };

/** No form is checked here, and the default would compile schemas for each request. */
const noValidator = {
  getValidator: () => {
    throw new Error('This server checks no form of its own.');
  },
};

/** A person is asked before what cannot be undone. */
export type ServeParts = Omit<CallParts, 'confirmation'> & ConfirmationParts;

/** One for each request. */
export function makeFactory(parts: ServeParts): McpServerFactory {
  const { tools } = parts;
  const confirmation = makeConfirmation(parts);
  const callTool = makeCallTool({ ...parts, confirmation });

  const listOf = async ({ caller, view, refuseUnread }: Exchange) => {
    refuseUnread();
    return tools.text(caller, view, await parts.engine.hasProfiles(caller));
  };

  return async ({ era, authInfo }: McpRequestContext) => {
    const exchange = exchangeOf(authInfo);
    exchange.era = era;
    const server = new Server(serverInfo, {
      capabilities: { tools: {} },
      cacheHints,
      jsonSchemaValidator: noValidator,
      requestState: { verify: confirmation.verify },
      ...(exchange.instructions === null ? {} : { instructions: exchange.instructions }),
    });
    server.setRequestHandler('tools/list', async ({ params }) => {
      if (params?.cursor !== undefined) throw new ProtocolError(invalidParams, 'The list has one page.');
      const list = await listOf(exchange).catch(async (error) => {
        throw await refusalOf(parts, exchange, error);
      });
      if (era === 'legacy') return { tools: JSON.parse(list.bytes.toString()) };
      exchange.list = list;
      return { tools: [] };
    });
    server.setRequestHandler('tools/call', callTool as never);
    return server;
  };
}

/** @param serves_keys_of_old whether keys may speak the revisions before 2026-07-28 */
export function serveMcp(factory: McpServerFactory, serves_keys_of_old: boolean): Served {
  const handler = (legacy: 'reject' | 'stateless') =>
    createMcpHandler(factory, { legacy, responseMode: 'auto' });
  const modern = handler('reject');
  const of_old = serves_keys_of_old ? handler('stateless') : modern;
  return {
    async answer(request: Request, body: unknown, exchange: Exchange): Promise<Response> {
      if ((body as { method?: unknown } | null)?.method === 'subscriptions/listen') return noSuchMethod(body);
      const { fetch } = exchange.caller.principal.kind === 'api_key' ? of_old : modern;
      const response = await fetch(request, { parsedBody: body, authInfo: carrierOf(exchange) });
      return exchange.era === 'legacy' ? ended(response) : response;
    },
  };
}

/** An older revision begins to answer before the tool has run: status, headers and log need to know what became of it. */
async function ended(response: Response): Promise<Response> {
  return response.body === null ? response : new Response(await response.text(), response);
}

/** No list tells of its changes, so that nobody needs to hold a stream open. */
function noSuchMethod(body: unknown): Response {
  const { id = null } = body as { id?: unknown };
  const error = { code: methodNotFound, message: 'Method not found' };
  return Response.json({ jsonrpc: '2.0', id, error }, { status: 404 });
}
