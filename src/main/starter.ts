/**
 * The npm that started this process. npm passes SIGTERM to its shell, which ends without passing it on; a killed npm
 * passes nothing. So the end of npm, or of its shell, is a request to stop.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { firstParent } from './first-parent.ts';

const program = 'src/main/folio.';
const pollMs = 250;
const shells = ['sh', 'dash', 'ash', 'bash', 'zsh'];

/**
 * Does nothing for a process that npm did not start: it may outlive who started it.
 * @returns what ends the watch
 */
export function watchStarter(onGone: () => void): () => void {
  if (!isOfNpm(process.env)) return () => undefined;
  const parent = firstParent;
  const watched = [parent];
  void findNpmOf(parent).then((npm) => {
    if (npm === 'gone') onGone();
    else if (npm !== undefined) watched.push(npm);
  });
  const timer = setInterval(() => {
    // Windows leaves the id of a dead parent.
    if (process.ppid === parent && watched.every(exists)) return;
    clearInterval(timer);
    onGone();
  }, pollMs).unref();
  return () => clearInterval(timer);
}

/** As a script of package.json, or as `npx folio`. */
function isOfNpm({ npm_lifecycle_script: script = '', npm_lifecycle_event: event }: NodeJS.ProcessEnv) {
  return script.includes(program) || (event === 'npx' && /^'?folio\b/.test(script));
}

/**
 * Whether a process of this command line can be the npm that started the service, or the shell between. If npm died
 * before the service looked, it cannot: the service then belongs to the system's first process.
 */
export function isStarter(command: readonly string[]): boolean {
  const line = command.join(' ');
  return (
    line.includes(program) ||
    /(^|\s)'?folio'?(\s|$)/.test(line) ||
    /^(npm|npx|node|yarn|pnpm|bun)/.test(basename(line.split(' ')[0] ?? ''))
  );
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: of another user.
    return (error as { code?: string }).code !== 'ESRCH';
  }
  return process.platform !== 'linux' || !isZombie(pid);
}

/** It has ended, but whoever started it has not asked how. It still answers to signal 0. */
function isZombie(pid: number): boolean {
  try {
    return statOf(pid)[0] === 'Z';
  } catch {
    return false;
  }
}

/** Linux: state, parent, and more. */
function statOf(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name before them may hold spaces and parentheses.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Undefined when the parent is npm itself (some shells make way for their command), or when it cannot be found. */
async function findNpmOf(parent: number): Promise<number | 'gone' | undefined> {
  try {
    const { ppid, command } = await describe(parent);
    if (process.platform === 'linux' && !isStarter(command)) return 'gone';
    const is_shell = shells.includes(basename(command[0] ?? '')) && command.includes('-c');
    if (!is_shell && process.platform !== 'win32') return undefined;
    if (process.platform === 'linux') return (await hasAdopted(ppid)) ? 'gone' : ppid;
    return ppid > 1 ? ppid : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the shell's npm died before this process looked. False for a process that cannot be read. */
async function hasAdopted(pid: number): Promise<boolean> {
  if (!exists(pid)) return true;
  const told = await describe(pid).catch(() => undefined);
  return told !== undefined && !isStarter(told.command);
}

async function describe(pid: number): Promise<{ ppid: number; command: string[] }> {
  if (process.platform === 'linux') {
    const ppid = Number(statOf(pid)[1]);
    return { ppid, command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0') };
  }
  const run = promisify(execFile);
  if (process.platform === 'win32') {
    // npm always starts cmd.exe. Written from the manual, never run.
    const query = `(Get-CimInstance Win32_Process -Filter 'ProcessId=${pid}').ParentProcessId`;
    const { stdout } = await run('powershell.exe', ['-NoProfile', '-Command', query], { windowsHide: true });
    return { ppid: Number(stdout.trim()), command: [] };
  }
  const { stdout } = await run('ps', ['-ww', '-o', 'ppid=,command=', '-p', String(pid)]);
  const [ppid, ...command] = stdout.trim().split(/\s+/);
  return { ppid: Number(ppid), command };
}
