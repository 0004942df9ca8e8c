/**
 * POST /mcp: one request, one answer (MCP revision 2026-07-28). What a call must pass, in this order: origin, host,
 * credential, rate, body; then what is served decides. Bodies come in the shares and bounds of REST.
 */
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { commonErrors as c } from '../../kernel/common.errors.ts';
import { largestBody, type Operation } from '../../kernel/operation.ts';
import { fail, type Problem } from '../../kernel/problem.ts';
import type { Engine } from '../../platform/engine.ts';
import { presentedSecret, readJson, singleHeader } from '../rest/request.ts';
import { problemHeaders, setCommonHeaders, toProblem } from '../rest/respond.ts';
import { refuseAborted } from '../rest/wire-faults.ts';
import type { Exchange } from './exchange.ts';
import { gzipAround } from './gzip-around.ts';
import { allowOrigin, answerPreflight, checkOrigin, type OriginParts } from './origins.ts';
import { challengeOf, errorText, httpStatusOf, invalidRequest, parseError } from './refusals.ts';
import type { Served } from './served.ts';
import { compressedOf } from './tool-list.ts';
import { readView, type ToolView } from './tool-view.ts';

export type McpRoute = {
  engine: Engine;
  served: Served;
  public_url: () => string;
  origins: OriginParts;
  findTool(name: string): Operation | undefined;
};

/** The largest body of an operation, and what a message holds around its arguments. */
const bodyMax = largestBody + 65_536;

const json = 'application/json; charset=utf-8';
const emptyList = '"tools":[]';

export function registerMcp(app: FastifyInstance, parts: McpRoute): void {
  const { engine, public_url, origins } = parts;
  app.register(async (scope) => {
    scope.decorateRequest('tool_view', null as unknown as ToolView);
    scope.setErrorHandler(async (error, request, reply) => {
      const { visit } = request.state;
      const thrown = toProblem(error);
      const problem = visit ? await engine.countRefused(visit, thrown) : thrown;
      if (problem.def.status >= 500)
        request.log.error({ err: error, request_id: request.id }, 'request failed');
      return sendRefusal(request, reply, problem, public_url());
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
        request.tool_view = readView(request.query as Record<string, unknown>);
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

/** The headers repeat what the body says, and are compared with it: so the rate is spent before the body comes. */
function arrivalOf(request: FastifyRequest, { findTool }: McpRoute) {
  const { headers } = request;
  const method = singleHeader(headers['mcp-method']);
  const tool = method === 'tools/call' ? singleHeader(headers['mcp-name']) : null;
  return {
    operation: tool === null ? null : (findTool(tool) ?? null),
    has_input_later: true,
    is_named_later: method === null || (method === 'tools/call' && tool === null),
    request_id: request.id,
    ip: request.ip,
    user_agent: singleHeader(headers['user-agent']),
    secret: presentedSecret(request),
    audience: 'mcp' as const,
    active_profile: null,
    version: null,
    idempotency_key: null,
    input: { params: {}, query: {}, body: undefined },
  };
}

async function answer(request: FastifyRequest, reply: FastifyReply, parts: McpRoute): Promise<FastifyReply> {
  const visit = request.state.visit!;
  const raw = request.body as Buffer | undefined;
  const message = readMessage(request, raw);
  const exchange: Exchange = {
    visit,
    caller: visit.caller!,
    view: request.tool_view,
    request_id: request.id,
    body_bytes: raw?.length ?? 0,
    tells_of_itself: /^(server\/discover|initialize)$/.test(methodOf(message)),
    problem: null,
    list: null,
  };
  const response = await parts.served.answer(webRequest(request), message, exchange);
  if (response.status >= 500) request.log.error({ request_id: request.id }, 'the protocol handler failed');
  if (!exchange.problem) await spendRest(exchange, parts);
  setCommonHeaders(reply, visit);
  return send(request, reply, response, exchange, parts.public_url());
}

/** @throws 400 parameter_invalid_format */
function readMessage(request: FastifyRequest, raw: Buffer | undefined): unknown {
  request.state.rpc_code = parseError;
  const message = readJson(raw);
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

/** A message that named no operation costs a read. @throws 429 rate_limit_exceeded */
async function spendRest({ visit }: Exchange, { engine }: McpRoute): Promise<void> {
  if (visit.spent_for !== undefined) return;
  await engine.name(visit, { ...visit.arrival, operation: null, active_profile: null });
}

/** Without its body, which was read. */
function webRequest({ headers, method, url }: FastifyRequest): Request {
  const sent = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || name.startsWith(':') ? [] : [[name, singleHeader(value)!]],
  );
  return new Request(new URL(url, 'http://folio.invalid'), { method, headers: sent });
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  response: Response,
  exchange: Exchange,
  public_url: string,
): Promise<FastifyReply> {
  const { problem, list } = exchange;
  if (problem) {
    request.state.error_code = problem.def.code;
    request.state.refused_status = problem.def.status;
    reply.headers(refusalHeaders(request, problem, public_url));
  }
  reply.code((problem && httpStatusOf(problem)) ?? response.status);
  const type = response.headers.get('content-type');
  if (response.body === null) return reply.send();
  reply.header('Content-Type', type === 'application/json' ? json : (type ?? json));
  if (type?.startsWith('text/event-stream'))
    return reply
      .header('X-Accel-Buffering', 'no')
      .send(Readable.fromWeb(response.body as ReadableStream<Uint8Array>));
  const text = await response.text();
  if (list === null) return reply.send(text);
  const at = text.indexOf(emptyList);
  const [before, after] = [`${text.slice(0, at)}"tools":`, text.slice(at + emptyList.length)];
  reply.header('Vary', [reply.getHeader('Vary'), 'Accept-Encoding'].filter(Boolean).join(', '));
  if (!takesGzip(singleHeader(request.headers['accept-encoding'])))
    return reply.send(Buffer.concat([Buffer.from(before), list.bytes, Buffer.from(after)]));
  reply.header('Content-Encoding', 'gzip');
  return reply.send(gzipAround(before, list.bytes, await compressedOf(list), after));
}

/** RFC 9110, 12.5.3 */
function takesGzip(accepted: string | null): boolean {
  return (accepted ?? '').split(',').some((part) => {
    const [coding, weight = 'q=1'] = part.split(';').map((word) => word.trim().toLowerCase());
    return coding === 'gzip' && Number(weight.slice(2)) !== 0;
  });
}

function refusalHeaders(
  request: FastifyRequest,
  problem: Problem,
  public_url: string,
): Record<string, string> {
  const { visit } = request.state;
  const has_credential = presentedSecret(request) !== null;
  const challenge = challengeOf(problem, visit, has_credential, public_url);
  const { 'WWW-Authenticate': _, ...headers } = problemHeaders(problem);
  return { ...headers, ...(challenge === undefined ? {} : { 'WWW-Authenticate': challenge }) };
}

/** Of a request whose message was not served. */
function sendRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
  public_url: string,
): FastifyReply {
  request.state.error_code = problem.def.code;
  setCommonHeaders(reply, request.state.visit);
  reply.code(problem.def.status).headers(refusalHeaders(request, problem, public_url));
  reply.header('Content-Type', json);
  const call = { request_id: request.id, public_url };
  return reply.send(errorText(problem, call, request.state.rpc_code));
}
