/**
 * Failed authentications: 20 a minute for one client address, then 429; a key that verified within the
 * hour still passes, so that a neighbour's noise behind one address stops nobody (decisions, section 5).
 * Counted in the process, on real time, in bounded tables.
 */

const windowMs = 60_000;
const failuresMax = 20;
const verifiedMs = 3_600_000;
const tableMax = 50_000;

export type AuthFailures = {
  /** Seconds to wait, or 0 when the address may try. */
  blockedFor(ip: string, now: Date): number;
  /** Whether the secret verified within the hour: then it is tried whatever its address. */
  isVerified(secret_hash: string, now: Date): boolean;
  failed(ip: string, now: Date): void;
  verified(secret_hash: string, now: Date): void;
};

export function countAuthFailures(): AuthFailures {
  const failures = new Map<string, { since: number; count: number }>();
  const verified = new Map<string, number>();
  const bound = (table: Map<string, unknown>) => {
    if (table.size >= tableMax) table.delete(table.keys().next().value as string);
  };
  return {
    blockedFor(ip, now) {
      const entry = failures.get(ip);
      if (!entry || entry.count < failuresMax) return 0;
      const left = entry.since + windowMs - now.getTime();
      if (left <= 0) {
        failures.delete(ip);
        return 0;
      }
      return Math.ceil(left / 1000);
    },
    isVerified: (secret_hash, now) => (verified.get(secret_hash) ?? 0) > now.getTime() - verifiedMs,
    failed(ip, now) {
      const entry = failures.get(ip);
      if (entry && now.getTime() - entry.since < windowMs) {
        entry.count += 1;
        return;
      }
      failures.delete(ip);
      bound(failures);
      failures.set(ip, { since: now.getTime(), count: 1 });
    },
    verified(secret_hash, now) {
      verified.delete(secret_hash);
      bound(verified);
      verified.set(secret_hash, now.getTime());
    },
  };
}
