/** The measured processes: the service as users start it, and the bare servers. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { devNull } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export type Child = {
  url: string;
  pid: number;
  /** In MB; null on a system without `ps`. */
  resident(): number | null;
  stop(): Promise<void>;
};

const root = fileURLToPath(new URL('..', import.meta.url));
const folio = fileURLToPath(new URL('../src/main/folio.cjs', import.meta.url));
export const bareServer = fileURLToPath(new URL('./bare-server.ts', import.meta.url));
export const bareStart = fileURLToPath(new URL('./bare-start.ts', import.meta.url));
export const bareOutbox = fileURLToPath(new URL('./bare-outbox.ts', import.meta.url));
export const hostileScript = fileURLToPath(new URL('./hostile.ts', import.meta.url));
export const traceCollector = fileURLToPath(new URL('./trace-collector.ts', import.meta.url));
export const bareCopy = fileURLToPath(new URL('./bare-copy.ts', import.meta.url));
export const bareNotify = fileURLToPath(new URL('./bare-notify.ts', import.meta.url));
export const webhookReceiver = fileURLToPath(new URL('./webhook-receiver.ts', import.meta.url));

/** The limiter runs, with limits that nobody reaches. */
const limits = JSON.stringify({ scale: [100_000_000, 100_000_000] });

/** Without the service's settings, and without those of a file. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(FOLIO_|DATABASE_|PORT$|HOST$)/.test(name));
  return { ...Object.fromEntries(kept), FOLIO_ENV_FILE: devNull };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

const running = new Set<ChildProcess>();

/** For a bench that fails or is interrupted. */
export async function stopChildren(): Promise<void> {
  await Promise.all([...running].map(stopChild));
}

async function launch(args: string[], env: Record<string, string>): Promise<Child> {
  const port = await freePort();
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...cleanEnvironment(), ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const url = `http://127.0.0.1:${port}`;
  const made = {
    url,
    pid: child.pid!,
    resident: () => residentMegabytes(child),
    stop: () => stopChild(child),
  };
  try {
    await untilReady(child, `${url}/readyz`);
  } catch (error) {
    await made.stop();
    throw error;
  }
  return made;
}

const patienceMs = 60_000;

async function untilReady(child: ChildProcess, url: string): Promise<void> {
  const until = performance.now() + patienceMs;
  while (performance.now() < until) {
    if (child.exitCode !== null) throw new Error(`The process to measure ended with code ${child.exitCode}.`);
    const answer = await fetch(url).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.status === 200) return;
    await wait(3);
  }
  throw new Error('The process to measure is not ready after a minute.');
}

function residentMegabytes(child: ChildProcess): number | null {
  try {
    return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' })) / 1024;
  } catch {
    return null;
  }
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 15_000);
  await ended;
  clearTimeout(timer);
}

/** Answers over its own channel (talk.ts). */
export type Helper = {
  /** Rejects when the process reports an error or ends. */
  ask<T>(question: object): Promise<T>;
  stop(): Promise<void>;
};

/** Waits for the script's first word, `begun`. */
export async function startHelper<B>(
  script: string,
  env: Record<string, string>,
): Promise<Helper & { begun: B }> {
  const child = spawn(process.execPath, [script], {
    cwd: root,
    env: { ...cleanEnvironment(), ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  running.add(child);
  const waiting: PromiseWithResolvers<unknown>[] = [];
  const next = () => {
    const one = Promise.withResolvers<unknown>();
    waiting.push(one);
    return one.promise;
  };
  child.on('message', ({ answer, error }: { answer?: unknown; error?: string }) => {
    const one = waiting.shift();
    if (error === undefined) one?.resolve(answer);
    else one?.reject(new Error(error));
  });
  child.once('exit', () => {
    running.delete(child);
    for (const one of waiting.splice(0)) one.reject(new Error(`${script} ended.`));
  });
  const begun = (await next()) as B;
  return {
    begun,
    ask<T>(question: object) {
      child.send(question);
      return next() as Promise<T>;
    },
    stop: () => stopChild(child),
  };
}

/**
 * Waits until the service is ready.
 * @param profile_dir gets the processor profile when the service ends
 * @param role `api` does no background work
 * @param more options of `serve`
 */
export function startFolio(
  data_dir: string,
  profile_dir?: string,
  role: 'all' | 'api' = 'all',
  env: Record<string, string> = {},
  more: readonly string[] = [],
): Promise<Child> {
  const profile = profile_dir === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', profile_dir];
  return launch([...profile, folio, 'serve', '--role', role, ...more], {
    FOLIO_DATA_DIR: data_dir,
    FOLIO_RATE_LIMITS: limits,
    FOLIO_LOG_LEVEL: 'warn',
    ...env,
  });
}

/** Runs a command of the service to its end. @throws when it fails */
export function runFolio(data_dir: string, words: readonly string[]): Promise<void> {
  return runHere([folio, ...words], { FOLIO_DATA_DIR: data_dir });
}

/** Runs a program to its end. @throws when it fails */
export async function runHere(args: readonly string[], env: Record<string, string>): Promise<void> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...cleanEnvironment(), ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  running.add(child);
  const [code] = (await once(child, 'exit')) as [number | null];
  running.delete(child);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}.`);
}

/** Of traces. */
export function startCollector(): Promise<Child> {
  return launch([traceCollector], {});
}

export function startBare(script: string, target: object): Promise<Child> {
  return launch([script], { BENCH_TARGET: JSON.stringify(target) });
}
