/** The build of the dashboard, tried on a page of two lines. It runs at installs and starts, so it always exits 0. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { root } from '../../scripts/source-files.ts';
import { sourceFolder } from './source-folder.ts';

const page = '<!doctype html><title>x</title><script type="module" src="./src/main.js"></script>';

function folder(t: TestContext, { has_vite = true } = {}): string {
  const made = sourceFolder(t, {
    'web/index.html': page,
    'web/src/main.js': `document.title = '${'first '.repeat(300)}';`,
    'web/vite.config.js': "export default { base: './' };",
    'package-lock.json': '{}',
  });
  mkdirSync(join(made, 'scripts'));
  for (const name of ['build-web.cjs', 'compress-web.cjs'])
    cpSync(join(root, 'scripts', name), join(made, 'scripts', name));
  if (has_vite) symlinkSync(join(root, 'node_modules'), join(made, 'node_modules'));
  return made;
}

/** What it said; it fails where it does not exit 0. */
function build(made: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [join(made, 'scripts/build-web.cjs')], (error, stdout, stderr) =>
      error ? reject(error) : resolve(`${stdout}${stderr}`),
    );
  });
}

const assetsOf = (made: string) => readdirSync(join(made, 'web/dist/assets')).sort();
const folders = (made: string) => readdirSync(join(made, 'web')).sort();

test('given no build, a current one, or a source that does not build, then it builds, rests, or keeps the last', async (t) => {
  const made = folder(t);
  assert.match(await build(made), /Building/);
  const assets = assetsOf(made);
  const [script = ''] = assets;
  assert.match(script, /^index-.+\.js$/);
  assert.deepEqual(assets, [script, `${script}.br`, `${script}.gz`]);
  assert.match(readFileSync(join(made, 'web/dist/index.html'), 'utf8'), /src="\.\/assets\/index-/);
  assert.equal(await build(made), '');

  writeFileSync(join(made, 'web/src/main.js'), `document.title = '${'second '.repeat(300)}';`);
  assert.match(await build(made), /Building/);
  const before = assetsOf(made);
  assert.notEqual(before[0], script);
  assert.deepEqual(folders(made), ['dist', 'index.html', 'src', 'vite.config.js']);

  writeFileSync(join(made, 'web/src/main.js'), "import './nowhere.js';");
  assert.match(await build(made), /was not built:[\s\S]*nowhere/);
  assert.deepEqual(assetsOf(made), before);
  assert.deepEqual(folders(made), ['dist', 'index.html', 'src', 'vite.config.js']);
});

test('given two at once on a stale build, then both end well and one build is there', async (t) => {
  const made = folder(t);
  await Promise.all([build(made), build(made)]);
  assert.equal(assetsOf(made).length, 3);
  assert.deepEqual(folders(made), ['dist', 'index.html', 'src', 'vite.config.js']);
  assert.equal(await build(made), '');
});

test('given no Vite, then it says how to get the dashboard', async (t) => {
  const made = folder(t, { has_vite: false });
  assert.match(await build(made), /npm ci --include=dev/);
  assert.ok(!existsSync(join(made, 'web/dist')));
});

/** Bytes as they travel, gzipped. */
function weightOf(names: readonly string[]): number {
  const assets = join(root, 'web/dist/assets');
  return names.reduce((sum, name) => {
    const packed = join(assets, `${name}.gz`);
    return sum + readFileSync(existsSync(packed) ? packed : join(assets, name)).length;
  }, 0);
}

test('given the dashboard as it is built, then its first load and each of its chunks are light', () => {
  const shell = readFileSync(join(root, 'web/dist/index.html'), 'utf8');
  const first = [...shell.matchAll(/(?:src|href)="\.\/assets\/([^"]+)"/g)].map(([, name = '']) => name);
  const [scripts, styles] = ['.js', '.css'].map((kind) => first.filter((name) => name.endsWith(kind)));
  assert.ok(scripts && scripts.length > 1 && styles && styles.length > 0);
  assert.ok(weightOf(scripts) <= 200_000, `${weightOf(scripts)} bytes of script`);
  assert.ok(weightOf(styles) <= 40_000, `${weightOf(styles)} bytes of style`);
  const later = readdirSync(join(root, 'web/dist/assets')).filter(
    (name) => /\.(js|css)$/.test(name) && !first.includes(name),
  );
  assert.deepEqual(
    later.filter((name) => weightOf([name]) > 80_000),
    [],
  );
});
