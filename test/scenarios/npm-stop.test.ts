/** npm passes a signal to its shell, which ends without passing it on. What npm started must end all the same. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createCompany, Installation } from '../support/installation.ts';
import { npm } from '../support/npm.ts';
import { type ServiceProcess, tryKill } from '../support/service-process.ts';

/** Of a test that would fail: a busy machine takes its time for a start and an end. */
const patienceMs = 120_000;

/** Its output closes once all that it started has ended. */
async function endsWhole(started: ServiceProcess): Promise<boolean> {
  const late = sleep(patienceMs, false, { ref: false });
  return Promise.race([started.exited().then(() => true), late]);
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  try {
    probe.listen(port, '127.0.0.1');
    await once(probe, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    probe.close();
  }
}

async function listensUntilStopped(place: Installation): Promise<void> {
  const { test_key } = await createCompany(place);
  const args = ['--key', test_key, '--url', place.url, '--forward-to', 'http://127.0.0.1:9'];
  const listening = npm(place, ['run', '-s', 'folio', '--', 'listen', ...args]);
  await listening.says(/Ready: waiting/);
  listening.signal('SIGTERM');
  assert.ok(await endsWhole(listening), listening.stdout);
}

for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
  test(`given npm start, when npm alone gets ${signal}, then service and database end and the port is free`, async (t) => {
    const place = await Installation.makeMigrated(t);
    const started = npm(place, ['start']);
    await started.says(/Reference: http/);
    // Any service will do for it.
    if (signal === 'SIGTERM')
      await t.test('given npm run folio -- listen, when npm alone gets SIGTERM, then the command ends', () =>
        listensUntilStopped(place),
      );
    started.signal(signal);
    assert.ok(await endsWhole(started), started.stdout);
    assert.match(started.stdout, /Stopping on .*\nStopped\.\n$/s);
    assert.equal(place.databasePid(), undefined);
    assert.ok(await isFree(place.port));
  });
}

test('given npm start, when npm is killed before the service has looked who started it, then nothing is left', async (t) => {
  const place = await Installation.makeMigrated(t);
  const started = npm(place, ['start']);
  await started.says(/^> node src\/main\/folio\.\w+ serve$/m);
  started.signal('SIGKILL');
  assert.ok(await endsWhole(started), started.stdout);
  assert.equal(place.databasePid(), undefined);
  assert.ok(await isFree(place.port));
});

test('given an npm whose own starter never asks for its end, when npm is killed, then service and database end', {
  skip: process.platform === 'linux' ? false : 'only Linux tells who has ended without being asked for',
}, async (t) => {
  const place = await Installation.makeMigrated(t);
  // The shell becomes a program that asks for nobody's end, as the first process of a container may.
  const script = '"$@" & echo "npm is $!"; exec sleep 600';
  const started = npm(place, ['start'], {}, ['sh', '-c', script, 'sh']);
  await started.says(/Reference: http/);
  tryKill(Number(/^npm is (\d+)$/m.exec(started.stdout)?.[1]), 'SIGKILL');
  await started.says(/Stopping on .*\nStopped\.\n$/s);
  assert.equal(place.databasePid(), undefined);
  assert.ok(await isFree(place.port));
});

test('given a service that a program started on its own, when that program ends, then the service goes on', async (t) => {
  const place = await Installation.makeMigrated(t);
  const script = `
    const { spawn } = require('node:child_process');
    const args = ['src/main/folio.ts', 'serve'];
    spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] }).unref();
    setTimeout(() => process.exit(), 200);`;
  const starter = place.spawn(process.execPath, ['-e', script], {
    npm_lifecycle_event: 'dev',
    npm_lifecycle_script: 'node dev.js',
  });
  await starter.says(/Reference: http/);
  await sleep(1500);
  assert.equal((await fetch(`${place.url}/healthz`)).status, 200);
  starter.signalGroup('SIGTERM');
  assert.ok(await endsWhole(starter));
});
