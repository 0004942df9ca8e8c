/**
 * Calls that move a file hold it in memory until the answer has left: so many at a time, a sixth of them of one owner
 * (ADR 51). Whoever waits has its body unread, in the buffers of the connection.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { commonErrors as c } from '../../kernel/common.errors.ts';
import { fail } from '../../kernel/problem.ts';
import { FairTurns, type TurnLimits, turnRefusal } from '../../platform/fair-turns.ts';
import type { SharePort } from '../../platform/share-owners.ts';

export type TakePlace = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

const limits: TurnLimits = {
  at_once: 12,
  at_once_of_company: 2,
  waiting_max: 128,
  weight_max: 128,
  wait_ms: 30_000,
};
const retrySeconds = 5;
/** A slow reader of its answer gives the place back. */
const placeMs = 120_000;

/** @returns for `preParsing`: after the call is admitted, before its body is read */
export function filePlaces(shares: SharePort): TakePlace {
  const turns = new FairTurns(limits);
  return async (request, reply) => {
    const company_id = request.state.visit?.caller?.company_id;
    const left = Promise.withResolvers<void>();
    const has_place = Promise.withResolvers<void>();
    reply.raw.once('close', left.resolve);
    const owner = company_id ? shares.ownerOf(company_id) : '';
    turns
      .take(owner, 1, () => {
        has_place.resolve();
        return left.promise;
      })
      .catch((error: unknown) => has_place.reject(turnRefusal(error, retrySeconds)));
    await has_place.promise;
    if (reply.raw.closed || request.raw.destroyed) {
      left.resolve();
      throw fail(c.request_aborted);
    }
    const late = setTimeout(() => reply.raw.destroy(), placeMs).unref();
    void left.promise.then(() => clearTimeout(late));
  };
}
