/**
 * POST /mcp: one request, one answer (MCP revision 2026-07-28). A call passes, in this order: origin, host, credential,
 * rate, body. Then what is served decides. Bodies come in the shares and bounds of REST.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Addresses } from '../../kernel/addresses.ts';
import { commonErrors as c } from '../../kernel/common.errors.ts';
import { type Caller, largestBody, type Operation } from '../../kernel/operation.ts';
import { fail, Problem, type ProblemDef } from '../../kernel/problem.ts';
import { isApiVersion } from '../../kernel/versions.ts';
import type { Visit } from '../../platform/admission.ts';
import type { Engine } from '../../platform/engine.ts';
import type { HeldAnswers } from '../rest/held-answers.ts';
import { isLarge, presentedSecret, readJson, readLargeJson, singleHeader } from '../rest/request.ts';
import { setCommonHeaders, toProblem } from '../rest/respond.ts';
import { refuseAborted } from '../rest/wire-faults.ts';
import type { Exchange } from './exchange.ts';
import { allowOrigin, answerPreflight, checkOrigin, type OriginParts } from './origins.ts';
import { invalidRequest, parseError } from './refusals.ts';
import { send, sendRefusal } from './respond.ts';
import type { Served } from './served.ts';
import { emptyView, readView, type ToolView } from './tool-view.ts';

export type McpRoute = Addresses & {
  engine: Engine;
  /** Those of REST: an owner has one share of both. */
  held: HeldAnswers;
  served: Served;
  origins: OriginParts;
  findTool(name: string): Operation | undefined;
  /** What a model is told of the service. */
  instructionsFor(caller: Caller): Promise<string>;
};

/** The largest body of an operation, and what a message holds around its arguments. */
const bodyMax = largestBody + 65_536;

const ofProtocol = /^(accept|content-type|last-event-id|mcp-.+)$/;

