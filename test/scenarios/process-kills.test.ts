/**
 * Kills service and database under a load of writes. Acknowledged calls survive, nothing happens twice, and numbers
 * have no gap.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createCompanies, Installation } from '../support/installation.ts';
import { assertAllKept, keepIssuing } from '../support/keep-issuing.ts';

test('given a load of writes, when service and database are killed, then nothing acknowledged is lost and numbers have no gap', async (t) => {
  const place = await Installation.makeMigrated(t);
  let service = await place.start();
  const companies = await createCompanies(place, ['B12345674', 'B86561412']);
  const acknowledged = companies.map(() => new Map<string, string>());
  let is_over = false;
  const writers = companies.flatMap(({ live_key }, i) =>
    [1, 2].map(() => keepIssuing(place.url, live_key, acknowledged[i]!, () => is_over)),
  );
  const count = () => acknowledged.reduce((sum, of) => sum + of.size, 0);
  let before = 0;
  try {
    for (let kill = 1; kill <= 20; kill++) {
      // Each kill meets a working service.
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
      // Both die at once, as with the machine.
      if (kill % 5 === 0) await place.killDatabase();
      service = await place.start();
    }
  } finally {
    before = count();
    is_over = true;
  }
  await Promise.all(writers);
  assert.ok(before >= 60);

  for (const [i, { live_key }] of companies.entries())
    await assertAllKept(place.url, live_key, acknowledged[i]!);
  service.signal('SIGTERM');
  assert.equal(await service.exited(), 0, service.stderr);
});
