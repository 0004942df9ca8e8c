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
      const left = entry.since + windowMs - now.getTime();
      if (left <= 0) {
        counts.delete(name);
        return 0;
      }
      return Math.ceil(left / 1000);
    },
    add(name, now) {
      const entry = counts.get(name);
      if (entry && now.getTime() - entry.since < windowMs) {
        entry.count += 1;
        return;
      }
      counts.delete(name);
      boundTable(counts);
      counts.set(name, { since: now.getTime(), count: 1 });
    },
  };
}

export function boundTable(table: Map<string, unknown>): void {
  if (table.size >= tableMax) table.delete(table.keys().next().value as string);
}
