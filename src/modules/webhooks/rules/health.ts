export type AttemptEnd = { is_success: boolean; ended_at: Date };

/** What a run of attempts changes, whatever state is stored. */
export type HealthChange = {
  /** Null when none succeeded: then `failures` adds to the stored count. */
  last_success_at: Date | null;
  /** Since the last success of the run. */
  failures: number;
  first_failure_at: Date | null;
};

/** @param ends in the order in which attempts ended */
export function healthChange(ends: readonly AttemptEnd[]): HealthChange {
  const last_success = ends.findLastIndex((end) => end.is_success);
  const failed = ends.slice(last_success + 1);
  return {
    last_success_at: ends[last_success]?.ended_at ?? null,
    failures: failed.length,
    first_failure_at: failed[0]?.ended_at ?? null,
  };
}
