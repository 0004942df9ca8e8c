import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Page } from './frame.ts';
import { type NoticeName, noticePage } from './notice-page.ts';
import { languageFor } from './words.ts';

export const sendMissing = (request: FastifyRequest, reply: FastifyReply) =>
  sendNotice(request, reply, 404, 'not_found');

export const sendTooMany = (request: FastifyRequest, reply: FastifyReply, seconds: number) =>
  sendNotice(request, reply.header('Retry-After', String(seconds)), 429, 'too_many');

export function sendNotice(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  name: NoticeName,
): FastifyReply {
  return sendPage(reply, status, noticePage(name, languageFor(request.headers['accept-language'])));
}

export function sendPage(reply: FastifyReply, status: number, { text, headers }: Page): FastifyReply {
  return reply.code(status).headers(headers).send(text);
}
