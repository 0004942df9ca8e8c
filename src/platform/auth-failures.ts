/**
 * Counts failed authentications in this process, on real time. After 20 a minute an address is refused. A key that
 * verified within the hour still passes, so a bad neighbour at its address does not stop it.
 */
import { boundTable, countInWindow } from './window-count.ts';

const failuresMax = 20;
const verifiedMs = 3_600_000;

export type AuthFailures = {
  /** Seconds to wait, or 0. */
  blockedFor(ip: string, now: Date): number;
  /** Within the hour; then its address does not matter. */
  isVerified(secret_hash: string, now: Date): boolean;
  failed(ip: string, now: Date): void;
  verified(secret_hash: string, now: Date): void;
};

export function countAuthFailures(): AuthFailures {
  const { blockedFor, add } = countInWindow(failuresMax);
  const verified = new Map<string, number>();
  return {
    blockedFor,
    failed: add,
    isVerified: (secret_hash, now) => (verified.get(secret_hash) ?? 0) > now.getTime() - verifiedMs,
    verified(secret_hash, now) {
      verified.delete(secret_hash);
      boundTable(verified);
      verified.set(secret_hash, now.getTime());
    },
  };
}
