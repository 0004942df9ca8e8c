/** An upgrade without a stop: the release before and this version on one database, under load (ADR 72). */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { request } from 'undici';
import { findFreePort } from '../support/free-port.ts';
import { Installation, type Keys, projectRoot } from '../support/installation.ts';
import { assertAllKept } from '../support/keep-issuing.ts';
import { type PreviousProgram, takePreviousProgram, whyMissing } from '../support/previous-release.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { callWithoutRepeating } from '../support/without-failure.ts';
import { until } from '../support/worker-place.ts';

async function isReady(url: string): Promise<boolean> {
  const { statusCode, body } = await request(`${url}/readyz`, { reset: true });
  await body.dump();
  return statusCode === 200;
}

/** It refuses a setting that came later. */
function spawnPrevious(place: Installation, program: string, args: string[]): ServiceProcess {
  return place.spawn('env', ['-u', 'FOLIO_ENV_FILE', process.execPath, program, ...args]);
}

async function makeCompany(place: Installation, { program }: PreviousProgram): Promise<Keys> {
  const of = ['--name', 'Acme SL', '--tax-id', 'B12345674', '--plan', 'scale', '--json'];
  const command = spawnPrevious(place, program, ['company', 'create', ...of]);
  assert.equal(await command.exited(), 0, command.stderr);
  return JSON.parse(command.stdout) as Keys;
}

async function startPrevious(place: Installation, { program }: PreviousProgram): Promise<ServiceProcess> {
  const service = spawnPrevious(place, program, ['serve']);
  await service.says(/Folio listens on \S+ /);
  return service;
}

async function upgrade(t: TestContext): Promise<void> {
  const previous = takePreviousProgram(t);
  for (const one of previous.other_packages) t.diagnostic(`the release before is run without its ${one}`);
  const all = readdirSync(join(projectRoot, 'migrations'));
  const pending = all.filter((name) => !previous.migrations.includes(name));
  assert.ok(pending.length > 0, 'the release before has all migrations: name an older one');

  const place = await Installation.make(t);
  const old = await startPrevious(place, previous);
  const { live_key } = await makeCompany(place, previous);
  let next_url: string | undefined;
  let leaves_old = false;
  let is_over = false;
  let turn = 0;
  const seen = new Map<string, number>();
  const calling = callWithoutRepeating({
    key: live_key,
    count: 2,
    is_over: () => is_over,
    // As a proxy: in turn to those that are there.
    address() {
      turn += 1;
      const address = next_url !== undefined && (leaves_old || turn % 2 === 0) ? next_url : place.url;
      seen.set(address, (seen.get(address) ?? 0) + 1);
      return address;
    },
  });
  const untilSeen = async (address: string, more: number) => {
    const enough = (seen.get(address) ?? 0) + more;
    await until(() => (seen.get(address) ?? 0) >= enough);
  };
  await untilSeen(place.url, 10);

  const port = await findFreePort();
  const next = await place.start({ env: { PORT: String(port) } });
  assert.match(next.stdout, new RegExp(`Migrations applied: ${pending.length}\\.`));
  next_url = `http://127.0.0.1:${port}`;
  // Both work on the new structure.
  await untilSeen(next_url, 30);
  assert.ok(await isReady(place.url), 'what a later version added does not make the one before unready');
  leaves_old = true;
  await untilSeen(next_url, 10);
  old.signal('SIGTERM');
  assert.equal(await old.exited(), 0, old.stderr);
  await untilSeen(next_url, 10);
  is_over = true;

  const { failures, acknowledged, reads } = await calling;
  assert.deepEqual(failures, []);
  assert.ok(reads > 0);
  await assertAllKept(next_url, live_key, acknowledged);
  assert.equal(old.stderr, '');
  next.signal('SIGTERM');
  assert.equal(await next.exited(), 0, next.stderr);
}

const missing = whyMissing();
test(
  'given the release before under load, when this version starts beside it and takes over, then no call fails',
  {
    skip: missing ?? false,
  },
  upgrade,
);
