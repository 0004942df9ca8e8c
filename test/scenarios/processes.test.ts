/** `folio serve --processes`: several processes on one port, which come and go without a caller's notice (ADR 71). */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProcess } from 'embedded-postgres-server';
import { Client, request } from 'undici';
import { beginClient } from '../support/half-sent-client.ts';
import { createCompany, Installation } from '../support/installation.ts';
import { assertAllKept } from '../support/keep-issuing.ts';
import { type ServiceProcess, tryKill } from '../support/service-process.ts';
import { callWithoutRepeating } from '../support/without-failure.ts';
import { until } from '../support/worker-place.ts';

/** Over a connection of its own. */
async function look(address: string): Promise<{ status: number; text: string }> {
  const { statusCode, body } = await request(address, { reset: true });
  return { status: statusCode, text: await body.text() };
}

async function sumOf(url: string, metric: string): Promise<number> {
  const { text } = await look(`${url}/metrics`);
  const figures = text.matchAll(new RegExp(`^${metric}\\{.*\\} (\\d+)$`, 'gm'));
  return [...figures].reduce((sum, [, n]) => sum + Number(n), 0);
}

const requestsCounted = (url: string) => sumOf(url, 'folio_requests_total');
/** Of all pools. */
const connectionsIn = (url: string) => sumOf(url, 'folio_connections');

/** Ids of the processes that were last told of. */
function pidsIn(text: string): number[] {
  return [...text.matchAll(/\b(\d+)\b/g)].map(([, pid]) => Number(pid));
}

const isAlive = (pid: number) => findProcess(pid) !== undefined;

/** Processes of the service, without the database. */
function childrenOf(pid: number): number[] {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return [...stdout.matchAll(/^\s*(\d+)\s+(\d+)\s.*process-program/gm)]
    .filter(([, , parent]) => Number(parent) === pid)
    .map(([, child]) => Number(child));
}

/** @returns whether the connection goes on after this answer */
async function keepsOn(connection: Client): Promise<boolean> {
  const { headers, body } = await connection.request({ method: 'GET', path: '/healthz' });
  await body.dump();
  return headers.connection !== 'close';
}

/**
 * SIGHUP to two processes of the API, each of which has an idle connection.
 * @returns once one of them leaves
 */
async function hangUpIdle(service: ServiceProcess, url: string): Promise<Client[]> {
  // Connections are handed out in turn: of each two one is idle, and the other tells when its process leaves.
  const connections = Array.from({ length: 4 }, () => new Client(url));
  for (const connection of connections) assert.ok(await keepsOn(connection));
  const tellers = connections.slice(2);
  service.signal('SIGHUP');
  while ((await Promise.all(tellers.map(keepsOn))).every(Boolean)) await sleep(20);
  return connections;
}

async function areApart({ stdout }: ServiceProcess, url: string): Promise<void> {
  const [, docs = ''] = /^Reference: (\S+)$/m.exec(stdout) ?? [];
  assert.notEqual(new URL(docs).port, new URL(url).port);
  for (let i = 1; i <= 4; i++) {
    assert.equal((await look(docs)).status, 200);
    assert.equal((await look(`${url}/docs`)).status, 404);
  }
}

const patienceMs = 120_000;

async function untilGone(pids: readonly number[]): Promise<void> {
  const give_up_at = performance.now() + patienceMs;
  while (pids.some(isAlive) && performance.now() < give_up_at) await sleep(20);
  assert.deepEqual(pids.filter(isAlive), []);
}

async function readsAfter(service: ServiceProcess, pattern: RegExp, act: () => void): Promise<string> {
  const from = service.stdout.length;
  act();
  for (;;) {
    const found = pattern.exec(service.stdout.slice(from));
    if (found) return found[0];
    assert.ok(!service.has_ended, `${service.stdout}\n${service.stderr}`);
    await sleep(20);
  }
}

/** No call fails meanwhile. @returns what the service says of its processes, and what it acknowledged */
async function replaceUnderLoad(service: ServiceProcess, url: string, key: string) {
  let is_over = false;
  const calling = callWithoutRepeating({ key, address: () => url, count: 2, is_over: () => is_over });
  const before = await requestsCounted(url);
  const words = await readsAfter(service, /All processes are replaced: .*/, () => service.signal('SIGHUP'));
  const after = await requestsCounted(url);
  is_over = true;
  const { failures, acknowledged, reads } = await calling;
  assert.deepEqual(failures, []);
  assert.ok(acknowledged.size > 0 && reads > 0);
  assert.ok(after >= before + acknowledged.size / 2);
  return { words, acknowledged };
}

