/**
 * Calls that move a file hold it in memory until the answer has left: so many at a time, a sixth of them of one owner
 * (ADR 51). The body of a waiting call stays unread, in the buffers of the connection. While others wait, the slowest
 * of those that had their time gives its place up (ADR 58).
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
/** How often those that wait look for a slow one. */
const lookMs = 250;

/** @returns for `preParsing`: after the call is admitted, before its body is read */
export function filePlaces(shares: SharePort, place_seconds: number): TakePlace {
  const turns = new FairTurns(limits);
  const places = new Places(place_seconds * 1000);
  return async (request, reply) => {
    const company_id = request.state.visit?.caller?.company_id;
    const left = Promise.withResolvers<void>();
    const has_place = Promise.withResolvers<void>();
    reply.raw.once('close', left.resolve);
    const owner = company_id ? shares.ownerOf(company_id) : '';
    const place = new Place(owner, request, reply);
    places.wait(place);
    // A caller that goes away while it waits needs no place.
    void left.promise.then(() => places.end(place));
    turns
      .take(owner, 1, () => {
        places.begin(place);
        has_place.resolve();
        return left.promise.finally(() => places.end(place));
      })
      .catch((error: unknown) => {
        places.end(place);
        has_place.reject(turnRefusal(error, retrySeconds));
      });
    await has_place.promise;
    if (reply.raw.closed || request.raw.destroyed) {
      left.resolve();
      throw fail(c.request_aborted);
    }
    const late = setTimeout(() => reply.raw.destroy(), placeMs).unref();
    void left.promise.then(() => clearTimeout(late));
  };
}

/** One call's. */
class Place {
  readonly owner: string;
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  #begun_at = 0;
  #moved_before = 0;
  is_taken_back = false;

  constructor(owner: string, request: FastifyRequest, reply: FastifyReply) {
    this.owner = owner;
    this.#request = request;
    this.#reply = reply;
  }

  begin(): void {
    this.#begun_at = performance.now();
    this.#moved_before = this.#moved();
  }

  /** Of the connection, in either direction. */
  #moved(): number {
    const { bytesRead, bytesWritten, writableLength } = this.#request.raw.socket;
    return bytesRead + bytesWritten - writableLength;
  }

  /** Bytes a millisecond; null for a call that has had less than its time, or that waits for us. */
  pace(time_ms: number): number | null {
    const had_ms = performance.now() - this.#begun_at;
    const is_moving = this.#request.state.refuseBody !== undefined || this.#reply.raw.headersSent;
    return is_moving && had_ms >= time_ms ? (this.#moved() - this.#moved_before) / had_ms : null;
  }

  /** A body is answered, an answer on its way is cut. */
  takeBack(): void {
    this.is_taken_back = true;
    const { refuseBody } = this.#request.state;
    if (refuseBody) refuseBody(fail(c.request_timeout));
    else this.#reply.raw.destroy();
  }
}

class Places {
  readonly #time_ms: number;
  readonly #held = new Set<Place>();
  readonly #waiting = new Set<Place>();
  #timer: NodeJS.Timeout | undefined;

  constructor(time_ms: number) {
    this.#time_ms = time_ms;
  }

  wait(place: Place): void {
    this.#waiting.add(place);
    this.#timer ??= setInterval(() => this.#look(), lookMs).unref();
  }

  begin(place: Place): void {
    this.#waiting.delete(place);
    this.#held.add(place);
    place.begin();
    this.#rest();
  }

  end(place: Place): void {
    this.#waiting.delete(place);
    this.#held.delete(place);
    this.#rest();
  }

  #rest(): void {
    if (this.#waiting.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /**
   * When all places are held, takes back the places of the slowest calls. It takes one for each waiting call whose owner holds fewer
   * places than its share.
   */
  #look(): void {
    if (this.#held.size < limits.at_once) return;
    const held = [...this.#held];
    const heldBy = (owner: string) => held.filter((place) => place.owner === owner).length;
    const wanted = [...this.#waiting].filter(({ owner }) => heldBy(owner) < limits.at_once_of_company);
    const missing = wanted.length - held.filter(({ is_taken_back }) => is_taken_back).length;
    const slowest = held
      .filter(({ is_taken_back }) => !is_taken_back)
      .flatMap((place) => {
        const pace = place.pace(this.#time_ms);
        return pace === null ? [] : [{ place, pace }];
      })
      .sort((a, b) => a.pace - b.pace);
    for (const { place } of slowest.slice(0, Math.max(0, missing))) place.takeBack();
  }
}
