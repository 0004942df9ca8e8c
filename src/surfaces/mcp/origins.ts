/**
 * Who may call from a browser. A page that resolves its own name to this machine could otherwise reach a service that
 * listens here alone (DNS rebinding).
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { fail } from '../../kernel/problem.ts';
import { mcpErrors as e } from './mcp.errors.ts';

export type OriginParts = {
  /** Null where it is the address that the service listens on. */
  configured_url: string | null;
  host: string;
  /** FOLIO_MCP_ORIGINS */
  origins: readonly string[];
};

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const isLoopback = (name: string) => loopback.test(name) || name === '::1';

/** @throws 403 origin_not_allowed */
export function checkOrigin(request: FastifyRequest, { configured_url, host, origins }: OriginParts): void {
  const { origin } = request.headers;
  const is_local = configured_url === null && isLoopback(host);
  const called = urlOf(`http://${request.headers.host ?? ''}`);
  if (is_local && !(called && isLoopback(called.hostname)))
    throw fail(e.origin_not_allowed, { param: 'Host' });
  if (origin === undefined || origins.includes(origin)) return;
  const page = urlOf(origin);
  const is_own =
    configured_url === null
      ? page !== undefined && page.host === called?.host
      : page?.origin === urlOf(configured_url)?.origin;
  if (!is_own) throw fail(e.origin_not_allowed, { param: 'Origin' });
}

function urlOf(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

const exposed = 'WWW-Authenticate, Retry-After, X-Request-Id, Service-Version, RateLimit, RateLimit-Policy';

/** For the origins of the setting alone, and never with credentials of the browser's own. */
export function allowOrigin(request: FastifyRequest, reply: FastifyReply, { origins }: OriginParts): void {
  const { origin } = request.headers;
  if (origins.length > 0) reply.header('Vary', 'Origin');
  if (origin === undefined || !origins.includes(origin)) return;
  reply.header('Access-Control-Allow-Origin', origin).header('Access-Control-Expose-Headers', exposed);
}

const allowedHeaders =
  'Authorization, X-API-Key, X-Active-Profile, Service-Version, Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, traceparent, tracestate';

/** Answers a browser that asks before it calls. @throws 403 origin_not_allowed */
export function answerPreflight(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: OriginParts,
): FastifyReply {
  checkOrigin(request, parts);
  allowOrigin(request, reply, parts);
  return reply
    .code(204)
    .headers({
      'Access-Control-Allow-Methods': 'POST',
      'Access-Control-Allow-Headers': allowedHeaders,
      'Access-Control-Max-Age': '600',
    })
    .send();
}
