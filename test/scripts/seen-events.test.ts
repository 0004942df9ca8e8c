/** What becomes of an event that is not as declared, at the end of its process. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { newId } from '../../src/kernel/uuid7.ts';

const { href } = new URL('../..', import.meta.url);

/** Runs a file that sees this event, after the words that come first. */
function runFileThatSees(t: TestContext, event: { type: string; data: object }, first = '') {
  const folder = mkdtempSync(join(tmpdir(), 'folio-seen-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'seen.test.mjs');
  const written = {
    id: newId(),
    aggregate_id: newId(),
    correlation_id: null,
    sequence: 1,
    api_version: '2026-10-01',
    livemode: true,
    created_at: '2026-11-27T10:00:00.000Z',
    ...event,
  };
  writeFileSync(
    file,
    `import { after, test } from 'node:test';
     import { leaveOut } from '${href}test/support/seen-events.ts';
     import { eventWatchers } from '${href}src/platform/events.ts';
     const kept = setInterval(() => undefined, 60_000);
     after(() => clearInterval(kept));
     ${first}
     test('an event', () => {
       for (const watch of eventWatchers) watch(${JSON.stringify(written)});
     });`,
  );
  // Without what tells a process that a runner listens.
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return spawnSync(process.execPath, [file], {
    encoding: 'utf8',
    env: { PATH, NODE_COMPILE_CACHE },
    timeout: 60_000,
  });
}

const data = { invoice: { id: newId() } };

test('given an event of the catalogue, then its file passes', (t) => {
  const { status, stderr } = runFileThatSees(t, { type: 'invoice.created', data });
  assert.deepEqual([status, stderr], [0, '']);
});

test('given an event that is not as declared, then its file fails, and closes what it opened', (t) => {
  for (const [event, fault] of [
    [{ type: 'invoice.moon', data }, 'invoice.moon is not in the catalogue'],
    [
      { type: 'invoice.created', data: { ...data, moon: 1 } },
      'invoice.created: data.moon is not in the schema',
    ],
  ] as const) {
    const { status, stderr } = runFileThatSees(t, event);
    assert.deepEqual([status, stderr], [1, `Events were emitted that are not as declared:\n  ${fault}\n`]);
  }
});

test('given a kind that only a test knows, then its events are left out, and no others', (t) => {
  const offer = { id: newId() };
  for (const [event, status] of [
    [{ type: 'offer.created', data: { offer } }, 0],
    [{ type: 'invoice.created', data: { ...data, offer } }, 0],
    [{ type: 'offered.created', data }, 1],
  ] as const)
    assert.equal(runFileThatSees(t, event, "leaveOut('offer');").status, status, event.type);
});
