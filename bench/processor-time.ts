/** Processor time of a process and all that it started, as Linux counts it. */
import { readdirSync, readFileSync } from 'node:fs';

const ticksPerSecond = 100;

type Entry = { parent: number; ticks: number };

function readEntry(pid: string): Entry | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name may hold spaces and parentheses; state and parent follow it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // Fields 14 to 17 of proc(5): its own time, and that of children that have ended.
    const ticks = fields.slice(11, 15).reduce((sum, text) => sum + Number(text), 0);
    return { parent: Number(fields[1]), ticks };
  } catch {
    return undefined;
  }
}

/** @returns seconds, or null on a system without /proc */
export function processorSeconds(root: number): number | null {
  if (process.platform !== 'linux') return null;
  const entries = new Map<number, Entry>();
  for (const name of readdirSync('/proc')) {
    const entry = /^\d+$/.test(name) ? readEntry(name) : undefined;
    if (entry) entries.set(Number(name), entry);
  }
  const isBelow = (pid: number): boolean => {
    for (let at: number | undefined = pid; at !== undefined && at > 0; at = entries.get(at)?.parent)
      if (at === root) return true;
    return false;
  };
  const ticks = [...entries].reduce((sum, [pid, entry]) => sum + (isBelow(pid) ? entry.ticks : 0), 0);
  return ticks / ticksPerSecond;
}
