/** The commands of docs/backup.md that bring a PostgreSQL of one's own back to a second of the past, and what Folio finds then. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Sql } from 'postgres';
import { request } from 'undici';
import { connect } from '../../src/platform/db.ts';
import { certificateFile, certificatePath, filePassword } from '../support/company-certificates.ts';
import { createCompanies, Installation, type Keys, projectRoot } from '../support/installation.ts';
import { assertAllKept, listInvoices } from '../support/keep-issuing.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { makeEnterableFolder } from '../support/test-database.ts';
import { until } from '../support/worker-place.ts';

const page = readFileSync(join(projectRoot, 'docs/backup.md'), 'utf8');
const section = page.split(/^(?=## )/m).find((part) => part.startsWith('## To another moment')) ?? '';
const blocks = [...section.matchAll(/^```(sql|sh)\n(.*?)^```$/gms)].map(([, , text = '']) => text);

/** Of a server with all its tools: the embedded one has none. Folio needs version 15. */
function findTools(): string | undefined {
  const folders = globSync(['/usr/lib/postgresql/*/bin', '/usr/pgsql-*/bin']).sort().reverse();
  return folders.find((folder) => {
    if (!['initdb', 'postgres', 'pg_basebackup'].every((tool) => existsSync(join(folder, tool))))
      return false;
    const told = spawnSync(join(folder, 'postgres'), ['--version'], { encoding: 'utf8' }).stdout;
    return Number(/ (\d+)/.exec(told)?.[1]) >= 15;
  });
}

const tools = process.platform === 'linux' ? findTools() : undefined;

