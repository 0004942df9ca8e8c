/** What attempts say of their endpoint: since when it fails and how often in a row. */

export type AttemptEnd = { is_success: boolean; ended_at: Date };

/** The change that a run of attempts makes, for an endpoint whose stored state is not known here. */
export type HealthChange = {
  /** Null when none succeeded: failures then add to what is stored. */
  last_success_at: Date | null;
  /** Failures since the last success among them, or all. */
  failures: number;
  first_failure_at: Date | null;
};

/** @param ends in the order in which they ended */
export function healthChange(ends: readonly AttemptEnd[]): HealthChange {
  const last_success = ends.findLastIndex((end) => end.is_success);
  const failed = ends.slice(last_success + 1);
  return {
    last_success_at: ends[last_success]?.ended_at ?? null,
    failures: failed.length,
    first_failure_at: failed[0]?.ended_at ?? null,
  };
}
