/**
 * How Folio starts, stops, is killed and comes back, with real processes. What was acknowledged is never lost,
 * and the numbers of a series have no gap, whatever dies and when.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { request as startRequest } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { Installation, type ServiceProcess } from '../support/service-process.ts';

type Keys = { company_id: string; sandbox_company_id: string; live_key: string; test_key: string };

async function createCompany(place: Installation, tax_id = 'B12345674'): Promise<Keys> {
  const { code, stdout, stderr } = await place.run([
    'company',
    'create',
    '--name',
    'Acme SL',
    '--tax-id',
    tax_id,
    '--plan',
    'scale',
    '--json',
  ]);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout) as Keys;
}

async function readStatus(url: string): Promise<number | string> {
  try {
    const { statusCode, body } = await request(url, { headersTimeout: 5000 });
    await body.dump();
    return statusCode;
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

/** Sends half of a request, and the rest when told. */
function beginClient(url: string, key: string): { finish(): void; status: Promise<number> } {
  const text = JSON.stringify({ name: 'Librería Norte SL' });
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  };
  const sent = startRequest(`${url}/v1/clients`, { method: 'POST', headers });
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  promise.catch(() => undefined);
  sent.on('response', (response) => {
    response.resume();
    resolve(response.statusCode ?? 0);
  });
  sent.on('error', reject);
  sent.write(text.slice(0, 10));
  return { finish: () => sent.end(text.slice(10)), status: promise };
}

/** npm as it runs this test, or the one in PATH. */
function npm(place: Installation, args: string[]): ServiceProcess {
  const cli = process.env.npm_execpath;
  return cli ? place.spawn(process.execPath, [cli, ...args]) : place.spawn('npm', args);
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

test('given a request under way, when the service is asked to stop, then readiness drops and the request is finished', async (t) => {
  const place = await Installation.make(t);
  const service = await place.start();
  const { live_key } = await createCompany(place);
  const slow = beginClient(place.url, live_key);
  await sleep(200);
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
});

test('given a stop that waits, when a second signal comes, then it ends at once, and the next start goes on with the data', async (t) => {
  const place = await Installation.make(t);
  const service = await place.start();
  const { live_key } = await createCompany(place);
  const slow = beginClient(place.url, live_key);
  await sleep(200);
  service.signal('SIGTERM');
  await service.says(/Stopping on SIGTERM/);
  await sleep(700);
  service.signal('SIGTERM');
  assert.equal(await service.exited(), 1);
  assert.match(service.stdout, /Ending at once on a second SIGTERM/);
  await assert.rejects(slow.status);

  const again = await place.start();
  assert.match(again.stdout, /Adopted the embedded PostgreSQL/);
  const account = await request(`${place.url}/v1/account`, {
    headers: { authorization: `Bearer ${live_key}` },
  });
  assert.equal(account.statusCode, 200);
  await account.body.dump();
});

/** Issues invoices one after the other; each is tried under its idempotency key until it is acknowledged. */
async function keepIssuing(
  url: string,
  key: string,
  acknowledged: Map<string, string>,
  is_over: () => boolean,
): Promise<void> {
  while (!is_over()) {
    const idempotency_key = randomUUID();
    const give_up_at = performance.now() + 30_000;
    for (;;) {
      assert.ok(performance.now() < give_up_at, 'no answer in thirty seconds');
      const answer = await issueOne(url, key, idempotency_key);
      if (answer) {
        assert.ok(!acknowledged.has(answer.id));
        acknowledged.set(answer.id, answer.number);
        break;
      }
      await sleep(20);
    }
  }
}

/** @returns undefined when nobody knows whether it was done: no answer, or a passing refusal */
async function issueOne(
  url: string,
  key: string,
  idempotency_key: string,
): Promise<{ id: string; number: string } | undefined> {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'idempotency-key': idempotency_key,
  };
  const body = JSON.stringify({
    type: 'F2',
    lines: [{ description: 'Café', unit_price: 1.5, tax_rate: 10 }],
    options: { issue: true },
  });
  let status: number;
  let text: string;
  try {
    const response = await request(`${url}/v1/invoices`, { method: 'POST', headers, body });
    status = response.statusCode;
    text = await response.body.text();
  } catch {
    return undefined;
  }
  if (status === 503 || (status === 409 && text.includes('resource_locked'))) return undefined;
  assert.equal(status, 201, text);
  return (JSON.parse(text) as { data: { id: string; number: string } }).data;
}

