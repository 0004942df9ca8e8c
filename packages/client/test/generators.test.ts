/** What generators make of the printed document compiles under `strict`, in programs that narrow nothing. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const require = createRequire(import.meta.url);
const document = join(root, 'docs/openapi.json');

function run(script: string, args: readonly string[], cwd: string): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    cwd,
    encoding: 'utf8',
  });
  assert.equal(status, 0, `${stdout}${stderr}`);
}

const packageOf = (name: string) => dirname(require.resolve(`${name}/package.json`));

test('given the document, when openapi-typescript and hey-api generate from it, then strict programs compile on both', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'folio-generators-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(fileURLToPath(new URL('generators', import.meta.url)), folder, { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  run(join(packageOf('openapi-typescript'), 'bin/cli.js'), [document, '-o', 'types.ts'], folder);
  run(join(packageOf('@hey-api/openapi-ts'), 'bin/run.js'), ['-i', document, '-o', 'hey-api', '-s'], folder);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    allowImportingTsExtensions: true,
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
    // TypeScript's own libraries, of which nothing here is a part.
    skipDefaultLibCheck: true,
  };
  const files = ['openapi-fetch.ts', 'hey-api.ts'];
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  run(join(root, 'node_modules/typescript/bin/tsc'), ['-p', '.'], folder);
});
