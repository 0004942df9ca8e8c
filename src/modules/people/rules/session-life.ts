/** How long a session lasts, on real time. */

const hourMs = 3_600_000;

export const idleMs = 12 * hourMs;
export const wholeMs = 30 * 24 * hourMs;

/** last_seen_at is written at most so often. */
export const touchMs = 60_000;

/** What changes a person's account, or gives much away, needs a proof this young. */
export const proofMs = 10 * 60_000;

/** Between the password and the second proof. */
export const halfMs = 10 * 60_000;

export function expiryOf(created_at: Date, seen_at: Date): Date {
  return new Date(Math.min(seen_at.getTime() + idleMs, created_at.getTime() + wholeMs));
}

/** How long a link opens. */
export const linkMs = {
  setup: 24 * hourMs,
  invitation: 7 * 24 * hourMs,
  reset: hourMs,
  sign_up: 24 * hourMs,
} as const;
