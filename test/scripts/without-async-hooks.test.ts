import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { executionAsyncId } from 'node:async_hooks';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

const preload = new URL('../../scripts/test-run/without-async-hooks.ts', import.meta.url).href;

test('given a test of a run, then no hook follows its promises', async () => {
  await Promise.resolve();
  // A promise has an id only where a hook asks for it.
  assert.equal(executionAsyncId(), 0);
});

const cases: [what: string, body: string][] = [
  ['passes', 'await 1'],
  ['fails', 'await Promise.reject(new Error("wrong"))'],
  ['has a callback that throws', 'setTimeout(() => { throw new Error("wrong"); }); await sleep(20)'],
  ['leaves a rejection', 'Promise.reject(new Error("wrong")); await sleep(20)'],
  ['has a callback that throws after its end', 'setTimeout(() => { throw new Error("wrong"); }, 20)'],
];

for (const [what, body] of cases)
  test(`given a test that ${what}, then its file passes or fails, and tells where an error came from`, (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'folio-hooks-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'one.test.mjs');
    const imports = ['{ test } from "node:test"', '{ setTimeout as sleep } from "node:timers/promises"'];
    const head = imports.map((one) => `import ${one};\n`).join('');
    writeFileSync(file, `${head}test('one', async () => { ${body}; });\n`);
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const ended = spawnSync(process.execPath, ['--import', preload, file], { env, encoding: 'utf8' });
    const told = ended.stdout + ended.stderr;
    assert.equal(ended.status, what === 'passes' ? 0 : 1, told);
    assert.equal(/wrong[\s\S]+one\.test\.mjs/.test(told), what !== 'passes', told);
  });
