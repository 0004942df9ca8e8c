import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { changedFiles, chooseTests } from '../../scripts/test-run/changed-tests.ts';

function makeTree(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'folio-changed-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

const harness = "import { startApp } from '#/test/harness.ts';";
const root = makeTree({
  'package.json': '{}',
  'migrations/0001_a.sql': '',
  'docs/page.md': '',
  'src/kernel/page.ts': '',
  'src/kernel/page.test.ts': "import { page } from './page.ts';",
  'src/platform/db.ts': "import { page } from '../kernel/page.ts';",
  'src/platform/db.test.ts': "import type { Page } from '../kernel/page.ts';\nimport './other.ts';",
  'src/platform/other.ts': '',
  'src/main/service.ts': "import '../modules/catalog.ts';\nimport '../platform/db.ts';",
  'src/modules/catalog.ts': "import './series/index.ts';\nimport './invoices/index.ts';",
  'src/modules/series/index.ts': "export { list } from './operations/list-series.ts';",
  'src/modules/series/operations/list-series.ts': '',
  'src/modules/series/operations/list-series.test.ts': harness.replace('#', '../../../..'),
  'src/modules/invoices/index.ts': "import { list } from '../series/index.ts';\nimport './issue.ts';",
  'src/modules/invoices/issue.ts': '',
  'src/modules/invoices/issue.test.ts': harness.replace('#', '../../..'),
  'test/harness.ts': "import { startService } from '../src/main/service.ts';",
  'test/golden/pdf/one.txt': '',
  'web/src/parts/money.ts': '',
  'web/src/parts/money.test.ts': "import { readAmount } from './money.ts';",
  'web/src/parts/field.tsx': "import { readAmount } from './money.ts';",
  'web/src/parts/field.test.ts': "import { Field } from './field.tsx';",
  'test/support/child.ts': '',
  'test/scenarios/kills.test.ts': "import '../harness.ts';\nnew URL('../support/child.ts', import.meta.url);",
  'test/scenarios/dashboard-journey-browser.test.ts': "import '../harness.ts';",
  'test/scenarios/pages.test.ts': "const page = join(root, 'docs/page.md');\nread('test/golden/pdf');",
});
after(() => rmSync(root, { recursive: true, force: true }));

const list = 'src/modules/series/operations/list-series.test.ts';
const issue = 'src/modules/invoices/issue.test.ts';
const kills = 'test/scenarios/kills.test.ts';
const pages = 'test/scenarios/pages.test.ts';
const page = 'src/kernel/page.test.ts';
const db = 'src/platform/db.test.ts';
const money = 'web/src/parts/money.test.ts';
const field = 'web/src/parts/field.test.ts';
const journey = 'test/scenarios/dashboard-journey-browser.test.ts';

const cases: [change: string, tests: string[], beyond: string[]][] = [
  ['src/kernel/page.test.ts', [page], []],
  ['src/kernel/page.ts', [page, issue, list, journey, kills], []],
  ['src/platform/other.ts', [db], []],
  ['src/modules/series/operations/list-series.ts', [issue, list], [journey, kills]],
  ['src/modules/invoices/issue.ts', [issue], [list, journey, kills]],
  ['src/modules/catalog.ts', [issue, list, journey, kills], []],
  ['test/support/child.ts', [kills], []],
  ['docs/page.md', [pages], []],
  ['test/golden/pdf/one.txt', [pages], []],
  ['docs/other.md', [], []],
  ['web/src/parts/money.test.ts', [money], []],
  ['web/src/parts/money.ts', [journey, field, money], []],
  ['web/src/parts/field.tsx', [journey, field], []],
  ['web/vite.config.ts', [journey], []],
  ['migrations/0001_a.sql', [page, issue, list, db, journey, kills, pages, field, money], []],
  ['package-lock.json', [page, issue, list, db, journey, kills, pages, field, money], []],
];
for (const [change, tests, beyond] of cases) {
  test(`given a change of ${change}, then the tests that reach it are chosen`, () => {
    const chosen = chooseTests(root, [change]);
    assert.deepEqual(chosen.tests, [...tests].sort());
    assert.deepEqual(chosen.beyond, [...beyond].sort());
  });
}

function makeRepository(t: TestContext) {
  const folder = makeTree({ 'a.ts': '1', 'b.ts': '1', 'c.ts': '1', '.gitignore': 'ignored.ts\n' });
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], {
      cwd: folder,
      stdio: 'pipe',
    });
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  git('init', '--quiet', '--initial-branch=main');
  git('add', '.');
  git('commit', '--quiet', '--message=one');
  return { folder, git, write };
}

test('given edits, a new file and one that is ignored, when HEAD is the base, then the first two are changed', (t) => {
  const { folder, write } = makeRepository(t);
  write('a.ts', '2');
  write('new.ts', '1');
  write('ignored.ts', '1');
  assert.deepEqual(changedFiles(folder, 'HEAD'), ['a.ts', 'new.ts']);
});

test('given a branch and a base that has gone on, then what changed since they parted is changed, also a moved file', (t) => {
  const { folder, git, write } = makeRepository(t);
  git('checkout', '--quiet', '-b', 'work');
  git('mv', 'b.ts', 'd.ts');
  git('commit', '--quiet', '--message=two');
  git('checkout', '--quiet', 'main');
  write('c.ts', '2');
  git('commit', '--quiet', '--all', '--message=three');
  git('checkout', '--quiet', 'work');
  assert.deepEqual(changedFiles(folder, 'main'), ['b.ts', 'd.ts']);
});
