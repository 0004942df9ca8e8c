/**
 * Turns answers and Problems into HTTP (specification, sections 1 and 7): envelopes, both error media
 * types, and the headers that every answer carries.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { commonErrors as c } from '../../kernel/common.errors.ts';
import type { Caller, Input } from '../../kernel/operation.ts';
import { fail, Problem, problemMessage } from '../../kernel/problem.ts';
import { latestVersion } from '../../kernel/versions.ts';
import { isUnreachable } from '../../platform/db.ts';
import type { EarlyRead } from '../../platform/early-read.ts';
import type { RateState } from '../../platform/rate-limit.ts';

/** What the surface knows of a request while it runs. */
export type RequestState = {
  version: string;
  caller: Caller | null;
  rate: RateState | undefined;
  rate_class: 'read' | 'write';
  operation: string | null;
  error_code: string | null;
  started_at: number;
  idempotency_key: string | null;
  /** Read once, by the first who asks for it. */
  input: Input<unknown, unknown, unknown> | undefined;
  /** The transaction that a read began with the look-up of its credential. */
  early: EarlyRead | undefined;
};

export function newRequestState(): RequestState {
  return {
    version: latestVersion,
    caller: null,
    rate: undefined,
    rate_class: 'read',
    operation: null,
    error_code: null,
    started_at: performance.now(),
    idempotency_key: null,
    input: undefined,
    early: undefined,
  };
}

/** Headers of every answer under /v1, refusals included. */
export function setCommonHeaders(reply: FastifyReply, state: RequestState): void {
  reply.header('Service-Version', state.version);
  reply.header('Cache-Control', 'no-store');
  const { rate, caller } = state;
  if (rate) {
    reply.header('RateLimit-Policy', `"${state.rate_class}";q=${rate.limit};w=60`);
    reply.header('RateLimit', `"${state.rate_class}";r=${rate.remaining};t=${rate.reset_seconds}`);
  }
  if (caller?.previous_secret) {
    const { expires_at, hours_left } = caller.previous_secret;
    const hours = hours_left === 1 ? '1 hour' : `${hours_left} hours`;
    reply.header('Warning', `199 svc "This secret was rotated and stops working in ${hours}"`);
    reply.header('Service-Key-Secret-Expires', expires_at.toISOString());
  }
}

/** The Problem that stands for whatever was thrown, Fastify's own errors included. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const code = (error as { code?: string } | null)?.code;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return fail(c.request_too_large);
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return fail(c.unsupported_media_type, { param: 'Content-Type' });
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH')
    return fail(c.parameter_invalid_format, { param: 'Content-Length' });
  if (code === 'FST_ERR_BAD_URL' || code === 'FST_ERR_ASYNC_CONSTRAINT')
    return fail(c.parameter_invalid_format, { param: 'url' });
  if (isUnreachable(error)) return fail(c.service_unavailable, { headers: { 'Retry-After': '5' } });
  const status = (error as { statusCode?: number } | null)?.statusCode;
  if (status !== undefined && status >= 400 && status < 500) return fail(c.parameter_invalid_format);
  return fail(c.internal_error);
}

/** Writes a Problem in the media type the caller accepts. */
export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
  public_url: string,
): FastifyReply {
  const { def, details } = problem;
  const doc_url = `${public_url}/docs/errors/${def.code}`;
  const extra = {
    ...(details.subcode === undefined ? {} : { subcode: details.subcode }),
    ...(details.line_index === undefined ? {} : { line_index: details.line_index }),
    ...(details.errors === undefined ? {} : { errors: details.errors }),
  };
  const shared = { code: def.code, param: details.param ?? null, doc_url, request_id: request.id, ...extra };
  const message = problemMessage(def, details.values);
  reply.code(def.status);
  for (const [name, value] of Object.entries(details.headers ?? {})) reply.header(name, value);
  if (def.status === 401) reply.header('WWW-Authenticate', 'Bearer');
  if (acceptsProblem(request.headers.accept)) {
    reply.header('Content-Type', 'application/problem+json; charset=utf-8');
    const body = {
      type: doc_url,
      title: def.code,
      status: def.status,
      detail: message,
      instance: request.id,
      error_type: def.type,
      message,
      ...shared,
    };
    return reply.send(JSON.stringify(body));
  }
  reply.header('Content-Type', 'application/json; charset=utf-8');
  return reply.send(JSON.stringify({ error: { type: def.type, message, ...shared } }));
}

/** Whether the caller named application/problem+json and does not like application/json better (RFC 9110, 12.5.1). */
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

/** A file as it is, byte for byte. */
export function toBytes(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body;
  if (typeof body === 'string') return Buffer.from(body, 'utf8');
  throw new Error('An operation that answers a file gives a Buffer or a text.');
}

/** `Link` for the next page of a list, in the direction of travel (RFC 8288). */
export function nextLink(url: string, body: unknown): string | undefined {
  const page = body as { has_more?: unknown; data?: unknown } | null;
  if (page?.has_more !== true || !Array.isArray(page.data)) return undefined;
  const next = new URL(url, 'http://folio.invalid');
  const is_backward = next.searchParams.has('ending_before');
  const edge = page.data.at(is_backward ? 0 : -1) as { id?: string } | undefined;
  if (typeof edge?.id !== 'string') return undefined;
  next.searchParams.set(is_backward ? 'ending_before' : 'starting_after', edge.id);
  return `<${next.pathname}${next.search}>; rel="next"`;
}
