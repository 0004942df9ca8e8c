import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { checkLayers, checkPackages, checkWeb } from '../../scripts/check-layers.ts';
import { sourceFolder } from './source-folder.ts';

function check(t: TestContext, files: Record<string, string>, checker = checkLayers): string[] {
  return checker(sourceFolder(t, files));
}

const refused: [name: string, file: string, text: string, line: string][] = [
  [
    'kernel reaches platform',
    'kernel/a.ts',
    "import { db } from '../platform/db.ts';",
    'src/kernel/a.ts:1 imports src/platform/db.ts: kernel is not above platform',
  ],
  [
    'platform reaches domain',
    'platform/a.ts',
    "import { x } from '../domain/x.ts';",
    'src/platform/a.ts:1 imports src/domain/x.ts: platform is not above domain',
  ],
  [
    'a module reaches a surface',
    'modules/a/index.ts',
    "export { x } from '../../surfaces/rest/x.ts';",
    'src/modules/a/index.ts:1 imports src/surfaces/rest/x.ts: modules is not above surfaces',
  ],
  [
    'a surface reaches an integration',
    'surfaces/rest/a.ts',
    "import '../../integrations/smtp/send.ts';",
    'src/surfaces/rest/a.ts:1 imports src/integrations/smtp/send.ts: surfaces is not above integrations',
  ],
  [
    'what surfaces share reaches one of them',
    'surfaces/shared/a.ts',
    "import { x } from '../rest/x.ts';",
    'src/surfaces/shared/a.ts:1 imports src/surfaces/rest/x.ts: what surfaces share knows none of them',
  ],
  [
    'what surfaces share knows HTTP',
    'surfaces/shared/a.ts',
    "import type { FastifyReply } from 'fastify';",
    'src/surfaces/shared/a.ts:1 imports fastify: what surfaces share knows no HTTP',
  ],
  [
    'a type goes up',
    'kernel/a.ts',
    "import type { Db } from '../platform/db.ts';",
    'src/kernel/a.ts:1 imports src/platform/db.ts: kernel is not above platform',
  ],
  [
    'a surface reaches a module',
    'surfaces/mcp/a.ts',
    "import { x } from '../../modules/series/index.ts';",
    'src/surfaces/mcp/a.ts:1 imports src/modules/series/index.ts: surfaces read modules/catalog.ts and modules/event-list.ts alone',
  ],
  [
    'a module is entered past its index',
    'modules/a/a.store.ts',
    "\nimport {\n  find,\n} from '../series/series.store.ts';",
    "src/modules/a/a.store.ts:2 imports src/modules/series/series.store.ts past the module's index.ts",
  ],
  [
    'main enters a module past its index',
    'main/a.ts',
    "const x = await import('../modules/series/series.store.ts');",
    "src/main/a.ts:1 imports src/modules/series/series.store.ts past the module's index.ts",
  ],
  [
    'a module reads the catalogue',
    'modules/a/index.ts',
    "import { catalog } from '../catalog.ts';",
    'src/modules/a/index.ts:1 imports src/modules/catalog.ts, which lists every module',
  ],
  [
    'the catalogue reaches a store',
    'modules/catalog.ts',
    "import { x } from './a/a.store.ts';",
    'src/modules/catalog.ts:1 imports src/modules/a/a.store.ts: it lists operations, jobs and events alone',
  ],
  [
    'a rule reaches platform',
    'modules/a/rules/r.ts',
    "import { db } from '../../../platform/db.ts';",
    'src/modules/a/rules/r.ts:1 imports src/platform/db.ts in pure code',
  ],
  [
    'a rule reaches its store',
    'modules/a/rules/r.ts',
    "import { find, type Row } from '../a.store.ts';",
    'src/modules/a/rules/r.ts:1 imports src/modules/a/a.store.ts: rules decide and fetch nothing',
  ],
  [
    'domain reads files',
    'domain/a.ts',
    "import { readFileSync } from 'node:fs';",
    'src/domain/a.ts:1 imports node:fs in pure code',
  ],
  [
    'domain draws random numbers',
    'domain/a.ts',
    "import { createHash, randomInt } from 'node:crypto';",
    'src/domain/a.ts:1 imports node:crypto in pure code',
  ],
  [
    'domain speaks SQL',
    'domain/a.ts',
    "import postgres from 'postgres';",
    'src/domain/a.ts:1 imports postgres in pure code',
  ],
  [
    'domain reads the clock',
    'domain/a.ts',
    '/** Why. */\nexport const now = () => new Date();',
    'src/domain/a.ts:2 uses new Date() in pure code',
  ],
  [
    'domain reads the clock without parentheses',
    'domain/a.ts',
    'export const now = () => new Date;',
    'src/domain/a.ts:1 uses new Date in pure code',
  ],
  [
    'the engine names a header',
    'platform/a.ts',
    "/** `ETag` */\nexport const headers = { 'Idempotent-Replayed': 'true' };",
    "src/platform/a.ts:2 names the header 'Idempotent-Replayed': surfaces alone do",
  ],
  [
    'domain makes an id',
    'domain/a.ts',
    'export const id = () => crypto.randomUUID();',
    'src/domain/a.ts:1 uses randomUUID( in pure code',
  ],
  [
    'source reaches a test',
    'main/a.ts',
    "import { x } from './x.test.ts';",
    'src/main/a.ts:1 imports the test src/main/x.test.ts',
  ],
  [
    'source leaves src',
    'main/a.ts',
    "import { x } from '../../test/harness.ts';",
    'src/main/a.ts:1 imports ../test/harness.ts, which is outside src',
  ],
  [
    'a folder is no layer',
    'helpers/a.ts',
    'export const a = 1;',
    'src/helpers/a.ts:1 lies in no layer: main, surfaces, integrations, modules, platform, domain, kernel',
  ],
];

