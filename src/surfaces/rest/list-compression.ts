/**
 * Lists go out compressed to callers who take that (ADR 76). The work is done in threads that the process shares, so
 * each owner has a share of them. A caller who gets no turn soon has the list uncompressed, which says the same.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { jsonMedia, type Operation } from '../../kernel/operation.ts';
import type { Answer } from '../../platform/call.ts';
import { FairTurns, type TurnLimits, TurnsFull } from '../../platform/fair-turns.ts';
import type { SharePort } from '../../platform/share-owners.ts';
import { chooseCoding, compress, compressedFrom, withVary } from '../shared/content-coding.ts';
import { lengthOf, sendInTurns } from './send-in-turns.ts';

/** The pool has four threads, which read files and check passwords too. */
const usualLimits: TurnLimits = {
  at_once: 2,
  at_once_of_company: 1,
  waiting_max: 32,
  weight_max: 16_000_000,
  wait_ms: 250,
};

/** Sends a text as JSON, written in parts, compressed where that is worth it. */
export type SendList = (
  request: FastifyRequest,
  reply: FastifyReply,
  parts: readonly Buffer[],
) => FastifyReply | Promise<FastifyReply>;

/**
 * Whether an answer may be compressed: a read without an ETag, since the tag of a resource names the bytes that `If-Match`
 * compares; without a secret; and not what a browser opens by a cookie, since a page elsewhere could measure it.
 */
export function mayCompress(request: FastifyRequest, operation: Operation, answer: Answer): boolean {
  const { method, output_media_type, holds_secret } = operation;
  const is_person = request.state.visit?.caller?.principal.kind === 'user';
  return (
    method === 'GET' &&
    output_media_type === jsonMedia &&
    !holds_secret &&
    answer.tag === undefined &&
    !is_person
  );
}

/** A list that cannot be compressed goes out as it is too, and the log says why. */
export function makeListCompression(
  shares: SharePort,
  limits: TurnLimits = usualLimits,
  compressList: typeof compress = compress,
): SendList {
  const turns = new FairTurns(limits);
  return (request, reply, parts) => {
    if (lengthOf(parts) < compressedFrom) return sendInTurns(reply, parts);
    reply.header('Vary', withVary(reply.getHeader('Vary'), 'Accept-Encoding'));
    const coding = chooseCoding(request.headers['accept-encoding']);
    if (coding === null) return sendInTurns(reply, parts);
    const bytes = Buffer.concat(parts);
    const company_id = request.state.visit?.caller?.company_id;
    const owner = company_id ? shares.ownerOf(company_id) : '';
    return turns
      .take(owner, bytes.length, () => compressList(bytes, coding, 'each'))
      .then(
        (compressed) => sendInTurns(reply.header('Content-Encoding', coding), [compressed]),
        (error: unknown) => {
          if (!(error instanceof TurnsFull))
            request.log.error({ err: error }, 'a list goes out uncompressed');
          return sendInTurns(reply, [bytes]);
        },
      );
  };
}