test('given two processes of the API and one of background work', async (t) => {
  const place = await Installation.makeMigrated(t);
  const settings = join(place.data_dir, '..', 'settings.env');
  writeFileSync(settings, '');
  const service = await place.start({
    args: ['--processes', '2'],
    env: { FOLIO_ENV_FILE: settings, FOLIO_DOCS_PORT: '0' },
  });
  // It is ready once callers are served. Without a free processor the last of its processes start after that.
  await service.says(/^Processes: .*\.$/m);
  const told = /^Processes: (\d+) \(API\), (\d+) \(API\), (\d+) \(background work\)\.$/m.exec(service.stdout);
  let pids = pidsIn(told?.slice(1).join(' ') ?? '');
  assert.equal(pids.length, 3, service.stdout);
  const company = await createCompany(place);
  const { live_key } = company;
  assert.equal((await look(`${place.url}/readyz`)).status, 200);

  await t.test('then each answers, and any of them tells the metrics of all', async () => {
    const before = await requestsCounted(place.url);
    for (let i = 1; i <= 3; i++) {
      await look(`${place.url}/healthz`);
      // Each look at the metrics is counted too, once it is answered.
      assert.equal(await requestsCounted(place.url), before + 2 * i);
    }
  });

  await t.test('then each has the documents at their own address alone', () => areApart(service, place.url));

  await t.test('when one is killed, then another takes its place, and no count falls', async () => {
    const before = await requestsCounted(place.url);
    const words = await readsAfter(service, /The process \d+ \(API\) has taken the place/, () =>
      tryKill(pids[0]!, 'SIGKILL'),
    );
    assert.match(
      service.stdout,
      new RegExp(`The process ${pids[0]} \\(API\\) ended by itself \\(SIGKILL\\)`),
    );
    pids = [...pidsIn(words), ...pids.slice(1)];
    assert.ok(pids.every(isAlive));
    assert.ok((await requestsCounted(place.url)) >= before);
    assert.equal((await look(`${place.url}/readyz`)).status, 200);
  });

  await t.test('when SIGHUP finds a wrong setting, then the processes of before go on', async () => {
    writeFileSync(settings, 'FOLIO_SECURITY_CONTACT=nobody\n');
    service.signal('SIGHUP');
    await until(() => service.stderr.includes('go on.'));
    assert.match(service.stderr, /^folio: FOLIO_SECURITY_CONTACT holds "nobody".*are not replaced go on\.$/m);
    assert.ok(pids.every(isAlive));
  });

  await t.test(
    'when SIGHUP replaces them under load, then no call fails and new settings are in force',
    async () => {
      const contact = `${place.url}/.well-known/security.txt`;
      assert.equal((await look(contact)).status, 404);
      const contact_line = 'FOLIO_SECURITY_CONTACT=mailto:security@example.com';
      writeFileSync(settings, `${contact_line}\nFOLIO_POOL_SIZE=20\n`);
      const { words, acknowledged } = await replaceUnderLoad(service, place.url, live_key);
      const fresh = pidsIn(words);
      assert.equal(new Set([...fresh, ...pids]).size, 6, 'all of them are others');
      await untilGone(pids);
      pids = fresh;
      await assertAllKept(place.url, live_key, acknowledged);
      assert.equal((await look(contact)).status, 200);
      assert.equal(await connectionsIn(place.url), 3 * 10, 'the embedded server was started for this size');
      assert.match(service.stdout, /^Kept as before until a start of the whole: FOLIO_POOL_SIZE\.$/m);
    },
  );

  await t.test(
    'when it is asked to end while an idle connection keeps one from leaving, then a request under way is finished and nothing is left',
    async () => {
      const connections = await hangUpIdle(service, place.url);
      pids = childrenOf(service.pid);
      assert.equal(pids.length, 4, 'the one that leaves is there');
      const slow = await beginClient(place.url, live_key);
      // A terminal and a service manager tell all of them.
      service.signalGroup('SIGTERM');
      await service.says(/Stopping on SIGTERM/);
      await sleep(400);
      assert.equal((await look(`${place.url}/readyz`)).status, 503);
      slow.finish();
      assert.equal(await slow.status, 201);
      assert.equal(await service.exited(), 0, service.stderr);
      assert.match(service.stdout, /Stopped\.\n$/);
      assert.doesNotMatch(service.stdout, /killed/);
      await Promise.all(connections.map((connection) => connection.destroy()));
      await untilGone(pids);
      assert.equal(place.databasePid(), undefined);
    },
  );
});

