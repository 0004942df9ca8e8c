import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import packageJson from '../../../package.json' with { type: 'json' };

const { dependencies } = packageJson;
const loader = new URL('./load-serving.ts', import.meta.url).href;

/** @returns what the program prints, in a process of its own */
async function told<T>(program: string): Promise<T> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
  return JSON.parse(stdout) as T;
}

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
const { loadServing } = await import(${JSON.stringify(loader)});
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
  const { turns, serves } = await told<{ turns: number[]; serves: string }>(program);
  const all = turns.reduce((sum, one) => sum + one, 0);
  assert.equal(serves, 'function');
  assert.ok(all > 1_000_000, `${all} bytes in all`);
  assert.ok(Math.max(...turns) < all / 2, `of ${all} bytes: ${turns.join(', ')}`);
});

/** Where packages of packages are kept apart, those that Folio does not name itself are not found from its own files. */
const apart = `
import nodeModule from 'node:module';
const { dependencies } = ${JSON.stringify({ dependencies })};
let hidden = 0;
nodeModule.registerHooks({
  resolve(name, context, next) {
    const [scope, own] = name.split('/');
    const is_named = (scope.startsWith('@') ? scope + '/' + own : scope) in dependencies;
    if (name.startsWith('.') || name.includes(':') || is_named || context.parentURL?.includes('/node_modules/'))
      return next(name, context);
    hidden += 1;
    throw new Error(name + ' is not found');
  },
});
const { loadServing } = await import(${JSON.stringify(loader)});
const { serveMcp } = await loadServing();
console.log(JSON.stringify({ hidden, serves: typeof serveMcp }));
`;

test('given an installation that keeps packages of packages apart, when what serves the tools is loaded, then it serves', async () => {
  const { hidden, serves } = await told<{ hidden: number; serves: string }>(apart);
  assert.ok(hidden > 0, 'it names some that Folio does not');
  assert.equal(serves, 'function');
});
