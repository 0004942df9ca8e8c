import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

test('given a command that waits for what cannot come, when its process ends, then it says so, and its code is 1', () => {
  const at = JSON.stringify(new URL('./to-the-end.ts', import.meta.url).href);
  const run = (work: string) => {
    const script = `import(${at}).then(({ toTheEnd }) => toTheEnd(${work}))`;
    return spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  };
  const waiting = run('() => new Promise(() => undefined)');
  assert.equal(waiting.status, 1);
  assert.match(waiting.stderr, /^folio: the command ended before it was done/);
  const done = run('async () => undefined');
  assert.deepEqual([done.status, done.stderr], [0, '']);
});
