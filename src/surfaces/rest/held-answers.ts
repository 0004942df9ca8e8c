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

/** Of what shows a document to whoever has its address. */
export type Visited = { company_id: string; id: string };

/** Visitors of one document have this part of what visitors of a company have: who has one address leaves room for the others. */
const partOfDocument = 1 / 4;

type Share = { of: string; bytes_max: number };

export class HeldAnswers {
  readonly #shares: SharePort;
  readonly #bounds: AnswerBounds;
  readonly #bytes = new Map<string, number>();

  constructor(shares: SharePort, bounds: AnswerBounds) {
    this.#shares = shares;
    this.#bounds = bounds;
  }

  /**
   * @param visited of a page without a key
   * @throws 429 company_share_exceeded
   */
  refuseWithoutShare(request: FastifyRequest, visited?: Visited): void {
    const shares = this.#sharesOf(request, visited);
    if (shares.every(({ of, bytes_max }) => (this.#bytes.get(of) ?? 0) <= bytes_max)) return;
    const values = { seconds: retrySeconds };
    throw fail(c.company_share_exceeded, { retry_after_seconds: retrySeconds, values });
  }

  /** From now until the answer has left, or the caller has gone. */
  hold(request: FastifyRequest, reply: FastifyReply, bytes: number, visited?: Visited): void {
    if (bytes < countedFrom || reply.raw.closed) return;
    const shares = this.#sharesOf(request, visited);
    const { socket } = request.raw;
    const readOf = () => socket.bytesWritten - socket.writableLength;
    let before = readOf();
    const look = setInterval(() => {
      const now = readOf();
      if (now === before) reply.raw.destroy();
      before = now;
    }, this.#bounds.unread_seconds * 1000).unref();
    for (const { of } of shares) this.#add(of, bytes);
    reply.raw.once('close', () => {
      clearInterval(look);
      for (const { of } of shares) this.#add(of, -bytes);
    });
  }

  /** Visitors have shares of their own, so that who has an address of a company's document never stops the company's calls. */
  #sharesOf({ state }: FastifyRequest, visited?: Visited): readonly Share[] {
    const { answer_bytes: bytes_max } = this.#bounds;
    if (visited !== undefined) {
      const { company_id, id } = visited;
      return [
        { of: `visitors of ${this.#shares.ownerOf(company_id)}`, bytes_max },
        { of: `visitors of ${company_id} ${id}`, bytes_max: bytes_max * partOfDocument },
      ];
    }
    const company_id = state.visit?.caller?.company_id;
    return [{ of: company_id ? this.#shares.ownerOf(company_id) : '', bytes_max }];
  }

  #add(share: string, bytes: number): void {
    const held = (this.#bytes.get(share) ?? 0) + bytes;
    if (held > 0) this.#bytes.set(share, held);
    else this.#bytes.delete(share);
  }
}
