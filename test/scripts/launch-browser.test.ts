/** How tests start a browser. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { launchBrowser } from '../support/launch-browser.ts';

/** A program that notes each of its starts, and then ends by these words of a shell. */
function givenProgram(t: TestContext, end: string) {
  const folder = mkdtempSync(join(tmpdir(), 'folio-fallen-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'browser');
  const starts = `${path}.starts`;
  writeFileSync(path, `#!/bin/sh\necho start >> '${starts}'\n${end}\n`, { mode: 0o755 });
  return { path, countStarts: () => readFileSync(starts, 'utf8').split('\n').length - 1 };
}

for (const [end, starts] of [
  ['kill -SEGV $$', 2],
  ['exit 1', 1],
  ['kill -KILL $$', 1],
] as const)
  test(`given a browser that ends at once by "${end}", then it is started ${starts} times, and its fault is told`, async (t) => {
    const program = givenProgram(t, end);
    await assert.rejects(launchBrowser([], program.path), /has been closed|did exit/);
    assert.equal(program.countStarts(), starts);
  });
