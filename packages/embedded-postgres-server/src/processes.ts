/**
 * Tells whether a process met earlier still lives. A pid alone is not enough: it may be reused by another
 * program, and a dead process that nobody reaped (state Z) still answers to signal 0. Deciding what a dead or
 * living process means is left to the callers.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { errnoOf } from './embedded-postgres-error.ts';

/** A process by pid and moment of birth. `started` is only compared; '' where the system does not tell it. */
export type ProcessIdentity = { pid: number; started: string };

/** A living process; `command` is its argument list, undefined where the system does not tell it. */
export type LivingProcess = ProcessIdentity & { command: readonly string[] | undefined };

/** Describes the process with this pid; undefined when it is dead, a zombie included. */
export function findProcess(pid: number): LivingProcess | undefined {
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: alive, but of another user.
    if (errnoOf(error) !== 'EPERM') return undefined;
  }
  if (process.platform === 'linux') return describeOnLinux(pid);
  if (process.platform === 'win32') return { pid, started: '', command: undefined };
  return describeWithPs(pid);
}

/** The identity of the running process. */
export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, started: findProcess(process.pid)?.started ?? '' };
}

/** Whether that very process still lives. In doubt the answer is yes: nothing of a living process is taken over. */
export function isAlive(identity: ProcessIdentity): boolean {
  const found = findProcess(identity.pid);
  if (found === undefined) return false;
  return found.started === '' || identity.started === '' || found.started === identity.started;
}

/** The current folder of a process, where the system tells it (Linux, own processes or as root). */
export function findWorkingDirectory(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

/** Field 3 of /proc/<pid>/stat is the state, field 22 the start in ticks since boot; the name before may hold spaces. */
function describeOnLinux(pid: number): LivingProcess | undefined {
  const stat = readIfPossible(`/proc/${pid}/stat`);
  if (stat === undefined) return { pid, started: '', command: undefined };
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
  // Ticks count from boot, so a process of before the last boot might share pid and ticks with one of now.
  const boot = readIfPossible('/proc/sys/kernel/random/boot_id')?.trim() ?? '';
  const command = readIfPossible(`/proc/${pid}/cmdline`)?.split('\0').filter(Boolean);
  return { pid, started: `${boot}/${fields[19]}`, command };
}

/** macOS and the BSDs: one line of ps, such as `Ss Sat Nov 21 02:20:00 2026 /path/postgres -D /data`. */
function describeWithPs(pid: number): LivingProcess | undefined {
  let line: string;
  try {
    line = execFileSync('ps', ['-ww', '-o', 'stat=,lstart=,command=', '-p', String(pid)], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return undefined;
  }
  const [state = '', ...rest] = line.split(/\s+/);
  if (line === '' || state.startsWith('Z')) return undefined;
  return { pid, started: rest.slice(0, 5).join(' '), command: rest.slice(5) };
}

function readIfPossible(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
