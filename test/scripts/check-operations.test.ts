import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { checkOperations } from '../../scripts/check-operations.ts';
import { sourceFolder } from './source-folder.ts';

function check(t: TestContext, files: Record<string, string>): string[] {
  return checkOperations(['approve_quote'], sourceFolder(t, files));
}

const own =
  "/** Approves. */\nexport const approveQuote = defineOperation({\n  name: 'approve_quote',\n});\n";
const made = "export const approveQuote = moveDocument(quotes, 'approve', {\n  name: 'approve_quote',\n});\n";
const home = 'quotes/operations/approve-quote.ts';
const beside = 'quotes/operations/approve-quote.test.ts';
const list = 'quotes/quotes.operations.ts';
const without = 'has no test: none lies beside it, and none in quotes names it';

const allowed: [name: string, files: Record<string, string>][] = [
  ['a file of its name, with a test beside it', { [home]: own, [beside]: '' }],
  [
    'a file of its name, and a test of the module that names it',
    { [home]: own, 'quotes/a.test.ts': "test('approve_quote: it is approved')" },
  ],
  ['a line in the list of operations, with a test of its name', { [list]: made, [beside]: '' }],
  [
    'a line in the list of operations, with a test of the verb',
    { [list]: made, 'quotes/operations/move-document.test.ts': '' },
  ],
];
for (const [name, files] of allowed) test(`allowed: ${name}`, (t) => assert.deepEqual(check(t, files), []));

const refused: [name: string, files: Record<string, string>, line: string][] = [
  [
    'a file of another name',
    { 'quotes/operations/approve.ts': own, 'quotes/operations/approve.test.ts': '' },
    'src/modules/quotes/operations/approve.ts:3 approve_quote belongs in operations/approve-quote.ts or in a *.operations.ts',
  ],
  [
    'a name that is put together',
    { [list]: 'export const approveQuote = move({ name: `approve_` + one });' },
    "src/modules/catalog.ts:1 approve_quote stands nowhere as name: 'approve_quote'",
  ],
  [
    'a name in a comment alone',
    { [home]: "// name: 'approve_quote'\nexport const approveQuote = 1;" },
    "src/modules/catalog.ts:1 approve_quote stands nowhere as name: 'approve_quote'",
  ],
  [
    'another exported name',
    { [home]: own.replace('approveQuote', 'approve'), [beside]: '' },
    `src/modules/${home}:3 approve_quote is not exported as approveQuote`,
  ],
  ['no test', { [home]: own }, `src/modules/${home}:3 approve_quote ${without}`],
  [
    'a test of another module',
    { [home]: own, 'invoices/a.test.ts': "'approve_quote'" },
    `src/modules/${home}:3 approve_quote ${without}`,
  ],
  [
    'a test that names it in a comment alone',
    { [home]: own, 'quotes/a.test.ts': '/** approve_quote */' },
    `src/modules/${home}:3 approve_quote ${without}`,
  ],
  [
    'a test that names a longer one',
    { [list]: made, 'quotes/a.test.ts': "'approve_quote_lines'" },
    `src/modules/${list}:2 approve_quote ${without}`,
  ],
];
for (const [name, files, line] of refused)
  test(`refused: ${name}`, (t) => assert.deepEqual(check(t, files), [line]));
