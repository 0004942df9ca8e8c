import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../../scripts/source-files.ts';
import { sourceFolder } from './source-folder.ts';

const script = 'scripts/need-development.cjs';
const run = (folder: string) => spawnSync(process.execPath, [join(folder, script)], { encoding: 'utf8' });

test('given an installation without development dependencies, when tests or checks begin, then one sentence says what is missing', (t) => {
  const folder = sourceFolder(t, { 'package.json': '{}' });
  mkdirSync(join(folder, 'scripts'));
  cpSync(join(root, script), join(folder, script));
  const { status, stdout, stderr } = run(folder);
  assert.deepEqual([status, stdout], [1, '']);
  assert.match(stderr, /^Tests and checks need the development dependencies[^\n]+ "npm ci"[^\n]*\.\n$/);
});

test('given an installation with them, then they begin', () => {
  const { status, stdout, stderr } = run(root);
  assert.deepEqual([status, stdout, stderr], [0, '', '']);
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const name of ['pretest', 'precheck:static']) assert.ok(scripts[name].includes(script), name);
});