test('given a supervisor, when the database dies, then it starts both again; when it is killed, then its processes end', async (t) => {
  const place = await Installation.makeMigrated(t);
  const args = ['--processes', '1', '--role', 'api'];
  const service = await place.start({ args });
  await service.says(/^Processes: \d+ \(API\)\.$/m);
  const pids = pidsIn(/^Processes: .*$/m.exec(service.stdout)![0]);
  const second = place.spawnService({ args });
  assert.equal(await second.exited(), 1);
  assert.equal(
    second.stderr,
    `folio: Port ${place.port} on 127.0.0.1 is taken by another program: stop it, or set PORT to another one.\n`,
  );
  // Another database is started, and other processes on the same port.
  await readsAfter(service, /Folio listens again on/, () => void place.killDatabase());
  await untilGone(pids);
  const { status, text } = await look(`${place.url}/readyz`);
  assert.equal(status, 200, text);
  const fresh = childrenOf(service.pid);
  assert.equal(fresh.length, 1);
  service.signal('SIGKILL');
  await service.exited();
  await untilGone(fresh);
});

/** Processes of the API that may load before the service is ready. */
const loadFirst = Math.max(1, availableParallelism() - 1);

/** A process of background work, and one of the API that comes after the first ones, loads nothing until the file is there. */
const holdOthers = (place: string, file: string) => `
  const { existsSync, mkdirSync } = require('node:fs');
  const pause = new Int32Array(new SharedArrayBuffer(4));
  const [, , role] = process.argv;
  const isFirst = () => {
    for (let i = 0; i < ${loadFirst}; i++)
      try {
        mkdirSync(${JSON.stringify(place)} + i);
        return true;
      } catch {}
    return false;
  };
  if (role === 'worker' || (role === 'api' && !isFirst()))
    while (!existsSync(${JSON.stringify(file)})) Atomics.wait(pause, 0, 0, 20);`;

test('given processes that are slow to start, when as many as can load are there, then callers are served, the start is told when all are, and a SIGHUP from before is heeded then', async (t) => {
  const count = loadFirst + 1;
  if (count > 8) return t.skip('so many processes would take too long');
  const place = await Installation.makeMigrated(t);
  const [held, go, first] = ['held.cjs', 'go', 'first'].map((name) => join(place.data_dir, '..', name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(held, holdOthers(first, go));
  const settings = join(place.data_dir, '..', 'settings.env');
  writeFileSync(settings, '');
  const env = { NODE_OPTIONS: `--require ${held}`, FOLIO_ENV_FILE: settings };
  const service = place.spawnService({ args: ['--processes', String(count)], env });
  // Before the supervisor has loaded what it needs itself.
  await until(() => childrenOf(service.pid).length > 0);
  service.signal('SIGHUP');
  const isReady = async () => (await look(`${place.url}/readyz`).catch(() => null))?.status === 200;
  while (!(await isReady())) {
    assert.ok(!service.has_ended, service.stderr);
    await sleep(20);
  }
  for (let i = 0; i < 4; i++) assert.equal((await look(`${place.url}/docs`)).status, 200);
  assert.doesNotMatch(service.stdout, /Folio listens on/);
  writeFileSync(settings, 'FOLIO_SECURITY_CONTACT=mailto:security@example.com\n');
  service.signal('SIGHUP');
  writeFileSync(go, '');
  await service.says(
    new RegExp(String.raw`^Processes: (\d+ \(API\), ){${count}}\d+ \(background work\)\.$`, 'm'),
  );
  await service.says(/^All processes are replaced: .*$/m);
  assert.equal((await look(`${place.url}/.well-known/security.txt`)).status, 200);
});

test('given background work that cannot start, then the whole service ends, and says why', async (t) => {
  const place = await Installation.makeMigrated(t);
  const fault = join(place.data_dir, '..', 'fault.cjs');
  writeFileSync(fault, `if (process.argv[2] === 'worker') process.exit(3);`);
  const env = { NODE_OPTIONS: `--require ${fault}` };
  const service = place.spawnService({ args: ['--processes', '2'], env });
  assert.equal(await service.exited(), 1);
  assert.match(service.stderr, /A process of the service ended before it was ready \(code 3\)\./);
  assert.deepEqual(childrenOf(service.pid), []);
  assert.equal(place.databasePid(), undefined);
});
