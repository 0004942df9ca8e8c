import assert from 'node:assert/strict';
import { createReadStream, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { beginClient } from '../support/half-sent-client.ts';
import { createCompany, Installation, type Keys, program } from '../support/installation.ts';
import { npm } from '../support/npm.ts';
import { until } from '../support/worker-place.ts';

/** Over a connection of its own: one that was kept may be closed just then. */
async function readStatus(url: string): Promise<number | string> {
  try {
    const { statusCode, body } = await request(url, { reset: true });
    await body.dump();
    return statusCode;
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

test('given an empty folder, when npm starts it, then it is ready, gives keys while it runs, and Ctrl-C stops it cleanly', async (t) => {
  const place = await Installation.make(t);
  const service = npm(place, ['start']);
  await service.says(/Reference: http/);
  assert.match(service.stdout, /Folio listens on http:\/\/127\.0\.0\.1:\d+ \(embedded PostgreSQL in /);
  assert.doesNotMatch(service.stderr, /Deprecation/);
  assert.equal(await readStatus(`${place.url}/readyz`), 200);
  assert.equal(await readStatus(`${place.url}/healthz`), 200);

  const command = npm(place, [
    'run',
    '-s',
    'folio',
    '--',
    'company',
    'create',
    '--name',
    'Acme SL',
    '--tax-id',
    'B12345674',
    '--plan',
    'scale',
    '--json',
  ]);
  assert.equal(await command.exited(), 0, command.stderr);
  const keys = JSON.parse(command.stdout) as Keys;
  assert.deepEqual(Object.keys(keys), ['company_id', 'sandbox_company_id', 'live_key', 'test_key']);
  // As `npx folio` does, without the network.
  const own_cache = { npm_config_cache: join(place.data_dir, 'npm'), npm_config_offline: 'true' };
  const version = npm(place, ['exec', '--', 'folio', '--version'], own_cache);
  assert.equal(await version.exited(), 0, version.stderr);
  assert.match(version.stdout, /^folio \d+\.\d+\.\d+\n$/);
  const account = await request(`${place.url}/v1/account`, {
    headers: { authorization: `Bearer ${keys.test_key}` },
  });
  assert.equal(account.statusCode, 200);
  await account.body.dump();

  if (process.platform !== 'win32')
    assert.equal(statSync(join(place.data_dir, 'secret-key')).mode & 0o777, 0o600);
  service.signalGroup('SIGINT');
  await service.exited();
  assert.match(service.stdout, /Stopping on SIGINT.*\nStopped\.\n$/s);
  assert.equal(place.databasePid(), undefined);
});

test('given one service on one folder, which several processes hold one after the other', async (t) => {
  const place = await Installation.makeMigrated(t);
  const service = await place.start();
  const { live_key } = await createCompany(place);
  const knowsTheCompany = async () => {
    const account = await request(`${place.url}/v1/account`, {
      headers: { authorization: `Bearer ${live_key}` },
    });
    assert.equal(account.statusCode, 200);
    await account.body.dump();
  };

  await t.test(
    'when a second takes the same port, then one sentence says so and the first goes on',
    async () => {
      const second = place.spawnService();
      assert.equal(await second.exited(), 1);
      assert.equal(
        second.stderr,
        `folio: Port ${place.port} on 127.0.0.1 is taken by another program: stop it, or set PORT to another one.\n`,
      );
      assert.equal(await readStatus(`${place.url}/readyz`), 200);
    },
  );

  await t.test(
    'when it is asked to stop with a request under way, then readiness drops and the request is finished',
    async () => {
      const slow = await beginClient(place.url, live_key);
      service.signal('SIGTERM');
      await service.says(/Stopping on SIGTERM/);
      assert.equal(await readStatus(`${place.url}/readyz`), 503);
      await sleep(500);
      assert.equal(
        await readStatus(`${place.url}/readyz`),
        503,
        'it still answers while the request is under way',
      );
      assert.equal(service.has_ended, false);
      slow.finish();
      assert.equal(await slow.status, 201);
      assert.equal(await service.exited(), 0);
      assert.equal(await readStatus(`${place.url}/readyz`), 'ECONNREFUSED');
      assert.equal(place.databasePid(), undefined);
    },
  );

  await t.test(
    'when its terminal is closed, then requests are finished, and its database ends with it',
    async () => {
      const closing = await place.start();
      const slow = await beginClient(place.url, live_key);
      closing.signal('SIGHUP');
      await until(async () => closing.has_ended || (await readStatus(`${place.url}/readyz`)) === 503);
      slow.finish();
      assert.equal(await slow.status, 201);
      assert.equal(await closing.exited(), 0);
      assert.match(closing.stdout, /Stopping on SIGHUP: .*\nStopped\.\n$/s);
      assert.equal(place.databasePid(), undefined);
    },
  );

  await t.test(
    'when a second signal comes to a stop that waits, then it ends at once, and the next start goes on with the data',
    async () => {
      const stopping = await place.start();
      const slow = await beginClient(place.url, live_key);
      stopping.signal('SIGTERM');
      await stopping.says(/Stopping on SIGTERM/);
      await sleep(700);
      stopping.signal('SIGTERM');
      assert.equal(await stopping.exited(), 1);
      assert.match(stopping.stdout, /Ending at once on a second SIGTERM/);
      await assert.rejects(slow.status);

      const again = await place.start();
      assert.match(again.stdout, /Adopted the embedded PostgreSQL/);
      await knowsTheCompany();
      await again.kill();
    },
  );

  await t.test('when the pid file names another program, then it starts on the same data', async () => {
    await place.killDatabase();
    const file = join(place.data_dir, 'postgres', 'postmaster.pid');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^\d+/, String(process.pid)));

    await place.start();
    await knowsTheCompany();
  });
});

test('given a log that takes nothing, when a service writes there, then it answers, and stops when asked', {
  skip: !existsSync('/dev/full'),
}, async (t) => {
  const place = await Installation.makeMigrated(t, { FOLIO_LOG_LEVEL: 'info' });
  const startInto = async (script: string, name = 'sh') => {
    const service = place.spawn('sh', ['-c', script, name, process.execPath, ...program, 'serve']);
    await until(async () => service.has_ended || (await readStatus(`${place.url}/readyz`)) === 200);
    return service;
  };
  const stop = async (service: Awaited<ReturnType<typeof startInto>>) => {
    service.signal('SIGTERM');
    assert.equal(typeof (await service.exited()), 'number');
    assert.equal(place.databasePid(), undefined);
  };
  await t.test('a full disk', async () => {
    const service = await startInto('exec "$@" >/dev/full 2>&1');
    for (let call = 0; call < 3; call += 1) assert.equal(await readStatus(`${place.url}/readyz`), 200);
    await stop(service);
  });
  await t.test('a pipe whose reader stands still, and goes on', async () => {
    const pipe = join(place.data_dir, 'log');
    // There is room for 5 kB more, and the line of a call has 200 bytes.
    const into = 'mkfifo "$0"; exec 1<>"$0"; head -c 60000 /dev/zero; exec "$@"';
    const service = await startInto(into, pipe);
    const asked = Array.from({ length: 60 }, () => readStatus(`${place.url}/v1/none`));
    for (const status of await Promise.all(asked)) assert.equal(typeof status, 'number');
    assert.equal(await readStatus(`${place.url}/readyz`), 200);
    const read = text(createReadStream(pipe));
    await stop(service);
    const lines = (await read).split('\n').filter((line) => line.includes('"path":"/v1/none"'));
    assert.equal(lines.length, asked.length);
  });
});

test('given the roles apart, when both start at once, then the API answers, the worker has health alone, and each stops', async (t) => {
  const place = await Installation.make(t);
  const [api, worker] = await Promise.all([
    place.start({ args: ['--role', 'api'] }),
    place.start({ args: ['--role', 'worker'], env: { PORT: '0' } }),
  ]);
  const worker_url = /Folio listens on (\S+) /.exec(worker.stdout)?.[1] ?? '';
  assert.equal(await readStatus(`${worker_url}/readyz`), 200);
  assert.equal(await readStatus(`${worker_url}/metrics`), 200);
  assert.equal(await readStatus(`${worker_url}/docs`), 404);
  assert.equal(await readStatus(`${place.url}/v1/account`), 401);

  api.signal('SIGTERM');
  assert.equal(await api.exited(), 0);
  assert.equal(await readStatus(`${worker_url}/readyz`), 200, 'the database is left to the worker');
  worker.signal('SIGINT');
  assert.equal(await worker.exited(), 0);
  assert.equal(place.databasePid(), undefined);
});

const refusals = [
  ['a wrong port', { PORT: 'seventy' }, /^folio: PORT must be a whole number from 0 to 65535\.\n$/],
  [
    'an unknown setting',
    { FOLIO_DATADIR: '/tmp' },
    /^folio: Unknown setting FOLIO_DATADIR\. Settings are: .*\n$/,
  ],
  [
    'an address of another machine',
    { HOST: '192.0.2.1' },
    /^folio: HOST 192\.0\.2\.1 is not an address of this machine\.\n$/,
  ],
  [
    'an address that is none',
    { HOST: '999.1.1.1' },
    /^folio: HOST 999\.1\.1\.1 is not known to this machine\.\n$/,
  ],
  [
    'a short secret',
    { FOLIO_SECRET_KEY: 'short' },
    /^folio: FOLIO_SECRET_KEY must have 32 characters or more\.\n$/,
  ],
  [
    'a data folder that cannot be',
    { FOLIO_DATA_DIR: '/dev/null/data' },
    /^folio: The embedded database in \/dev\/null\/data could not be used because .*\n$/,
  ],
] as const;
const notThere = { DATABASE_URL: 'postgres://folio@127.0.0.1:9/folio', FOLIO_SECRET_KEY: 'x'.repeat(32) };
test('given settings that it cannot use, when it starts, then one sentence says so and the exit code is 1', async (t) => {
  const place = await Installation.makeMigrated(t);
  for (const [what, env, sentence] of refusals)
    await t.test(what, async () => {
      const service = place.spawnService({ env: { ...env } });
      assert.equal(await service.exited(), 1);
      assert.match(service.stderr, sentence);
    });
  await t.test('a database that is not there is waited for, until somebody ends that', async () => {
    const service = place.spawnService({ env: notThere });
    await service.says(/The database does not answer yet \(connect ECONNREFUSED 127\.0\.0\.1:9\)/);
    service.signal('SIGTERM');
    assert.equal(await service.exited(), 0);
    assert.match(service.stdout, /\nStopped\.\n$/);
    assert.equal(service.stderr, '');
  });
});
