import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { groupTests } from '../../scripts/test-run/group-files.ts';

/** More than get a process each. */
const fillers = Array.from({ length: 13 }, (_, i) => [
  `src/filler-${String(i).padStart(2, '0')}.test.ts`,
  '',
]);

/** By file, the files that share its process. */
function groupsOf(t: TestContext, sources: Readonly<Record<string, string>>): Map<string, readonly string[]> {
  const root = mkdtempSync(join(tmpdir(), 'folio-groups-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const all: Record<string, string> = { ...Object.fromEntries(fillers), ...sources };
  for (const [file, text] of Object.entries(all)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  const units = groupTests(root, Object.keys(all), () => 1, root);
  return new Map(units.flatMap(({ files }) => files.map((file) => [file, files] as const)));
}

const served = "import { startApp } from '../harness.ts';";
const parent = "import { Installation } from '../support/installation.ts';";

const alone: readonly (readonly [what: string, text: string])[] = [
  ['sets up before each test', "import { beforeEach, test } from 'node:test';"],
  ['replaces what others use', 'eventWatchers.clear();'],
  ['stops the timers of its service', `${served}\nt.mock.timers.enable();`],
  ['ends its process', 'process.kill(process.pid);'],
  ['reads how it is run', 'const { FOLIO_TEST_SERVER } = process.env;'],
  ['sets a variable of its environment', "process.env.TZ = 'UTC';"],
  ['removes one', 'delete process.env.TZ;'],
  ['measures its process', 'const { user } = process.threadCpuUsage();'],
  ['has a database of its own', 'await cloneDatabase(sql, template, name);'],
  ['fills a database that others use', `${served}\nawait app.sql\`analyze\`;`],
  ['alters a table that others use', `${served}\nawait app.sql\`alter table invoices\`;`],
  ['starts processes that work in the database of its service', `${served}\n${parent}`],
];

for (const [what, text] of alone)
  test(`given a file that ${what}, then it has a process of its own`, (t) => {
    const file = 'test/scenarios/one.test.ts';
    assert.deepEqual(groupsOf(t, { [file]: text }).get(file), [file]);
  });

const together: readonly (readonly [what: string, text: string])[] = [
  ['clears up after itself', "import { after, test } from 'node:test';"],
  ['reads a variable of its environment', "const is_ci = process.env.CI === '1';"],
  ['may write its printed answers', 'const { FOLIO_TEST_UPDATE } = process.env;'],
  ['only tells of what would set it apart', '// It does without cloneDatabase.'],
  ['mocks what ends with its test', "t.mock.method(console, 'log');"],
  [
    'asks a program whose name has a word of SQL',
    "const analyze = () => spawnSync('systemd-analyze');\nanalyze();",
  ],
  ['signals another process', 'process.kill(child.pid);'],
];

for (const [what, text] of together)
  test(`given a file that ${what}, then it shares a process with others`, (t) => {
    const file = 'src/one.test.ts';
    assert.equal(groupsOf(t, { [file]: text }).get(file)?.length, fillers.length + 1);
  });

const own = "import { onOwnDatabase } from '../harness.ts';\nconst startApp = onOwnDatabase();";

test('given files with a database of their own, then they share a process with those that call the service', (t) => {
  const files = {
    'test/scenarios/one.test.ts': `${own}\n${parent}`,
    'test/scenarios/three.test.ts': `${own}\nawait app.sql\`alter table invoices\`;`,
    'test/scenarios/two.test.ts': served,
  };
  const groups = groupsOf(t, { ...files, 'test/own.test.ts': parent });
  assert.deepEqual(groups.get('test/scenarios/one.test.ts'), Object.keys(files));
});

test('given files that call every operation or every list, then they share a process of their own', (t) => {
  const calls = "import { callsOf } from '../support/catalogue-calls.ts';";
  const lists = "import { lists } from '../support/lists.ts';";
  const walks = { 'test/a.test.ts': `${served}\n${calls}`, 'test/c.test.ts': `${served}\n${lists}` };
  const groups = groupsOf(t, { ...walks, 'test/b.test.ts': served });
  assert.deepEqual(groups.get('test/a.test.ts'), Object.keys(walks));
});

test('given files that start installations, then they share a process with each other alone', (t) => {
  const files = ['test/scenarios/one.test.ts', 'test/scenarios/two.test.ts'];
  const groups = groupsOf(t, { [files[0]!]: parent, [files[1]!]: parent, 'test/app.test.ts': served });
  assert.deepEqual(groups.get(files[0]!), files);
});

test('given files that call the service, then they share a process with each other alone', (t) => {
  const files = ['test/scenarios/one.test.ts', 'test/scenarios/two.test.ts'];
  const groups = groupsOf(t, { [files[0]!]: served, [files[1]!]: served, 'test/own.test.ts': parent });
  assert.deepEqual(groups.get(files[0]!), files);
});
