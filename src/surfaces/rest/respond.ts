import type { FastifyReply, FastifyRequest } from 'fastify';
import { inOrder, scopeText } from '../../domain/oauth/scopes.ts';
import type { Addresses } from '../../kernel/addresses.ts';
import { commonErrors as c } from '../../kernel/common.errors.ts';
import { hasManyRows, jsonBytesInSteps, jsonText } from '../../kernel/json.ts';
import { type Caller, jsonMedia, type Operation } from '../../kernel/operation.ts';
import { type CallMember, fail, Problem, problemBody } from '../../kernel/problem.ts';
import { latestVersion } from '../../kernel/versions.ts';
import type { Visit } from '../../platform/admission.ts';
import { type Answer, repeatsEarlier } from '../../platform/call.ts';
import { problemOf } from '../../platform/faults.ts';
import { inTurns } from '../../platform/give-way.ts';
import { basePath } from '../shared/base-path.ts';
import { fileHeaders } from '../shared/file-headers.ts';
import type { HeldAnswers } from './held-answers.ts';
import { lengthOf, sendInTurns, sendText } from './send-in-turns.ts';
import { mayCompress, type SendList } from './list-compression.ts';

const headerNames: Readonly<Record<CallMember, string>> = {
  idempotency_key: 'Idempotency-Key',
  active_profile: 'X-Active-Profile',
  version: 'Service-Version',
  expected_tags: 'If-Match',
};

export const replayedHeaders = { 'Idempotent-Replayed': 'true' } as const;

/** The headers of every answer under /v1, refusals included. */
export function setCommonHeaders(reply: FastifyReply, visit: Visit | null): void {
  reply.header('Service-Version', visit?.version ?? latestVersion);
  reply.header('Cache-Control', 'no-store');
  if (visit?.rate) {
    const { rate, rate_class } = visit;
    reply.header('RateLimit-Policy', `"${rate_class}";q=${rate.limit};w=60`);
    reply.header('RateLimit', `"${rate_class}";r=${rate.remaining};t=${rate.reset_seconds}`);
  }
  if (visit?.caller?.previous_secret) {
    const { expires_at, hours_left } = visit.caller.previous_secret;
    const hours = hours_left === 1 ? '1 hour' : `${hours_left} hours`;
    reply.header('Warning', `199 svc "This secret was rotated and stops working in ${hours}"`);
    reply.header('Service-Key-Secret-Expires', expires_at.toISOString());
  }
}

/** RFC 9745, RFC 8594 and RFC 5829. */
export function deprecatedHeaders({ deprecated }: Operation): Record<string, string> {
  if (deprecated === null) return {};
  const { since, sunset, successor } = deprecated;
  return {
    Deprecation: `@${Date.parse(`${since}T00:00:00Z`) / 1000}`,
    Sunset: new Date(`${sunset}T00:00:00Z`).toUTCString(),
    Link: `<${successor}>; rel="successor-version"`,
  };
}

export type Sending = Pick<Addresses, 'public_url'> & { sendList: SendList; held: HeldAnswers };

/** An answer that the caller has already becomes a 304. */
export function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  operation: Operation,
  answer: Answer,
  { sendList, held, public_url }: Sending,
): FastifyReply | Promise<FastifyReply> {
  const { output_media_type } = operation;
  const { file, tag } = answer;
  if (file) reply.headers(fileHeaders(file, tag));
  else if (tag !== undefined) reply.header('ETag', tag);
  if (repeatsEarlier(answer)) reply.headers(replayedHeaders);
  // A replay keeps the version that made it.
  if (answer.version) reply.header('Service-Version', answer.version);
  const link = nextLink(request.url, answer.body, public_url);
  if (link) reply.header('Link', link);
  if (answer.is_held) return reply.code(304).send();
  reply.code(answer.status);
  if (output_media_type === jsonMedia) {
    reply.header('Content-Type', 'application/json; charset=utf-8');
    if (mayCompress(request, operation, answer)) {
      const send = (parts: readonly Buffer[]) => {
        held.hold(request, reply, lengthOf(parts));
        return sendList(request, reply, parts);
      };
      if (hasManyRows(answer.body)) return inTurns(jsonBytesInSteps(answer.body)).then(send);
      return send([Buffer.from(jsonText(answer.body))]);
    }
    // It answers as much as it takes, a hundred documents, or has thousands of lines. A text would be measured and encoded in one turn.
    if (operation.elements !== null || hasManyRows(answer.body))
      return inTurns(jsonBytesInSteps(answer.body)).then((parts) => {
        held.hold(request, reply, lengthOf(parts));
        return sendInTurns(reply, parts);
      });
    const text = jsonText(answer.body);
    held.hold(request, reply, text.length);
    return sendText(reply, text);
  }
  reply.header('Content-Type', file?.media_type ?? output_media_type);
  const bytes = toBytes(answer.body);
  held.hold(request, reply, bytes.length);
  return sendInTurns(reply, [bytes]);
}

