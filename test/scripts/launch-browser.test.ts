/** How tests start a browser. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { launchBrowser } from '../support/launch-browser.ts';

/** A program that notes each of its starts, and then ends by these words of a shell. */
function givenProgram(t: TestContext, end: string) {
  const folder = mkdtempSync(join(tmpdir(), 'folio-fallen-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'browser');
  const starts = `${path}.starts`;
  writeFileSync(path, `#!/bin/sh\necho start >> '${starts}'\n${end}\n`, { mode: 0o755 });
  return { path, starts, countStarts: () => readFileSync(starts, 'utf8').split('\n').length - 1 };
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

test('given a process with a browser, when it is told to end, then it ends', {
  timeout: 60_000,
}, async (t) => {
  // It reads what it is told until its teller has gone, as a browser does.
  const { path, starts } = givenProgram(t, 'exec cat <&3 > /dev/null');
  const support = new URL('../support/launch-browser.ts', import.meta.url).href;
  const text = `import { launchBrowser } from '${support}'; await launchBrowser([], ${JSON.stringify(path)});`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', text], { stdio: 'inherit' });
  t.after(() => child.kill('SIGKILL'));
  while (!existsSync(starts)) await wait(20);
  // Playwright listens for signals once its program runs.
  await wait(200);
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [null, 'SIGTERM']);
});
