import type { DeliveryStatus } from '../webhooks.rows.ts';

const minute = 60_000;
const hour = 60 * minute;

/** From the end of each attempt to the next. The eighth attempt is the last. */
export const retryDelaysMs: readonly number[] = [
  minute,
  5 * minute,
  30 * minute,
  2 * hour,
  12 * hour,
  24 * hour,
  72 * hour,
];

export const attemptsMax = retryDelaysMs.length + 1;

/** How late an attempt may start, as a share of its delay. */
const lateness = 0.05;

const successes: ReadonlySet<number> = new Set([200, 201, 202, 204]);

/** A redirect is a failure; so is no answer (null). */
export function isSuccess(response_status: number | null): boolean {
  return response_status !== null && successes.has(response_status);
}

export type Attempted = { status: DeliveryStatus; attempt: number; next_attempt_at: Date | null };

/**
 * @param attempts_before since it was queued or replayed
 * @param ended_at the next delay starts here
 */
export function afterAttempt(
  attempts_before: number,
  response_status: number | null,
  ended_at: Date,
): Attempted {
  const attempt = attempts_before + 1;
  if (isSuccess(response_status)) return { status: 'delivered', attempt, next_attempt_at: null };
  const delay = retryDelaysMs[attempt - 1];
  if (delay === undefined) return { status: 'failed_permanently', attempt, next_attempt_at: null };
  return { status: 'failed', attempt, next_attempt_at: new Date(ended_at.getTime() + delay) };
}

/** Unlimited for the first attempt, which goes as soon as it can. */
export function slackMs(attempts_before: number): number {
  const delay = retryDelaysMs[attempts_before - 1];
  return delay === undefined ? Number.POSITIVE_INFINITY : delay * lateness;
}
