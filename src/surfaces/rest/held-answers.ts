/**
 * An answer is held in memory until its caller has read it. An owner has a share of what is held; while that is spent, its
 * calls are refused before anything is done, or in the transaction that does it. An answer of which nothing is read for long is cut (ADR 34).
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { commonErrors as c } from '../../kernel/common.errors.ts';
import { fail } from '../../kernel/problem.ts';
import type { SharePort } from '../../platform/share-owners.ts';

export type AnswerBounds = {
  /** Of one owner. One answer may go beyond. */
  answer_bytes: number;
  /** So long nothing of an answer is read. */
  unread_seconds: number;
};

export const answerBounds: AnswerBounds = { answer_bytes: 64_000_000, unread_seconds: 120 };

/** What is shorter fits into the buffers of a connection. */
const countedFrom = 16_384;

const retrySeconds = 5;

export class HeldAnswers {
  readonly #shares: SharePort;
  readonly #bounds: AnswerBounds;
  readonly #bytes = new Map<string, number>();

  constructor(shares: SharePort, bounds: AnswerBounds) {
    this.#shares = shares;
    this.#bounds = bounds;
  }

  /**
   * @param visited of a page without a key: the company whose document it shows
   * @throws 429 company_share_exceeded
   */
  refuseWithoutShare(request: FastifyRequest, visited?: string): void {
    if ((this.#bytes.get(this.#ownerOf(request, visited)) ?? 0) <= this.#bounds.answer_bytes) return;
    const values = { seconds: retrySeconds };
    throw fail(c.company_share_exceeded, { retry_after_seconds: retrySeconds, values });
  }

  /** From now until the answer has left, or the caller has gone. */
  hold(request: FastifyRequest, reply: FastifyReply, bytes: number, visited?: string): void {
    if (bytes < countedFrom || reply.raw.closed) return;
    const owner = this.#ownerOf(request, visited);
    const { socket } = request.raw;
    const readOf = () => socket.bytesWritten - socket.writableLength;
    let before = readOf();
    const look = setInterval(() => {
      const now = readOf();
      if (now === before) reply.raw.destroy();
      before = now;
    }, this.#bounds.unread_seconds * 1000).unref();
    this.#add(owner, bytes);
    reply.raw.once('close', () => {
      clearInterval(look);
      this.#add(owner, -bytes);
    });
  }

  /** Visitors have a share of their own, so that who has an address of a company's document never stops the company's calls. */
  #ownerOf({ state }: FastifyRequest, visited?: string): string {
    if (visited !== undefined) return `visitors of ${this.#shares.ownerOf(visited)}`;
    const company_id = state.visit?.caller?.company_id;
    return company_id ? this.#shares.ownerOf(company_id) : '';
  }

  #add(owner: string, bytes: number): void {
    const held = (this.#bytes.get(owner) ?? 0) + bytes;
    if (held > 0) this.#bytes.set(owner, held);
    else this.#bytes.delete(owner);
  }
}