async function listInvoices(url: string, key: string): Promise<{ id: string; number: string | null }[]> {
  const rows: { id: string; number: string | null }[] = [];
  for (let cursor = ''; ; ) {
    const after = cursor === '' ? '' : `&starting_after=${cursor}`;
    const response = await request(`${url}/v1/invoices?limit=100${after}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const text = await response.body.text();
    assert.equal(response.statusCode, 200, text);
    const page = JSON.parse(text) as { data: { id: string; number: string }[]; has_more: boolean };
    rows.push(...page.data);
    if (!page.has_more) return rows;
    cursor = page.data.at(-1)?.id ?? '';
  }
}

test('given a load of writes, when service and database are killed twenty times, then nothing acknowledged is lost and numbers have no gap', async (t) => {
  const place = await Installation.make(t);
  let service = await place.start();
  const companies = [await createCompany(place), await createCompany(place, 'B86561412')];
  const acknowledged = companies.map(() => new Map<string, string>());
  let is_over = false;
  const writers = companies.flatMap(({ live_key }, i) =>
    [1, 2].map(() => keepIssuing(place.url, live_key, acknowledged[i]!, () => is_over)),
  );
  const count = () => acknowledged.reduce((sum, of) => sum + of.size, 0);
  let before = 0;
  try {
    for (let kill = 1; kill <= 20; kill++) {
      // Each kill meets a service at work.
      before = count();
      while (count() < before + 3) {
        assert.ok(!service.has_ended, `${service.stdout}\n${service.stderr}`);
        await Promise.race([sleep(5), Promise.all(writers)]);
      }
      await sleep(Math.random() * 250);
      if (kill % 2 === 0) {
        await place.killDatabase();
        continue;
      }
      await service.kill();
      // As when the machine goes down: both at once.
      if (kill % 5 === 0) await place.killDatabase();
      service = await place.start();
    }
  } finally {
    before = count();
    is_over = true;
  }
  await Promise.all(writers);
  assert.ok(before > 60);

  for (const [i, { live_key }] of companies.entries()) {
    const rows = await listInvoices(place.url, live_key);
    const stored = new Map(rows.map(({ id, number }) => [id, number]));
    for (const [id, number] of acknowledged[i]!) assert.equal(stored.get(id), number);
    assert.equal(
      stored.size,
      acknowledged[i]!.size,
      'every write is there once: each was acknowledged in the end',
    );
    const numbers = rows.map(({ number }) => Number(/(\d+)$/.exec(number ?? '')?.[1])).sort((a, b) => a - b);
    assert.deepEqual(
      numbers,
      numbers.map((_, n) => n + 1),
    );
  }
  service.signal('SIGTERM');
  assert.equal(await service.exited(), 0, service.stderr);
});

test('given a pid file that names another program, when it starts, then it starts on the same data', async (t) => {
  const place = await Installation.make(t);
  const service = await place.start();
  const { live_key } = await createCompany(place);
  await service.kill();
  await place.killDatabase();
  const file = join(place.data_dir, 'postgres', 'postmaster.pid');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^\d+/, String(process.pid)));

  await place.start();
  const account = await request(`${place.url}/v1/account`, {
    headers: { authorization: `Bearer ${live_key}` },
  });
  assert.equal(account.statusCode, 200);
  await account.body.dump();
});

test('given one service, when a second takes the same port, then one sentence says so and the first goes on', async (t) => {
  const place = await Installation.make(t);
  await place.start();
  const second = place.spawnService();
  assert.equal(await second.exited(), 1);
  assert.equal(
    second.stderr,
    `folio: Port ${place.port} on 127.0.0.1 is taken by another program: stop it, or set PORT to another one.\n`,
  );
  assert.equal(await readStatus(`${place.url}/readyz`), 200);
});

test('given the roles apart, when both start at once, then the API answers, the worker has health alone, and each stops by itself', async (t) => {
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
    'a short secret',
    { FOLIO_SECRET_KEY: 'short' },
    /^folio: FOLIO_SECRET_KEY must have 32 characters or more\.\n$/,
  ],
  [
    'a data folder that cannot be',
    { FOLIO_DATA_DIR: '/dev/null/data' },
    /^folio: The embedded database in \/dev\/null\/data could not be used because .*\n$/,
  ],
  [
    'a database that is not there',
    { DATABASE_URL: 'postgres://folio@127.0.0.1:9/folio', FOLIO_SECRET_KEY: 'x'.repeat(32) },
    /^folio: The database does not answer \(.*127\.0\.0\.1:9\): check that it runs, and DATABASE_URL\.\n$/,
  ],
] as const;
for (const [what, env, sentence] of refusals) {
  test(`given ${what}, when it starts, then one sentence says so and the exit code is 1`, async (t) => {
    const place = await Installation.make(t);
    const service = place.spawnService({ env: { ...env } });
    assert.equal(await service.exited(), 1);
    assert.match(service.stderr, sentence);
  });
}
