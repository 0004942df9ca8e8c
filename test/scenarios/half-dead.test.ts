/** The embedded database lives on and takes no new connections. The service must not stay half dead with it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createCompany, Installation } from '../support/installation.ts';
import { assertAllKept, keepIssuing } from '../support/keep-issuing.ts';
import { tryKill } from '../support/service-process.ts';

test('given writers and two processes on one database, when the database gets SIGTERM, then both go on with another and nothing is lost', async (t) => {
  const place = await Installation.makeMigrated(t);
  const service = await place.start();
  const worker = await place.start({ args: ['--role', 'worker'], env: { PORT: '0' } });
  const { live_key } = await createCompany(place);
  const acknowledged = new Map<string, string>();
  let is_over = false;
  const writers = Promise.all(
    [1, 2].map(() => keepIssuing(place.url, live_key, acknowledged, () => is_over)),
  );
  const moreWrites = async () => {
    const before = acknowledged.size;
    while (acknowledged.size < before + 3) await Promise.race([sleep(10), writers]);
  };
  for (let strike = 1; strike <= 2; strike++) {
    await moreWrites();
    const pid = place.databasePid();
    assert.ok(pid);
    tryKill(pid, 'SIGTERM');
    for (const one of [service, worker]) await one.says(new RegExp(`(Folio listens again[^]*){${strike}}`));
    assert.notEqual(place.databasePid(), pid);
    await moreWrites();
  }
  is_over = true;
  await writers;
  await assertAllKept(place.url, live_key, acknowledged);
  service.signal('SIGTERM');
  assert.equal(await service.exited(), 0, service.stderr);
  worker.signal('SIGTERM');
  assert.equal(await worker.exited(), 0, worker.stderr);
  assert.equal(place.databasePid(), undefined);
});
