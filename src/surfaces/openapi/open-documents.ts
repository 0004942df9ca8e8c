/** Documents for programs, which scripts of any page may read (ADR 76). Pages for people and `/v1` are not open so. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** They are public: no credential of a browser opens them. */
const openToAll = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'ETag' } as const;

/** A document that scripts of any page may read, also with `If-None-Match`, for which browsers ask first (Fetch, 3.2). */
export function addDocument(
  app: FastifyInstance,
  path: string,
  send: (reply: FastifyReply, request: FastifyRequest) => FastifyReply | Promise<FastifyReply>,
): void {
  app.get(path, (request, reply) => send(reply.headers(openToAll), request));
  app.options(path, (_request, reply) =>
    reply
      .code(204)
      .headers({
        ...openToAll,
        'Access-Control-Allow-Methods': 'GET, HEAD',
        'Access-Control-Allow-Headers': 'If-None-Match',
        'Access-Control-Max-Age': '86400',
      })
      .send(),
  );
}