for (const [name, file, text, line] of refused) {
  test(`refused: ${name}`, (t) => assert.deepEqual(check(t, { [file]: text }), [line]));
}

const allowed: [name: string, file: string, text: string][] = [
  [
    'down by several layers',
    'surfaces/rest/a.ts',
    "import { x } from '../../kernel/x.ts';\nimport { catalog } from '../../modules/catalog.ts';",
  ],
  [
    'a module by its index',
    'modules/a/operations/a.ts',
    "import { x } from '../../series/index.ts';\nimport { y } from '../a.store.ts';",
  ],
  [
    'a type of platform in a rule',
    'modules/a/rules/r.ts',
    "import type { Sql } from '../../../platform/db.ts';\nimport { type Row } from '../a.store.ts';",
  ],
  [
    'hashing in domain',
    'domain/a.ts',
    "import { createHash } from 'node:crypto';\nimport { isDeepStrictEqual } from 'node:util';\nimport { isValidIBAN } from 'ibantools';",
  ],
  ['a date from a value in domain', 'domain/a.ts', 'export const read = (text: string) => new Date(text);'],
  [
    'the catalogue lists operations and jobs',
    'modules/jobs.ts',
    "import { a } from './a/a.jobs.ts';\nimport { b } from './a/operations/b.ts';",
  ],
  [
    'the list of events reads the other lists',
    'modules/event-list.ts',
    "import { catalog } from './catalog.ts';\nimport { a } from './a/a.events.ts';",
  ],
  [
    'a surface reads the list of events',
    'surfaces/openapi/a.ts',
    "import { eventList } from '../../modules/event-list.ts';",
  ],
  [
    'a port in an integration',
    'integrations/aeat/a.ts',
    "import type { Authority } from '../../modules/verifactu/ports.ts';",
  ],
  [
    'anything in a comment',
    'kernel/a.ts',
    "/** As in\n * import { db } from '../platform/db.ts';\n */\n// import '../main/a.ts'",
  ],
  ['anything in a test', 'kernel/a.test.ts', "import { db } from '../platform/db.ts';"],
];