/** Root runs no server. */
function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (kind: string) => Number(execFileSync('id', [kind, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** A server of the operator's own, with the places of the page in a folder of this test. */
class OwnServer {
  readonly dir = makeEnterableFolder('folio-moment-');
  readonly #user = serverUser();
  readonly #env = { PATH: `${tools}:${process.env.PATH}`, LC_ALL: 'C', PGUSER: 'postgres', PGHOST: this.dir };
  #running: ServiceProcess | undefined;

  constructor(t: TestContext) {
    for (const folder of ['', 'postgresql', 'backups', 'backups/wal']) {
      const path = join(this.dir, folder);
      mkdirSync(path, { recursive: true });
      if (this.#user) chownSync(path, this.#user.uid, this.#user.gid);
    }
    chmodSync(this.dir, 0o711);
    t.after(async () => {
      await this.#running?.kill();
      rmSync(this.dir, { recursive: true, force: true, maxRetries: 10 });
    });
  }

  url(user: string, database: string): string {
    return `postgres://${user}:secret@${encodeURIComponent(this.dir)}:5432/${database}`;
  }

  /** What the page says, with the places of this test. */
  here(text: string): string {
    return text
      .replaceAll('/var/backups/folio', join(this.dir, 'backups'))
      .replaceAll('/var/lib/postgresql', join(this.dir, 'postgresql'));
  }

  /** As the user of the server. */
  async run(script: string): Promise<void> {
    const ran = this.#spawn('bash', ['-euo', 'pipefail', '-c', script]);
    assert.equal(await ran.exited(), 0, ran.stderr);
  }

  async initialise(): Promise<void> {
    await this.run(
      `initdb --pgdata='${join(this.dir, 'postgresql/data')}' --username=postgres --auth=trust --no-sync >/dev/null`,
    );
  }

  async start(): Promise<void> {
    const settings = ['-h', '', '-k', this.dir, '-c', 'fsync=off', '-c', 'log_min_messages=fatal'];
    const data = ['-D', join(this.dir, 'postgresql/data')];
    this.#running = this.#spawn(join(tools!, 'postgres'), [...data, ...settings]);
    const answers = () =>
      this.ask<{ is_behind: boolean }>('select pg_is_in_recovery() as is_behind').then(
        ([row]) => row?.is_behind === false,
        () => false,
      );
    await until(async () => {
      assert.ok(!this.#running?.has_ended, this.#running?.stderr);
      return answers();
    });
  }

  /** It archives what it has. */
  async stop(): Promise<void> {
    this.#running?.signal('SIGINT');
    await this.#running?.exited();
  }

  async ask<T extends object>(text: string): Promise<T[]> {
    const target = { host: this.dir, port: 5432, user: 'postgres', database: 'postgres' };
    const sql: Sql = connect({ target: target as never, pool_size: 1, role: null });
    try {
      return [...(await sql.unsafe<T[]>(text))];
    } finally {
      await sql.end({ timeout: 1 });
    }
  }

  #spawn(command: string, args: string[]): ServiceProcess {
    return new ServiceProcess(command, args, {
      cwd: this.dir,
      env: this.#env,
      leads_group: true,
      ...this.#user,
    });
  }
}

async function call(
  place: Installation,
  key: string,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: object,
) {
  const response = await request(`${place.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.body.text();
  assert.ok(response.statusCode < 300, text);
  return JSON.parse(text).data;
}

/** As `npx folio` of the page. */
async function runLines(place: Installation, lines: readonly string[]): Promise<string[]> {
  const ended = await place.runAll(lines.map((line) => line.replace(/^npx folio /, '').split(' ')));
  for (const [i, { code, stdout, stderr }] of ended.entries())
    assert.deepEqual([code, stderr], [0, ''], `${lines[i]}: ${stdout}`);
  return ended.map(({ stdout }) => stdout);
}

test('given a server that archives its log, when the commands of the page bring it back to a second, then all until then is there, and the logs of events tell it', {
  skip: tools ? false : 'no PostgreSQL with its tools is installed here',
}, async (t) => {
  assert.equal(blocks.length, 4);
  const [archive = '', copy = '', back = '', after = ''] = blocks;
  const server = new OwnServer(t);
  await server.initialise();
  await server.start();
  for (const statement of server.here(archive).trim().split('\n')) await server.ask(statement);
  await server.ask(`create role folio_owner login createrole password 'secret'`);
  await server.ask('create database folio owner folio_owner');
  await server.stop();
  await server.start();

  const place = await Installation.make(t, {
    DATABASE_URL: server.url('folio_owner', 'folio'),
    FOLIO_SECRET_KEY: 'a secret key for the tests, 32 characters or more',
  });
  const service = await place.start();
  const [acme, logged] = (await createCompanies(place, ['B12345674', 'B00000018'])) as [Keys, Keys];
  const certificate = { pkcs12_base64: certificateFile({ tax_id: 'B00000018' }), password: filePassword };
  await call(place, logged.test_key, 'PUT', certificatePath, certificate);
  const mode = { enabled: true, remission_mode: 'no_verifactu' };
  await call(place, logged.test_key, 'PUT', '/v1/verifactu/settings', mode);
  const issued = new Map<string, string>();
  const issue = async () => {
    const lines = [{ description: 'Pan', unit_price: 2, tax_rate: 4 }];
    const body = { type: 'F2', lines, options: { issue: true } };
    const { id, number } = await call(place, acme.live_key, 'POST', '/v1/invoices', body);
    return [id, number] as const;
  };
  const keep = async () => issued.set(...(await issue()));
  await keep();
  await server.run(server.here(copy));
  await keep();
  const [moment] = await server.ask<{ at: string }>('select clock_timestamp()::text as at');
  await issue();
  service.signal('SIGTERM');
  await service.exited();
  await server.stop();

  const of_page = '2026-11-23 09:19:47+00';
  assert.ok(back.includes(of_page));
  await server.run(server.here(back).replace(of_page, moment!.at));
  await server.start();
  const told = await runLines(place, after.trim().split('\n'));
  assert.equal(told[0], 'The logs of events of 1 company tell of it.\n');
  assert.match(told[1]!, /^4 of 4 companies are intact/);

  await place.start();
  await assertAllKept(place.url, acme.live_key, issued);
  const events = await call(place, logged.test_key, 'GET', '/v1/verifactu/events');
  assert.equal(events.filter(({ type }: { type: string }) => type === '07').length, 1);
  await keep();
  assert.equal((await listInvoices(place.url, acme.live_key)).length, issued.size);
});
