/** Counts what each name does within a minute, in this process. */

const windowMs = 60_000;
const tableMax = 50_000;

export type WindowCount = {
  /** Seconds to wait, or 0. */
  blockedFor(name: string, now: Date): number;
  add(name: string, now: Date): void;
};

/** @param most within a minute of the first time */
export function countInWindow(most: number): WindowCount {
  const counts = new Map<string, { since: number; count: number }>();
  return {
    blockedFor(name, now) {
      const entry = counts.get(name);
      if (!entry || entry.count < most) return 0;
      if (!isOf(entry.since, now)) {
        counts.delete(name);
        return 0;
      }
      return Math.ceil((entry.since + windowMs - now.getTime()) / 1000);
    },
    add(name, now) {
      const entry = counts.get(name);
      if (entry && isOf(entry.since, now)) {
        entry.count += 1;
        return;
      }
      counts.delete(name);
      boundTable(counts);
      counts.set(name, { since: now.getTime(), count: 1 });
    },
  };
}

/** A clock that was set back is before the window. Without this nobody could pass until it has caught up. */
function isOf(since: number, now: Date): boolean {
  const age = now.getTime() - since;
  return age >= 0 && age < windowMs;
}

export function boundTable(table: Map<string, unknown>): void {
  if (table.size >= tableMax) table.delete(table.keys().next().value as string);
}
