import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HeldAnswers, Visited } from '../rest/held-answers.ts';
import { sendInTurns } from '../rest/send-in-turns.ts';
import type { Page } from './frame.ts';
import { askedLanguage } from './languages.ts';
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
  const language = askedLanguage(request) ?? languageFor(request.headers['accept-language']);
  return sendPage(reply, status, noticePage(name, language));
}

export function sendPage(reply: FastifyReply, status: number, { text, headers }: Page): FastifyReply {
  return reply.code(status).headers(headers).send(text);
}

type Shown = { status?: number; headers: Readonly<Record<string, string>>; shown: string | Buffer };

/**
 * What shows a document of the company. It counts as unread until its visitor has read it.
 * @throws 429 company_share_exceeded, with no header set: a page says so instead
 */
export type SendShown = (
  request: FastifyRequest,
  reply: FastifyReply,
  visited: Visited,
  shown: Shown,
) => FastifyReply;

export const makeSendShown =
  (held: HeldAnswers): SendShown =>
  (request, reply, visited, { status = 200, headers, shown }) => {
    // What came together was drawn or printed together.
    held.refuseWithoutShare(request, visited);
    reply.code(status).headers(headers);
    const bytes = Buffer.isBuffer(shown) ? shown : Buffer.from(shown);
    held.hold(request, reply, bytes.length, visited);
    return sendInTurns(reply, [bytes]);
  };