export function registerMcp(app: FastifyInstance, parts: McpRoute): void {
  const { engine, origins } = parts;
  app.register(async (scope) => {
    scope.decorateRequest('tool_view', null as unknown as ToolView);
    scope.setErrorHandler(async (error, request, reply) => {
      const { visit } = request.state;
      const thrown = toProblem(error);
      const problem = visit ? await engine.countRefused(visit, thrown) : thrown;
      if (problem.def.status >= 500) request.log.error({ err: error }, 'request failed');
      return sendRefusal(request, reply, problem, parts);
    });
    scope.route({
      method: 'OPTIONS',
      url: '/mcp',
      handler: (request, reply) => answerPreflight(request, reply, origins),
    });
    scope.route({
      method: 'POST',
      url: '/mcp',
      bodyLimit: bodyMax,
      onRequest: async (request, reply) => {
        checkOrigin(request, origins);
        allowOrigin(request, reply, origins);
        const visit = engine.open(arrivalOf(request, parts));
        request.state.visit = visit;
        await engine.admit(visit);
        refuseAborted(request);
        request.tool_view = viewOf(request);
      },
      handler: (request, reply) => answer(request, reply, parts),
    });
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    tool_view: ToolView;
  }
}

/**
 * The first question of a client. It asks for no tool, and clients take its refusal for a server of another revision. So an
 * address, a version or a company that is wrong is told to the next question.
 */
const firstQuestion = 'server/discover';

function viewOf({ headers, query }: FastifyRequest): ToolView {
  try {
    return readView(query as Record<string, unknown>);
  } catch (error) {
    if (singleHeader(headers['mcp-method']) === firstQuestion) return emptyView;
    throw error;
  }
}

/** The headers repeat what the body says, and are compared with it: so the rate is spent before the body comes. */
function arrivalOf(request: FastifyRequest, { findTool }: McpRoute) {
  const { headers } = request;
  const method = singleHeader(headers['mcp-method']);
  const tool = method === 'tools/call' ? singleHeader(headers['mcp-name']) : null;
  const version = singleHeader(headers['service-version']);
  const is_first = method === firstQuestion;
  return {
    operation: tool === null ? null : (findTool(tool) ?? null),
    has_input_later: true,
    is_named_later: method === null || (method === 'tools/call' && tool === null),
    request_id: request.id,
    ip: request.ip,
    user_agent: singleHeader(headers['user-agent']),
    secret: presentedSecret(request),
    audience: 'mcp' as const,
    // That of a call may be an argument, which the body holds.
    active_profile: method === null || method === 'tools/call' || is_first ? null : profileOf(headers),
    version: is_first && version !== null && !isApiVersion(version) ? null : version,
    idempotency_key: null,
    input: { params: {}, query: {}, body: undefined },
  };
}

const profileOf = (headers: FastifyRequest['headers']) => singleHeader(headers['x-active-profile']);

async function answer(request: FastifyRequest, reply: FastifyReply, parts: McpRoute): Promise<FastifyReply> {
  const visit = request.state.visit!;
  const raw = request.body as Buffer | undefined;
  const message = await readMessage(request, raw);
  const method = methodOf(message);
  const active_profile = profileOf(request.headers);
  if (method !== 'tools/call') await spendRest(visit, parts, active_profile);
  if (method === firstQuestion) await workForIfKnown(visit, parts, active_profile);
  const tells_of_itself = method === firstQuestion || method === 'initialize';
  const exchange: Exchange = {
    visit,
    caller: visit.caller!,
    view: request.tool_view,
    active_profile,
    request_id: request.id,
    body_bytes: raw?.length ?? 0,
    instructions: tells_of_itself ? await parts.instructionsFor(visit.caller!) : null,
    era: 'modern',
    problem: null,
    list: null,
    answered: null,
    refuseUnread: () => parts.held.refuseWithoutShare(request),
    hasGone: () => request.raw.socket.destroyed,
  };
  const response = await parts.served.answer(webRequest(request), message, exchange);
  if (response.status >= 500) request.log.error({}, 'the protocol handler failed');
  if (!exchange.problem) await spendRest(visit, parts, active_profile);
  setCommonHeaders(reply, visit);
  return send(request, reply, response, exchange, { public_url: parts.public_url(), held: parts.held });
}

/** @throws 400 parameter_invalid_format */
async function readMessage(request: FastifyRequest, raw: Buffer | undefined): Promise<unknown> {
  request.state.rpc_code = parseError;
  const message = isLarge(raw) ? await readLargeJson(request, raw) : readJson(raw);
  request.state.rpc_code = invalidRequest;
  // A batch would be many calls in one request of the share.
  if (message === undefined || Array.isArray(message))
    throw fail(c.parameter_invalid_format, { param: 'body' });
  delete request.state.rpc_code;
  return message;
}

function methodOf(message: unknown): string {
  const { method } = (message ?? {}) as { method?: unknown };
  return typeof method === 'string' ? method : '';
}

/** A message that named no operation costs a read. @throws 429, 400 or 404: rate, company worked for */
async function spendRest(visit: Visit, { engine }: McpRoute, active_profile: string | null): Promise<void> {
  if (visit.spent_for !== undefined) return;
  await engine.name(visit, { ...visit.arrival, operation: null, active_profile });
}

const wrongCompanies: readonly ProblemDef[] = [c.parameter_invalid_uuid, c.profile_not_found];

/** Where the header names no company that the caller may work for, the first question is answered for the caller's own. */
async function workForIfKnown(visit: Visit, { engine }: McpRoute, active_profile: string | null) {
  try {
    await engine.name(visit, { ...visit.arrival, operation: null, active_profile });
  } catch (error) {
    if (!(error instanceof Problem && wrongCompanies.includes(error.def))) throw error;
  }
}

/** Without its body, which was read, and without credentials and other headers that the protocol does not need. */
function webRequest({ headers, method, url }: FastifyRequest): Request {
  const sent = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || !ofProtocol.test(name) ? [] : [[name, singleHeader(value)!]],
  );
  return new Request(new URL(url, 'http://folio.invalid'), { method, headers: sent });
}
