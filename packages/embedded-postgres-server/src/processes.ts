/**
 * A pid is not enough to know a living process: another program may have it now.
 * A zombie (state Z) still answers to signal 0.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { errnoOf } from './embedded-postgres-error.ts';

/** `started` is only compared; '' on systems that do not tell it. */
export type ProcessIdentity = { pid: number; started: string };

/** `command` is the argument list; undefined on systems that do not tell it. */
export type LivingProcess = ProcessIdentity & { command: readonly string[] | undefined };

/** Undefined for a dead process or a zombie. */
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

export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, started: findProcess(process.pid)?.started ?? '' };
}

/** In doubt true: nothing of a living process may be taken over. */
export function isAlive(identity: ProcessIdentity): boolean {
  const found = findProcess(identity.pid);
  if (found === undefined) return false;
  return found.started === '' || identity.started === '' || found.started === identity.started;
}

/** Linux tells it for own processes and to root. */
export function findWorkingDirectory(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

/**
 * /proc/<pid>/stat: field 3 is the state, field 22 the start in ticks since boot. The name may hold spaces.
 */
function describeOnLinux(pid: number): LivingProcess | undefined {
  const stat = readIfPossible(`/proc/${pid}/stat`);
  if (stat === undefined) return { pid, started: '', command: undefined };
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
  // After a reboot another process may have the same pid and ticks.
  const boot = readIfPossible('/proc/sys/kernel/random/boot_id')?.trim() ?? '';
  const command = readIfPossible(`/proc/${pid}/cmdline`)?.split('\0').filter(Boolean);
  return { pid, started: `${boot}/${fields[19]}`, command };
}

/** macOS and BSD. A line of ps: `Ss Sat Nov 21 02:20:00 2026 /path/postgres -D /data`. */
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
