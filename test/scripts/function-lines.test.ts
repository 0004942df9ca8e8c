/** A function has at most 100 lines. The linter counts the lines between the braces: 98. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sourceFolder } from './source-folder.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const { vcs: _, ...config } = JSON.parse(readFileSync(`${root}biome.json`, 'utf8'));

/** With so many lines from its first to its last. */
function functionOf(lines: number, opening: string): string {
  const body = Array.from({ length: lines - 2 }, (_, i) => `  console.log(${i});`);
  return `${[opening, ...body, '}'].join('\n')}\n`;
}

test('given functions of 100 lines and of more, when they are linted, then each of the longer ones is refused', (t) => {
  const plain = 'export function a() {';
  const arrow = 'export const a = async () => {';
  const cwd = sourceFolder(t, {
    'biome.json': JSON.stringify(config),
    'src/right.ts': functionOf(100, plain),
    'src/long.ts': functionOf(101, plain),
    'src/arrow.ts': functionOf(101, arrow),
    'test/long.test.ts': functionOf(101, plain),
    'scripts/long.ts': functionOf(101, plain),
  });
  const rule = 'complexity/noExcessiveLinesPerFunction';
  const args = [`${root}node_modules/@biomejs/biome/bin/biome`, 'lint', `--only=${rule}`, '.'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  const refused = [...`${stdout}${stderr}`.matchAll(/^(\S+\.ts):\d+:\d+ lint\/complexity/gm)].map(
    ([, file]) => file,
  );
  assert.deepEqual(refused.sort(), ['scripts/long.ts', 'src/arrow.ts', 'src/long.ts', 'test/long.test.ts']);
  assert.equal(status, 1);
});
