/** The most memory that a process has held. Linux alone keeps it. */
import { readFileSync, writeFileSync } from 'node:fs';

/** From now on. Only this user's processes. */
export function forgetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    // No /proc: there is no peak to read either.
  }
}

/** In MB, of 1,000,000 bytes as the sizes of files; null where the system does not tell, or the process has ended. */
export function peakOf(pid: number): number | null {
  try {
    const [, kibibytes] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
    return kibibytes === undefined ? null : (Number(kibibytes) * 1024) / 1_000_000;
  } catch {
    return null;
  }
}
