/**
 * A PostgreSQL server as a provider runs it: one address that stays, and behind it a server that may stop, hang, become
 * a standby or be replaced.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect as dial, createServer, type Server, type Socket } from 'node:net';
import { basename, join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProcess } from 'embedded-postgres-server';
import type { Sql } from 'postgres';
import { connect } from '../../src/platform/db.ts';
import { makeEnterableFolder, startTestServer } from './test-database.ts';
import { until } from './worker-place.ts';

type Owner = { uid: number; gid: number };
type Program = { command: string; args: readonly string[]; owner: Owner };

export class ManagedDatabase {
  readonly dir: string;
  readonly port: number;
  readonly #program: Program;
  readonly #sockets: string;
  readonly #wires = new Set<Socket>();
  #server: ChildProcess | undefined;
  /** False: who connects is left without an answer. */
  #answers = true;

  private constructor(dir: string, front: Server, program: Program) {
    this.dir = dir;
    this.port = (front.address() as AddressInfo).port;
    this.#program = program;
    this.#sockets = join(dir, 'sockets');
    mkdirSync(this.#sockets);
    this.giveToServer(this.#sockets);
    front.on('connection', (client) => this.#join(client));
  }

  static async make(t: TestContext): Promise<ManagedDatabase> {
    const dir = makeEnterableFolder('folio-managed-');
    const front = createServer().listen(0, '127.0.0.1');
    await once(front, 'listening');
    const made = new ManagedDatabase(dir, front, await initialise(join(dir, 'data')));
    t.after(async () => {
      front.close();
      made.cutWires();
      await made.stop('SIGQUIT');
      // What a killed server leaves behind may write for a moment.
      rmSync(dir, { recursive: true, force: true, maxRetries: 10 });
    });
    await made.start();
    return made;
  }

  get pgdata(): string {
    return join(this.dir, 'data', 'postgres');
  }

  url(user: string, database: string): string {
    return `postgres://${user}:secret@127.0.0.1:${this.port}/${database}`;
  }

  giveToServer(path: string): void {
    chownSync(path, this.#program.owner.uid, this.#program.owner.gid);
  }

  /** As the superuser, past the front. */
  async ask<T extends object>(text: string, database = 'postgres'): Promise<T[]> {
    const sql: Sql = connect({
      target: { host: this.#sockets, port: 5432, user: 'postgres', database } as never,
      pool_size: 1,
      role: null,
    });
    try {
      return [...(await sql.unsafe<T[]>(text))];
    } finally {
      await sql.end({ timeout: 1 });
    }
  }

  async start({ as_standby = false } = {}): Promise<void> {
    if (as_standby) {
      const signal = join(this.pgdata, 'standby.signal');
      writeFileSync(signal, '');
      this.giveToServer(signal);
    }
    const { command, args, owner } = this.#program;
    const listening = ['-c', `unix_socket_directories=${this.#sockets}`];
    const is_root = process.getuid?.() === 0;
    this.#server = spawn(command, [...args, ...listening], {
      stdio: 'ignore',
      cwd: '/',
      env: { LC_ALL: 'C', TZ: 'UTC' },
      ...(is_root ? owner : {}),
    });
    await until(() =>
      this.ask('select 1').then(
        () => true,
        // Each try is a new client, and the server is not here sooner for many.
        () => sleep(20, false),
      ),
    );
  }

  /** SIGTERM waits for the sessions to end, SIGINT ends them. */
  async stop(signal: 'SIGTERM' | 'SIGINT' | 'SIGQUIT'): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    server.kill(signal);
    await until(() => server.exitCode !== null || server.signalCode !== null).catch((error: unknown) => {
      server.kill('SIGQUIT');
      throw error;
    });
  }

  /** What is connected hangs for ever, and so does who connects until `unhang`. */
  hang(): void {
    this.#answers = false;
    for (const wire of this.#wires) wire.pause().unpipe();
  }

  unhang(): void {
    this.#answers = true;
  }

  cutWires(): void {
    for (const wire of this.#wires) wire.destroy();
  }

  #join(client: Socket): void {
    this.#wires.add(client.on('error', () => client.destroy()));
    client.on('close', () => this.#wires.delete(client));
    if (!this.#answers) return void client.pause();
    const server = dial(join(this.#sockets, '.s.PGSQL.5432'));
    this.#wires.add(server.on('error', () => client.destroy()));
    server.on('close', () => this.#wires.delete(server) && client.destroy());
    client.on('close', () => server.destroy());
    client.pipe(server).pipe(client);
  }
}

/** Makes the data folder. @returns how its server is started */
async function initialise(data_dir: string): Promise<Program> {
  const first = await startTestServer(data_dir);
  const [command, ...args] = findProcess(first.pid)?.command ?? [];
  assert.ok(command && /^postgres/.test(basename(command)));
  await first.stop();
  const { uid, gid } = statSync(join(data_dir, 'postgres'));
  return { command, args, owner: { uid, gid } };
}
