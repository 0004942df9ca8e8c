/**
 * A first attempt waits while another of its aggregate is in flight, so that events arrive in order. When
 * that one fails, order is given up; receivers use `sequence`. A failing endpoint gets one request at a time,
 * except for a retry that would otherwise be late.
 */
import { slackMs } from './schedule.ts';

export type Waiting = { aggregate_id: string | null; attempt: number; next_attempt_at: Date };

export type EndpointState = {
  running: number;
  firsts: ReadonlySet<string>;
  is_failing: boolean;
  concurrency: number;
};

/** A retry to a failing endpoint goes after this share of its allowed lateness. */
const patience = 0.5;

/**
 * @param queue in due order
 * @returns an index; -1 when none may go now
 */
export function nextDelivery(queue: readonly Waiting[], state: EndpointState, now: Date): number {
  if (state.running >= state.concurrency) return -1;
  const has_room = !state.is_failing || state.running === 0;
  return queue.findIndex(({ aggregate_id, attempt, next_attempt_at }) => {
    if (attempt === 0) return has_room && (aggregate_id === null || !state.firsts.has(aggregate_id));
    return has_room || now.getTime() - next_attempt_at.getTime() > slackMs(attempt) * patience;
  });
}
