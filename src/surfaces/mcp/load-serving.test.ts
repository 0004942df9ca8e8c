import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';

/** A process that has loaded nothing of it yet. It tells how many bytes of packages were read in each turn of the event loop. */
const program = `
import nodeModule from 'node:module';
import { setImmediate as nextTurn } from 'node:timers/promises';
let bytes = 0;
nodeModule.registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (url.includes('/node_modules/')) bytes += loaded.source?.length ?? 0;
    return loaded;
  },
});
const { loadServing } = await import(${JSON.stringify(new URL('./load-serving.ts', import.meta.url).href)});
const turns = [];
let is_over = false;
const watched = (async () => {
  while (!is_over) {
    await nextTurn();
    if (bytes > 0) turns.push(bytes);
    bytes = 0;
  }
})();
const { serveMcp } = await loadServing();
is_over = true;
await watched;
console.log(JSON.stringify({ turns, serves: typeof serveMcp }));
`;

test('given a process that nobody has called a tool of, when what serves the tools is loaded, then no turn of the event loop reads half of it', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
  const { turns, serves } = JSON.parse(stdout) as { turns: number[]; serves: string };
  const all = turns.reduce((sum, one) => sum + one, 0);
  assert.equal(serves, 'function');
  assert.ok(all > 1_000_000, `${all} bytes in all`);
  assert.ok(Math.max(...turns) < all / 2, `of ${all} bytes: ${turns.join(', ')}`);
});