/** Translates Fastify's own errors too. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const { code, statusCode: status } = (error ?? {}) as { code?: string; statusCode?: number };
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return fail(c.unsupported_media_type, { param: 'Content-Type' });
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH')
    return fail(c.parameter_invalid_format, { param: 'Content-Length' });
  // Only a fault of the request's own stream gets a status from Fastify.
  if (code === 'ECONNRESET' && status === 400) return fail(c.request_aborted);
  if (code === 'FST_ERR_BAD_URL' || code === 'FST_ERR_ASYNC_CONSTRAINT')
    return fail(c.parameter_invalid_format, { param: 'url' });
  const problem = problemOf(error);
  const is_callers = status !== undefined && status >= 400 && status < 500;
  return problem.def === c.internal_error && is_callers ? fail(c.parameter_invalid_format) : problem;
}

export function problemHeaders({ def, details }: Problem): Record<string, string> {
  const { retry_after_seconds: seconds, is_replay, version, is_unread } = details;
  return {
    ...(seconds === undefined ? {} : { 'Retry-After': String(seconds) }),
    ...(is_replay ? replayedHeaders : {}),
    ...(version ? { 'Service-Version': version } : {}),
    // The rest of the body may still come, or never.
    ...(def.status === 408 || is_unread ? { Connection: 'close' } : {}),
  };
}

/**
 * Where a client learns how to get a token, and which one it needs (RFC 6750, 3; RFC 9728, 5.1). Scopes of keys alone are left
 * out: no consent gives them.
 */
function challengeHeaders(
  { def, details }: Problem,
  caller: Caller | null | undefined,
  public_url: string,
): Record<string, string> {
  if (def.status !== 401 && def.status !== 403) return {};
  const told = [`resource_metadata="${public_url}/.well-known/oauth-protected-resource/v1"`];
  // Who shows nothing is told no error (RFC 6750, 3.1).
  if (def === c.invalid_api_key) told.push('error="invalid_token"');
  if (def.status === 403 && caller?.principal.kind === 'oauth') {
    told.push('error="insufficient_scope"');
    const scope = scopeText(inOrder(details.scopes ?? []));
    if (scope !== '') told.push(`scope="${scope}"`);
  }
  return { 'WWW-Authenticate': `Bearer ${told.join(', ')}` };
}

/** In the media type that the caller accepts. */
export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
  { public_url, docs_url }: Addresses,
): FastifyReply {
  const { id: request_id } = request;
  const body = problemBody(problem, { request_id, docs_url: docs_url(), member_names: headerNames });
  reply.code(problem.def.status).headers(problemHeaders(problem));
  reply.headers(challengeHeaders(problem, request.state.visit?.caller, public_url()));
  if (!acceptsProblem(request.headers.accept)) {
    reply.header('Content-Type', 'application/json; charset=utf-8');
    return reply.send(JSON.stringify({ error: body }));
  }
  const { type: error_type, message, code, doc_url } = body;
  const standard = {
    type: doc_url,
    title: code,
    status: problem.def.status,
    detail: message,
    instance: request_id,
    error_type,
  };
  reply.header('Content-Type', 'application/problem+json; charset=utf-8');
  return reply.send(JSON.stringify({ ...standard, ...body, type: doc_url }));
}

/** Whether the caller accepts application/problem+json and does not prefer application/json (RFC 9110, 12.5.1). */
function acceptsProblem(accept = ''): boolean {
  const weights = new Map<string, number>();
  for (const part of accept.toLowerCase().split(',')) {
    const [type = '', ...parameters] = part.split(';').map((p) => p.trim());
    const q = parameters.find((p) => p.startsWith('q='));
    weights.set(type, q === undefined ? 1 : Number(q.slice(2)) || 0);
  }
  const weight = weights.get('application/problem+json') ?? 0;
  return weight > 0 && weight >= (weights.get('application/json') ?? 0);
}

function toBytes(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body;
  if (typeof body === 'string') return Buffer.from(body, 'utf8');
  throw new Error('An operation that answers a file gives a Buffer or a text.');
}

/** `Link` to the next page of a list, in the direction of travel (RFC 8288). */
function nextLink(url: string, body: unknown, public_url: () => string): string | undefined {
  const page = body as { has_more?: unknown; data?: unknown } | null;
  if (page?.has_more !== true || !Array.isArray(page.data)) return undefined;
  const next = new URL(url, 'http://folio.invalid');
  const is_backward = next.searchParams.has('ending_before');
  const edge = page.data.at(is_backward ? 0 : -1) as { id?: string } | undefined;
  if (typeof edge?.id !== 'string') return undefined;
  next.searchParams.set(is_backward ? 'ending_before' : 'starting_after', edge.id);
  return `<${basePath(public_url())}${next.pathname}${next.search}>; rel="next"`;
}
