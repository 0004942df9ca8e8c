/** What a browser fetches of the dashboard, as the build left it: compressed, in kB of 1000 bytes. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const folder = join(import.meta.dirname, '../../../web/dist');
/** Small files stay as they are. */
function sizeOf(name: string): number {
  const file = join(folder, 'assets', name);
  return statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size;
}
const sum = (names: readonly string[]) => names.map(sizeOf).reduce((a, b) => a + b, 0);

test('the first load is 200 kB of script and 40 kB of style at most', () => {
  const text = readFileSync(join(folder, 'index.html'), 'utf8');
  const named = [...text.matchAll(/(?:src|href)="\.\/assets\/([^"]+)"/g)].map(([, name]) => name!);
  const ending = (end: string) => named.filter((name) => name.endsWith(end));
  assert.ok(ending('.js').length > 0 && ending('.css').length > 0);
  assert.ok(sum(ending('.js')) <= 200_000, `${sum(ending('.js'))} bytes of script`);
  assert.ok(sum(ending('.css')) <= 40_000, `${sum(ending('.css'))} bytes of style`);
  // Each file costs browser and service a request, whatever its weight.
  assert.ok(named.length <= 6, `${named.length} files`);
});

/** A part and all that it imports: what opening it may fetch. */
function withImports(name: string, seen: Set<string>): Set<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  const text = readFileSync(join(folder, 'assets', name), 'utf8');
  for (const [, next] of text.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g))
    withImports(next!, seen);
  return seen;
}

test('each page is 80 kB more at most, in six files', () => {
  const text = readFileSync(join(folder, 'index.html'), 'utf8');
  const parts = readdirSync(join(folder, 'assets')).filter((name) => name.endsWith('.js'));
  for (const part of parts) {
    if (text.includes(part)) continue;
    const more = [...withImports(part, new Set())].filter((name) => !text.includes(name));
    assert.ok(sum(more) <= 80_000, `${part}: ${sum(more)} bytes in ${more.length} files`);
    assert.ok(more.length <= 6, `${part}: ${more.length} files`);
  }
});
