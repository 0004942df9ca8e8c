/**
 * The server's life and deaths: nothing acknowledged is lost, nothing stays half made.
 * Runs as root and as any other user.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { isRoot } from './database-user.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { findProcess } from './processes.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './start-embedded-postgres.ts';

const program = {
  id: 'ledger',
  name: 'Ledger',
  use_other_server: 'set LEDGER_DATABASE to a PostgreSQL server',
  use_other_folder: 'choose another folder with LEDGER_DATA',
};
// The thousand files of a database cost a disk's file system ten times what they cost memory.
const root = mkdtempSync(join(hasRoom('/dev/shm') ? '/dev/shm' : tmpdir(), 'embedded-test-'));
// Programs may lie here, and the system may refuse to run any that lie in memory.
const shared_root = mkdtempSync(join(tmpdir(), 'embedded-shared-'));
for (const dir of [root, shared_root]) chmodSync(dir, 0o711);
const servers: EmbeddedPostgres[] = [];
const children: ChildProcess[] = [];
after(async () => {
  for (const child of children) child.kill('SIGKILL');
  for (const server of servers) await server.stop();
  // What a killed server leaves behind may write for a moment.
  for (const dir of [root, shared_root]) rmSync(dir, { recursive: true, force: true, maxRetries: 10 });
});

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > 3 * 1024 ** 3;
  } catch {
    return false;
  }
}

const lines: string[] = [];

async function start(data_dir: string, durable = true): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({
    data_dir,
    program,
    durable,
    log: (line) => lines.push(line),
    shared_root,
  });
  servers.push(server);
  return server;
}

let empty: Promise<string> | undefined;

/** A folder with a copy of an empty database, for a test whose subject is not how one is made. */
async function givenDatabase(name: string): Promise<string> {
  empty ??= (async () => {
    const data_dir = join(root, 'empty');
    await (await start(data_dir, false)).stop();
    return data_dir;
  })();
  const data_dir = join(root, name);
  mkdirSync(data_dir);
  chmodSync(data_dir, 0o711);
  cpSync(join(await empty, 'postgres'), join(data_dir, 'postgres'), { recursive: true });
  return data_dir;
}

