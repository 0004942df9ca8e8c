/** Folio as people run it. Processes and database end with the test. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type EmbeddedPostgres, findProcess } from 'embedded-postgres-server';
import { startFolioPostgres } from '../../src/platform/folio-postgres.ts';
import { findFreePort } from './free-port.ts';
import { roomyHeap } from './roomy-heap.ts';
import { ServiceProcess, tryKill } from './service-process.ts';
import { copyCluster, makeEnterableFolder } from './test-database.ts';

export const projectRoot = fileURLToPath(new URL('../..', import.meta.url));
const { FOLIO_TEST_PROGRAM, FOLIO_TEST_COMMANDS } = process.env;
/** Words after `node`. A whole run has it as a bundle, which loads faster. */
export const program: readonly string[] = FOLIO_TEST_PROGRAM
  ? [...roomyHeap, FOLIO_TEST_PROGRAM]
  : [join(projectRoot, 'src/main/folio.ts')];
/** The same for many commands in one process. */
const program_of_all = FOLIO_TEST_COMMANDS
  ? [...roomyHeap, FOLIO_TEST_COMMANDS]
  : [fileURLToPath(new URL('./many-commands.ts', import.meta.url))];

/** What a process needs or what makes its start fast. */
function bareEnvironment(): Record<string, string> {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'LANG', 'NODE_COMPILE_CACHE'];
  return Object.fromEntries(kept.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

/** `code` is null when a signal ended it. */
export type Ended = { code: number | null; stdout: string; stderr: string };

export class Installation {
  readonly data_dir: string;
  readonly port: number;
  readonly #settings: Record<string, string>;
  readonly #running = new Set<ServiceProcess>();
  #kept: EmbeddedPostgres | undefined;

  private constructor(data_dir: string, port: number, settings: Record<string, string>) {
    this.data_dir = data_dir;
    this.port = port;
    this.#settings = settings;
  }

  static async make(t: TestContext, settings: Record<string, string> = {}): Promise<Installation> {
    const dir = makeEnterableFolder('folio-process-');
    const made = new Installation(join(dir, 'data'), await findFreePort(), settings);
    t.after(async () => {
      for (const process of made.#running) await process.kill();
      await made.#kept?.stop();
      await made.endDatabase();
      // What a killed server leaves behind may write for a moment.
      rmSync(dir, { recursive: true, force: true, maxRetries: 10 });
    });
    return made;
  }

  /** For a test whose subject is not the first start: its database is a copy of one that was migrated. */
  static async makeMigrated(t: TestContext, settings: Record<string, string> = {}): Promise<Installation> {
    const made = await Installation.make(t, settings);
    const { FOLIO_TEST_INSTALLED: installed } = process.env;
    if (installed) copyCluster(installed, made.data_dir);
    return made;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  environment(env: Record<string, string> = {}): Record<string, string> {
    const own = {
      PORT: String(this.port),
      FOLIO_DATA_DIR: this.data_dir,
      FOLIO_RATE_LIMITS: 'off',
      FOLIO_LOG_LEVEL: 'warn',
      // Not the settings of who runs the tests.
      FOLIO_ENV_FILE: devNull,
    };
    return { ...bareEnvironment(), ...own, ...this.#settings, ...env };
  }

  spawnService(options: { env?: Record<string, string>; args?: string[] } = {}): ServiceProcess {
    return this.begin(['serve', ...(options.args ?? [])], options.env);
  }

  spawn(command: string, args: string[], env: Record<string, string> = {}): ServiceProcess {
    const started = new ServiceProcess(command, args, {
      cwd: projectRoot,
      env: this.environment(env),
      leads_group: true,
    });
    this.#running.add(started);
    return started;
  }

  async start(options: { env?: Record<string, string>; args?: string[] } = {}): Promise<ServiceProcess> {
    const service = this.spawnService(options);
    await service.says(/Folio listens on \S+ /);
    return service;
  }

  /** A command that goes on meanwhile. */
  begin(args: string[], env: Record<string, string> = {}): ServiceProcess {
    return this.spawn(process.execPath, [...program, ...args], env);
  }

  async run(args: string[], env: Record<string, string> = {}): Promise<Ended> {
    const command = this.begin(args, env);
    const code = await command.exited();
    return { code, stdout: command.stdout, stderr: command.stderr };
  }

  /** In one process, one after the other. */
  async runAll(commands: readonly (readonly string[])[]): Promise<Ended[]> {
    const process_of_all = this.spawn(process.execPath, [...program_of_all, JSON.stringify(commands)]);
    assert.equal(await process_of_all.exited(), 0, process_of_all.stderr);
    const results = JSON.parse(process_of_all.stdout) as Ended[];
    assert.equal(results.length, commands.length);
    return results;
  }

  /** Until the test ends, for commands that come one after the other: else each starts and stops it. */
  async keepDatabase(): Promise<void> {
    this.#kept ??= await startFolioPostgres({ data_dir: this.data_dir, log: () => undefined });
  }

  databasePid(): number | undefined {
    const file = join(this.data_dir, 'postgres', 'postmaster.pid');
    if (!existsSync(file)) return undefined;
    const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
    return isServer(pid) ? pid : undefined;
  }

  async killDatabase(): Promise<void> {
    const pid = this.databasePid();
    if (pid !== undefined) tryKill(pid, 'SIGKILL');
  }

  async endDatabase(): Promise<void> {
    const pid = this.databasePid();
    if (pid === undefined) return;
    tryKill(pid, 'SIGINT');
    for (let waited = 0; waited < 10_000 && isServer(pid); waited += 20) await sleep(20);
    if (isServer(pid)) tryKill(pid, 'SIGKILL');
  }
}

/** The pid file may outlive the server, and the system reuses ids. */
function isServer(pid: number): boolean {
  const found = findProcess(pid);
  return found !== undefined && (found.command === undefined || /postgres/.test(found.command[0] ?? ''));
}

export type Keys = { company_id: string; sandbox_company_id: string; live_key: string; test_key: string };

const companyArgs = (tax_id: string): readonly string[] => [
  'company',
  'create',
  '--name',
  'Acme SL',
  '--tax-id',
  tax_id,
  '--plan',
  'scale',
  '--json',
];

function keysOf({ code, stdout, stderr }: Ended): Keys {
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout) as Keys;
}

export async function createCompany(place: Installation, tax_id = 'B12345674'): Promise<Keys> {
  return keysOf(await place.run([...companyArgs(tax_id)]));
}

/** In one process. */
export async function createCompanies(place: Installation, tax_ids: readonly string[]): Promise<Keys[]> {
  return (await place.runAll(tax_ids.map(companyArgs))).map(keysOf);
}
