/** The health of an endpoint by its attempts. */

export type AttemptEnd = { is_success: boolean; ended_at: Date };

/**
 * The change that a run of attempts makes to a stored state that is not known here: since when an endpoint
 * fails, and how often in a row.
 */
export type HealthChange = {
  /** Null when none succeeded: then `failures` adds to the stored count. */
  last_success_at: Date | null;
  /** Failures since the last success of the run; all of them when none succeeded. */
  failures: number;
  first_failure_at: Date | null;
};

/** @param ends in the order in which the attempts ended */
export function healthChange(ends: readonly AttemptEnd[]): HealthChange {
  const last_success = ends.findLastIndex((end) => end.is_success);
  const failed = ends.slice(last_success + 1);
  return {
    last_success_at: ends[last_success]?.ended_at ?? null,
    failures: failed.length,
    first_failure_at: failed[0]?.ended_at ?? null,
  };
}