for (const [name, file, text] of allowed) {
  test(`allowed: ${name}`, (t) => assert.deepEqual(check(t, { [file]: text }), []));
}

test('a circle of modules is told once, with its way', (t) => {
  const files = {
    'modules/b/index.ts': "import '../c/index.ts';",
    'modules/c/index.ts': "\nexport * from '../a/index.ts';",
    'modules/a/x.ts': "import type { B } from '../b/index.ts';",
    'modules/d/index.ts': "import '../a/index.ts';",
  };
  assert.deepEqual(check(t, files), ['src/modules/a/x.ts:1 closes a circle: a -> b -> c -> a']);
});

const outside: [name: string, file: string, text: string, to: string][] = [
  [
    'the record builder that the simulator judges',
    'aeat-simulator/src/a.ts',
    "import { x } from '../../../src/integrations/aeat/record-xml.ts';",
    'src/integrations/aeat/record-xml.ts',
  ],
  [
    'a rule, for its type alone',
    'aeat-simulator/src/rules/a.ts',
    "import type { X } from '../../../../src/domain/tax/record-codes.ts';",
    'src/domain/tax/record-codes.ts',
  ],
  [
    'the harness of the tests, from a test',
    'aeat-simulator/src/a.test.ts',
    "import { startApp } from '../../../test/harness.ts';",
    'test/harness.ts',
  ],
  [
    'the files of another package',
    'aeat-simulator/src/a.ts',
    "import { x } from '../../embedded-postgres-server/src/processes.ts';",
    'packages/embedded-postgres-server/src/processes.ts',
  ],
];

for (const [name, file, text, to] of outside) {
  test(`refused in a package: ${name}`, (t) =>
    assert.deepEqual(check(t, { [file]: text }, checkPackages), [
      `packages/${file}:1 imports ${to}, which is outside the package`,
    ]));
}

test('allowed in a package: its own files, other packages and Node', (t) => {
  const text =
    "import { createServer } from 'node:https';\nimport forge from 'node-forge';\nimport { x } from './b/x.ts';\nimport { y } from '../test/y.ts';";
  assert.deepEqual(check(t, { 'aeat-simulator/src/a.ts': text }, checkPackages), []);
});

const inWeb: [name: string, file: string, text: string, says: string | null][] = [
  [
    'a value of the service',
    'src/pages/keys/a.ts',
    "import { scopes } from '../../../../src/kernel/scopes.ts';",
    'imports src/kernel/scopes.ts, of which it may have types alone',
  ],
  [
    'a value of the service, when it runs',
    'src/app/a.tsx',
    "const x = await import('../../../src/kernel/scopes.ts');",
    'imports src/kernel/scopes.ts, of which it may have types alone',
  ],
  [
    'a type of the service',
    'src/pages/keys/a.tsx',
    "import type { Scope } from '../../../../src/kernel/scopes.ts';",
    null,
  ],
  [
    'another page',
    'src/pages/keys/a.tsx',
    "import { x } from '../home/x.ts';",
    'imports web/src/pages/home/x.ts, which is a page of its own',
  ],
  [
    'a page, from what pages are made of',
    'src/parts/a.tsx',
    "import { x } from '../pages/home/x.ts';",
    'imports web/src/pages/home/x.ts, which is a page of its own',
  ],
  ['its own files and parts', 'src/pages/keys/a.tsx', "import './b.ts';\nimport '../../parts/c.tsx';", null],
  [
    'a test of the service',
    'src/app/a.ts',
    "import type { X } from '../../../test/harness.ts';",
    'imports test/harness.ts, which is outside web/src',
  ],
  ['Node', 'src/app/a.ts', "import { join } from 'node:path';", 'imports node:path, which no browser has'],
];

for (const [name, file, text, says] of inWeb) {
  test(`${says === null ? 'allowed' : 'refused'} in web: ${name}`, (t) =>
    assert.deepEqual(check(t, { [file]: text }, checkWeb), says === null ? [] : [`web/${file}:1 ${says}`]));
}
