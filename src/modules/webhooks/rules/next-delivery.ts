/**
 * Which waiting delivery of an endpoint goes next. A first attempt waits while one of the same aggregate is in flight,
 * so that events arrive in order; once that failed, order is given up and `sequence` tells. An endpoint that fails
 * gets one request at a time, but a retry that would come too late for its schedule is not kept waiting by that.
 */
import { slackMs } from './schedule.ts';

export type Waiting = { aggregate_id: string | null; attempt: number; next_attempt_at: Date };

export type EndpointState = {
  /** Requests in flight. */
  running: number;
  /** Aggregates with a first attempt in flight. */
  firsts: ReadonlySet<string>;
  is_failing: boolean;
  concurrency: number;
};

/** A failing endpoint's retry goes when so much of what it may be late has passed. */
const patience = 0.5;

/**
 * @param queue what is due, in due order
 * @returns its index; -1 when nothing may go now
 */
export function nextDelivery(queue: readonly Waiting[], state: EndpointState, now: Date): number {
  if (state.running >= state.concurrency) return -1;
  const has_room = !state.is_failing || state.running === 0;
  return queue.findIndex(({ aggregate_id, attempt, next_attempt_at }) => {
    if (attempt === 0) return has_room && (aggregate_id === null || !state.firsts.has(aggregate_id));
    return has_room || now.getTime() - next_attempt_at.getTime() > slackMs(attempt) * patience;
  });
}
