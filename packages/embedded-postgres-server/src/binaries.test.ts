import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { findBinaries, prepareBinaries, repairSymlinks } from './binaries.ts';

const program = {
  id: 'ledger',
  name: 'Ledger',
  use_other_server: 'set LEDGER_DATABASE to a PostgreSQL server (15 or newer)',
  use_other_folder: 'choose another folder with LEDGER_DATA',
};
const root = mkdtempSync(join(tmpdir(), 'binaries-test-'));
after(() => rmSync(root, { recursive: true, force: true }));

function copyPrograms(name: string): string {
  const native = join(root, name);
  cpSync(findBinaries(program).native, native, { recursive: true, verbatimSymlinks: true });
  return native;
}

function removeLinks(native: string): string[] {
  const lib = join(native, 'lib');
  const links = readdirSync(lib).filter((file) => lstatSync(join(lib, file)).isSymbolicLink());
  for (const file of links) rmSync(join(lib, file));
  return links.sort();
}

function runs(native: string): boolean {
  try {
    return execFileSync(join(native, 'bin', 'postgres'), ['--version'], { stdio: 'pipe' }).includes('18.');
  } catch {
    return false;
  }
}

test('links that are missing or lead elsewhere are made, and whole ones left alone', () => {
  const native = copyPrograms('missing');
  repairSymlinks(native);
  const links = removeLinks(native);
  assert.equal(runs(native), false);
  assert.equal(repairSymlinks(native), links.length);
  assert.deepEqual(removeLinks(native), links);

  repairSymlinks(native);
  assert.equal(runs(native), true);
  assert.equal(repairSymlinks(native), 0);
  const [link = ''] = links;
  rmSync(join(native, 'lib', link));
  symlinkSync('nowhere', join(native, 'lib', link));
  assert.equal(repairSymlinks(native), 1);
  assert.equal(runs(native), true);
});

test('programs that another user cannot reach are copied once, whole and open to all', () => {
  const closed = join(root, 'closed');
  mkdirSync(closed, { mode: 0o700 });
  const native = copyPrograms('closed/native');
  const shared_root = join(root, 'shared');
  const stranger = { name: 'stranger', uid: 54321, gid: 54321 };
  const lines: string[] = [];
  const options = { user: stranger, shared_root, program, log: (line: string) => lines.push(line) };
  const found = { native, version: '18.4.0' };
  // The test's own folder is closed too.
  assert.throws(() => prepareBinaries(found, options), {
    name: 'EmbeddedPostgresError',
    message: /run Ledger as another user than root, or set LEDGER_DATABASE to/,
  });

  const copy = join(shared_root, 'postgresql-18.4.0');
  assert.deepEqual(readdirSync(shared_root), ['postgresql-18.4.0']);
  assert.equal(runs(copy), true);
  assert.equal(statSync(join(copy, 'bin', 'postgres')).mode & 0o777, 0o755);
  assert.match(lines.join(), /user stranger may not enter .*: copied once to/);
});

test('programs in reach are used where they are', () => {
  const found = findBinaries(program);
  const options = { user: undefined, shared_root: join(root, 'unused'), program, log: () => {} };
  assert.equal(prepareBinaries(found, options).native, found.native);
});

test('a platform without a package is refused in one sentence that names the way out', () => {
  const message =
    'There is no embedded PostgreSQL for aix-ppc64: set LEDGER_DATABASE to a PostgreSQL server (15 or newer).';
  assert.throws(() => findBinaries(program, 'aix-ppc64'), { name: 'EmbeddedPostgresError', message });
});
