import assert from 'node:assert/strict';
import { type SpawnOptions, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** A busy machine may take a minute to load the service. */
const patienceMs = 240_000;

export type SpawnWish = Pick<SpawnOptions, 'cwd' | 'env' | 'uid' | 'gid'> & {
  /** In its own process group, which signals can reach as a whole; default false. */
  leads_group?: boolean;
  /** Errors go to the test's stderr instead of `stderr`; default false. */
  shows_errors?: boolean;
};

export class ServiceProcess {
  readonly pid: number;
  readonly #leads_group: boolean;
  readonly #end: Promise<number | null>;
  stdout = '';
  stderr = '';
  has_ended = false;

  /** @throws AssertionError when the command cannot be started */
  constructor(command: string, args: readonly string[], wish: SpawnWish) {
    const { leads_group = false, shows_errors = false, ...options } = wish;
    const child = spawn(command, args, {
      ...options,
      stdio: ['ignore', 'pipe', shows_errors ? 'inherit' : 'pipe'],
      detached: leads_group,
    });
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    const { promise, resolve } = Promise.withResolvers<number | null>();
    child.on('close', (code) => {
      this.has_ended = true;
      resolve(code);
    });
    assert.ok(child.pid);
    this.pid = child.pid;
    this.#leads_group = leads_group;
    this.#end = promise;
  }

  async says(pattern: RegExp): Promise<void> {
    for (let waited = 0; !pattern.test(this.stdout); waited += 10) {
      const told = `${this.stdout}\n${this.stderr}`;
      assert.ok(!this.has_ended, `it ended before it said ${pattern}:\n${told}`);
      assert.ok(waited < patienceMs, `it did not say ${pattern}:\n${told}`);
      await sleep(10);
    }
  }

  /** Null when a signal ended it. */
  exited(): Promise<number | null> {
    return this.#end;
  }

  signal(signal: NodeJS.Signals): void {
    if (!this.has_ended) tryKill(this.pid, signal);
  }

  /** Signals the whole group, as a terminal does. */
  signalGroup(signal: NodeJS.Signals): void {
    assert.ok(this.#leads_group);
    if (!this.has_ended) tryKill(-this.pid, signal);
  }

  /** Also kills its group, if it leads one, and waits for the end. */
  async kill(): Promise<void> {
    if (this.#leads_group) this.signalGroup('SIGKILL');
    else this.signal('SIGKILL');
    await this.#end;
  }
}

/** A process that has ended meanwhile is no error. */
export function tryKill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as { code?: string }).code !== 'ESRCH') throw error;
  }
}
