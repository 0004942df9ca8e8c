import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

const cases = [
  [
    'a rejection nobody handles',
    `void Promise.reject(new Error('boom'))`,
    `async () => console.log('ended')`,
  ],
  [
    'an exception in a callback',
    `setTimeout(() => { throw new Error('boom') })`,
    `async () => console.log('ended')`,
  ],
  [
    'a rejection with no error',
    `void Promise.reject(new Error('boom', { cause: 1 }))`,
    `async () => { console.log('ended'); throw 1 }`,
  ],
  [
    'a second fault while ending',
    `void Promise.reject(new Error('boom'))`,
    `async () => { console.log('ended'); setTimeout(() => { throw 2 }); await new Promise(() => {}) }`,
  ],
] as const;
for (const [what, fault, end] of cases) {
  test(`given ${what}, then it is told and logged, the rest is ended, and the exit code is 1`, () => {
    const script = `
      import { watchFaults } from ${JSON.stringify(new URL('faults.ts', import.meta.url).href)};
      setInterval(() => {}, 1000);
      watchFaults({ log: (error) => console.log('logged ' + error.message), end: ${end} });
      ${fault};`;
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
    });
    assert.equal(status, 1);
    assert.equal(stdout, 'logged boom\nended\n');
    assert.match(stderr, /^folio: ending on a fault of the program: Error: boom\n {4}at /);
  });
}

test('given a fault whose text drives a terminal, then it is told harmlessly', () => {
  const script = `
    import { watchFaults } from ${JSON.stringify(new URL('faults.ts', import.meta.url).href)};
    watchFaults({ log: () => undefined, end: async () => undefined });
    void Promise.reject(new Error('bo\\u001b[2Jom'));`;
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  assert.match(stderr, /^folio: ending on a fault of the program: Error: bo\\u001b\[2Jom\n {4}at /);
  assert.ok(!stderr.includes('\u001b'));
});
