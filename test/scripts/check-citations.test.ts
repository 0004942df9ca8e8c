import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkCitations } from '../../scripts/check-citations.ts';
import { sourceFolder } from './source-folder.ts';

const kept = { 'docs/adr/0015-billing-records.md': '', 'docs/email.md': '' };

const refused: [name: string, file: string, text: string, line: string][] = [
  [
    'an ADR that is not there',
    'src/a.ts',
    '/** As in ADR 99. */',
    'src/a.ts:1 cites ADR 99, which is not in docs/adr',
  ],
  [
    'one of two ADRs',
    'src/a.ts',
    '/** As in ADR 15 and 99. */',
    'src/a.ts:1 cites ADR 99, which is not in docs/adr',
  ],
  [
    'an ADR on the next line',
    'src/a.ts',
    '/**\n * As in ADR\n * 99.\n */',
    'src/a.ts:2 cites ADR 99, which is not in docs/adr',
  ],
  ['an ADR with a hyphen', 'src/a.ts', '// ADR-99', 'src/a.ts:1 cites ADR 99, which is not in docs/adr'],
  [
    'a page that is not there',
    'src/a.ts',
    '\n// See docs/fax.md.',
    'src/a.ts:2 cites docs/fax.md, which does not exist',
  ],
  [
    'a page of decisions',
    'src/a.ts',
    '/** Why (decisions, section 3). */',
    'src/a.ts:1 cites "decisions, section", which is not in the repository',
  ],
  [
    'the specification',
    'test/a.test.ts',
    '// The specification, section 4.',
    'test/a.test.ts:1 cites "specification", which is not in the repository',
  ],
  [
    'the way of a request',
    'src/a.ts',
    '// As the request path says.',
    'src/a.ts:1 cites "request path", which is not in the repository',
  ],
  [
    'a rule of scale',
    'migrations/0099_a.sql',
    'select 1; -- scale rule 14',
    'migrations/0099_a.sql:1 cites "scale rule", which is not in the repository',
  ],
  [
    'the stack',
    'src/a.ts',
    '// Why: stack, section 18.',
    'src/a.ts:1 cites "stack, section", which is not in the repository',
  ],
  [
    'facts of VeriFactu',
    'src/a.ts',
    '/**\n * See (VeriFactu\n * facts, section 8).\n */',
    'src/a.ts:2 cites "VeriFactu facts", which is not in the repository',
  ],
  [
    'a folder beside the repository',
    'README.md',
    'Read `../shared/a.md`.',
    'README.md:1 cites "../shared", which is not in the repository',
  ],
];
for (const [name, file, text, line] of refused)
  test(`refused: ${name}`, (t) =>
    assert.deepEqual(checkCitations(sourceFolder(t, { ...kept, [file]: text })), [line]));

const allowed: [name: string, text: string][] = [
  ['an ADR', '/** As in ADR 15. */'],
  ['a page', '// See docs/email.md.'],
  ['a law and an RFC', '/** Orden HAC/1177/2024, art. 7; RFC 9457. */'],
  ['what the authority publishes', "/** By the authority's specification 0.1.2. */"],
  ['a stack of calls', '// The stack of the error is kept.'],
  ['the words of code', "const text = 'the specification';"],
];
for (const [name, text] of allowed)
  test(`allowed: ${name}`, (t) =>
    assert.deepEqual(checkCitations(sourceFolder(t, { ...kept, 'src/a.ts': text })), []));

test('allowed: what a migration says that was applied before', (t) =>
  assert.deepEqual(
    checkCitations(sourceFolder(t, { ...kept, 'migrations/0004_a.sql': '-- scale rule 14' })),
    [],
  ));