async function startInChild(data_dir: string, durable = true): Promise<{ child: ChildProcess; pid: number }> {
  const module = new URL('./start-embedded-postgres.ts', import.meta.url).href;
  const script = `
    const { startEmbeddedPostgres } = await import(${JSON.stringify(module)});
    const server = await startEmbeddedPostgres({
      data_dir: ${JSON.stringify(data_dir)}, program: ${JSON.stringify(program)}, durable: ${durable}, log: () => {} });
    console.log(server.pid);
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  children.push(child);
  for await (const line of createInterface({ input: child.stdout })) return { child, pid: Number(line) };
  throw new Error('the child ended without starting a server');
}

/** Kills the process group, as a closed terminal does. */
async function killHard(child: ChildProcess): Promise<void> {
  assert.ok(child.pid);
  process.kill(-child.pid, 'SIGKILL');
  await once(child, 'exit');
}

async function ask(server: EmbeddedPostgres, query: string): Promise<unknown[]> {
  const sql = postgres({ ...server.connection('postgres', 'postgres'), max: 1 });
  try {
    return (await sql.unsafe(query).values()).map((row) => row[0]);
  } finally {
    await sql.end();
  }
}

function readSocketFolder(data_dir: string): string {
  return readFileSync(join(data_dir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[4] ?? '';
}

const MAKE_ROW = `create table notes (text text); insert into notes values ('kept')`;
const READ_ROWS = 'select text from notes order by text';

test('given an empty folder, when started, stopped and started again, then the row written before is there', async () => {
  const data_dir = join(root, 'fresh');
  const first = await start(data_dir);
  assert.equal(first.adopted, false);
  await ask(first, MAKE_ROW);
  assert.deepEqual(await ask(first, 'show listen_addresses'), ['']);
  assert.deepEqual(await ask(first, 'show timezone'), ['UTC']);
  assert.deepEqual(await ask(first, 'show fsync'), ['on']);
  assert.equal(statSync(first.socket_dir ?? '').mode & 0o777, 0o700);

  await Promise.all([first.stop(), first.stop()]);
  await first.stop();
  assert.equal((await first.exited).expected, true);
  assert.equal(findProcess(first.pid), undefined);
  assert.equal(existsSync(first.socket_dir ?? ''), false);

  const second = await start(data_dir);
  assert.equal(second.adopted, false);
  assert.deepEqual(await ask(second, READ_ROWS), ['kept']);
  await second.stop();
  assert.deepEqual(readdirSync(data_dir).sort(), ['postgres', 'postgres.log']);
});

test('given a Node process killed hard, when started, then its server is adopted, and stop() ends it', async () => {
  const data_dir = await givenDatabase('orphaned');
  const { child, pid } = await startInChild(data_dir);
  await killHard(child);

  const server = await start(data_dir);
  assert.deepEqual({ adopted: server.adopted, pid: server.pid }, { adopted: true, pid });
  await ask(server, MAKE_ROW);
  await server.stop();
  assert.equal((await server.exited).expected, true);
  assert.equal(findProcess(pid), undefined);

  const again = await start(data_dir);
  assert.equal(again.adopted, false);
  assert.deepEqual(await ask(again, READ_ROWS), ['kept']);
  await again.stop();
});

test('given a server killed hard, when started, then it recovers all that was acknowledged', async () => {
  const data_dir = await givenDatabase('crashed');
  const first = await start(data_dir);
  await ask(first, 'create table numbers (n int)');
  const sql = postgres({ ...first.connection('postgres', 'postgres'), max: 1 });
  const acknowledged: number[] = [];
  const writing = (async () => {
    for (let n = 1; ; n += 1) {
      await sql`insert into numbers values (${n})`;
      acknowledged.push(n);
      if (n === 100) process.kill(first.pid, 'SIGKILL');
    }
  })();
  const [exit] = await Promise.all([first.exited, assert.rejects(writing)]);
  await sql.end({ timeout: 0 });
  assert.equal(exit.expected, false);
  assert.match(exit.message, /ended by itself/);
  await first.stop();

  const second = await start(data_dir);
  assert.equal(second.adopted, false);
  const kept = new Set(await ask(second, 'select n from numbers'));
  assert.ok(acknowledged.length >= 100);
  assert.deepEqual(
    acknowledged.filter((n) => !kept.has(n)),
    [],
  );
  assert.equal(existsSync(first.socket_dir ?? ''), false, 'the socket folder of the dead server is removed');
  await second.stop();
});

/** What a server is told, so that it takes no new connections and old ones live on. */
const halfDeaths = [
  ['SIGTERM, its smart shutdown', (server: EmbeddedPostgres) => process.kill(server.pid, 'SIGTERM')],
  ['SIGSTOP, which halts it', (server: EmbeddedPostgres) => process.kill(server.pid, 'SIGSTOP')],
  [
    'the loss of its socket',
    (server: EmbeddedPostgres) => rmSync(join(server.socket_dir ?? '', `.s.PGSQL.${server.port}`)),
  ],
] as const;
for (const [what, strike] of halfDeaths) {
  test(`given a session, when the server gets ${what}, then it is ended, and another start goes on with the data`, async () => {
    const data_dir = await givenDatabase(`half-dead-${what.length}`);
    const first = await start(data_dir, false);
    await ask(first, MAKE_ROW);
    const session = postgres({ ...first.connection('postgres', 'postgres'), max: 1 });
    await session`select 1`;
    strike(first);
    assert.deepEqual(
      [...(await session`select text from notes`)],
      [{ text: 'kept' }],
      'old sessions live on',
    );

    const exit = await first.exited;
    assert.equal(exit.expected, false);
    assert.match(exit.message, /took no new connections and was ended/);
    await session.end({ timeout: 0 });
    await first.stop();
    const second = await start(data_dir, false);
    assert.notEqual(second.pid, first.pid);
    assert.deepEqual(await ask(second, READ_ROWS), ['kept']);
    await second.stop();
  });
}

test('given a server that answers, when it is watched, then seconds lie between new connections', async () => {
  const server = await start(await givenDatabase('asked'), false);
  const session = postgres({ ...server.connection('postgres', 'postgres'), max: 1 });
  const countSessions = async () => {
    // What a session tells of itself is kept from then on.
    await session`select pg_stat_force_next_flush()`;
    const [row] = await session<{ count: number }[]>`
      select sessions::integer as count from pg_stat_database where datname = 'postgres'`;
    return row!.count;
  };
  await countSessions();
  const begun_at = performance.now();
  const before = await countSessions();
  await sleep(4000);
  const more = (await countSessions()) - before;
  // Some of them begin and end with five seconds in between, so a busy machine may see another one in the time it takes.
  const seconds = (performance.now() - begun_at) / 1000;
  assert.ok(more <= 1 + Math.floor(seconds / 5), `${more} connections in ${seconds} seconds`);
  await session.end();
  await server.stop();
});

test('given a server of others that is shutting down and waits for them, when started, then it is started anew', async () => {
  const data_dir = await givenDatabase('stopping');
  const { child, pid } = await startInChild(data_dir, false);
  // Nobody watches the server meanwhile.
  process.kill(child.pid ?? 0, 'SIGSTOP');
  const place = { host: readSocketFolder(data_dir), port: 5432, user: 'postgres', database: 'postgres' };
  const session = postgres({ ...place, max: 1 });
  await session`select 1`;
  process.kill(pid, 'SIGTERM');
  const server = await start(data_dir, false);
  assert.notEqual(server.pid, pid);
  assert.deepEqual(await ask(server, 'select 1'), [1]);
  await session.end({ timeout: 0 });
  await killHard(child);
  await server.stop();
});

test('given a postmaster.pid that names another living program, when started, then that program is left alone', async () => {
  const data_dir = await givenDatabase('stale');
  const pid_file = join(data_dir, 'postgres', 'postmaster.pid');
  const first = await start(data_dir, false);
  await ask(first, MAKE_ROW);
  const content = readFileSync(pid_file, 'utf8');
  await first.stop();

  // The same user, because PostgreSQL ignores processes of others.
  const { uid, gid } = statSync(join(data_dir, 'postgres'));
  const other = spawn('sleep', ['60'], { stdio: 'ignore', ...(isRoot() ? { uid, gid } : {}) });
  children.push(other);
  writeFileSync(pid_file, content.replace(/^\d+/, String(other.pid)));
  const second = await start(data_dir, false);
  assert.equal(second.adopted, false);
  assert.deepEqual(await ask(second, READ_ROWS), ['kept']);
  await second.stop();
  assert.notEqual(findProcess(other.pid ?? 0), undefined);

  writeFileSync(pid_file, '');
  const third = await start(data_dir, false);
  assert.deepEqual(await ask(third, READ_ROWS), ['kept']);
  await third.stop();
});

test('given a server of another container, whose process nobody here sees, when started, then it is refused and that server goes on', {
  skip: process.platform === 'win32',
}, async () => {
  const data_dir = await givenDatabase('elsewhere');
  const server = await start(data_dir);
  const file = join(data_dir, 'postgres', 'postmaster.pid');
  const own = readFileSync(file, 'utf8');
  const claims = readdirSync(data_dir).filter((name) => name.startsWith('postgres.user-'));
  const unseen = String(spawnSync(process.execPath, ['--version']).pid);
  writeFileSync(file, own.replace(String(server.pid), unseen));
  await assert.rejects(start(data_dir), {
    message:
      `A server in another container works on the database in ${data_dir}: run Ledger in that container, ` +
      'end it first, or choose another folder with LEDGER_DATA.',
  });
  writeFileSync(file, own);
  assert.deepEqual(
    readdirSync(data_dir).filter((name) => name.startsWith('postgres.user-')),
    claims,
  );
  assert.equal(findProcess(server.pid)?.pid, server.pid);
  await server.stop();
});

test('given several starts at once, then all get one server, which only the last stop ends', async () => {
  const data_dir = join(root, 'shared-folder');
  const [one, two, in_child] = await Promise.all([
    start(data_dir, false),
    start(data_dir, false),
    startInChild(data_dir, false),
  ]);
  assert.equal(one.pid, two.pid);
  assert.equal(one.pid, in_child.pid);
  await ask(one, MAKE_ROW);

  await one.stop();
  assert.equal((await one.exited).expected, true);
  assert.deepEqual(await ask(two, READ_ROWS), ['kept']);
  await killHard(in_child.child);
  await two.stop();
  assert.equal(findProcess(two.pid), undefined);
});

test('given an orphan without durable commits, when a durable one is wanted, then it is started anew', async () => {
  const data_dir = await givenDatabase('fast-orphan');
  const { child, pid } = await startInChild(data_dir, false);
  await assert.rejects(start(data_dir), (error: unknown) => {
    assert.ok(error instanceof EmbeddedPostgresError);
    assert.match(error.message, /Another Ledger process uses .* without durable commits/);
    return true;
  });
  await killHard(child);

  const server = await start(data_dir);
  assert.notEqual(server.pid, pid);
  assert.deepEqual(await ask(server, 'show fsync'), ['on']);
  await server.stop();
});

test('given what an interrupted first start left, when started, then it is cleared away', async () => {
  const data_dir = join(root, 'interrupted');
  mkdirSync(join(data_dir, 'postgres.init-1', 'base'), { recursive: true });
  writeFileSync(join(data_dir, 'postgres.init-1', 'PG_VERSION'), '18\n');
  const server = await start(data_dir, false);
  assert.deepEqual(await ask(server, 'select 1'), [1]);
  assert.equal(existsSync(join(data_dir, 'postgres.init-1')), false);
  await server.stop();
});

test('given a setting that PostgreSQL refuses, when started, then one sentence says so and nothing is left', async () => {
  const data_dir = await givenDatabase('wrong-setting');
  const wrong = { data_dir, program, durable: false, log: () => {}, settings: { no_such_setting: '1' } };
  await assert.rejects(startEmbeddedPostgres(wrong), {
    name: 'EmbeddedPostgresError',
    message: /did not start \(unrecognized configuration parameter "no_such_setting"\)/,
  });
  assert.deepEqual(readdirSync(data_dir).sort(), ['postgres', 'postgres.log']);
});

test('given a data folder that cannot be made, when it starts, then one sentence names the obstacle', async () => {
  const file = join(root, 'a-file');
  writeFileSync(file, '');
  const link = join(root, 'a-link');
  symlinkSync(join(root, 'not-mounted'), link);
  const not_a_folder = 'a part of the path is not a folder';
  const cases = [
    [file, file, not_a_folder],
    [join(file, 'data'), file, not_a_folder],
    [join(link, 'data'), link, not_a_folder],
    ...(process.platform === 'linux'
      ? ([['/proc/ledger/data', '/proc/ledger', 'no folder can be made there']] as const)
      : []),
  ] as const;
  for (const [data_dir, obstacle, reason] of cases) {
    await assert.rejects(start(data_dir, false), {
      name: 'EmbeddedPostgresError',
      message:
        `The embedded database in ${data_dir} could not be used because ${reason} (${obstacle}); ` +
        'see to that, choose another folder with LEDGER_DATA, or set LEDGER_DATABASE to a PostgreSQL server.',
    });
  }
});

test('given a folder that the database user may not enter, when root starts, then the data are kept elsewhere, and found again', async () => {
  const closed = join(root, 'closed');
  mkdirSync(closed, { mode: 0o700 });
  const data_dir = join(closed, 'data');
  lines.length = 0;
  const first = await start(data_dir, false);
  await ask(first, MAKE_ROW);
  await first.stop();
  // Only root's server runs as another user, who may not enter the folder.
  assert.equal(existsSync(join(data_dir, 'postgres.location')), isRoot());
  assert.equal(
    lines.some((line) => line.includes(`may not enter ${closed}: the database of ${data_dir} is kept in`)),
    isRoot(),
  );

  const second = await start(data_dir, false);
  assert.deepEqual(await ask(second, READ_ROWS), ['kept']);
  await second.stop();

  if (isRoot()) rmSync(shared_root, { recursive: true });
  else rmSync(join(data_dir, 'postgres', 'PG_VERSION'));
  await assert.rejects(start(data_dir, false), {
    name: 'EmbeddedPostgresError',
    message: isRoot()
      ? /bring it back, run Ledger as/
      : /holds no database: move it away, or choose another folder with LEDGER_DATA/,
  });
});
