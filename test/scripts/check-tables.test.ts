import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { checkTables } from '../../scripts/check-tables.ts';
import { sourceFolder } from './source-folder.ts';

const migration = [
  '-- Quotes.',
  'create table quotes (id uuid);',
  'create table quote_lines (id uuid);',
  'create table delivery_notes (id uuid);',
  'create table due_work (id uuid);',
].join('\n');

function check(t: TestContext, files: Record<string, string>, sql = migration): string[] {
  const folder = sourceFolder(t, {
    'migrations/0001_quotes.sql': sql,
    'src/modules/quotes/index.ts': '',
    'src/modules/delivery-notes/index.ts': '',
    'src/modules/a/index.ts': '',
    ...files,
  });
  return checkTables(join(folder, 'src'), join(folder, 'migrations'));
}

const a = 'src/modules/a/a.store.ts';
const ways: [name: string, text: string, table: string, owner: string][] = [
  ['a query', 'tx`select 1 from quotes`', 'quotes', 'quotes'],
  ['a join', 'tx`select 1 from x left join quote_lines l on true`', 'quote_lines', 'quotes'],
  ['an insertion', 'tx`insert into delivery_notes as d (id) values (1)`', 'delivery_notes', 'delivery-notes'],
  ['the second of two tables', 'tx`select 1 from x y, quotes q where true`', 'quotes', 'quotes'],
  ['one that a deletion only reads', 'tx`delete from x using quotes q where true`', 'quotes', 'quotes'],
  ['one between quotes', 'tx`select 1 from "quotes"`', 'quotes', 'quotes'],
  ['one with its schema', 'tx`select 1 from public.quotes`', 'quotes', 'quotes'],
  ['one whose name the driver writes', 'tx`select 1 from $' + "{tx('quotes')}`", 'quotes', 'quotes'],
  ['ids that a helper reads', "readCreatedIds(tx, company_id, 'quotes', 1, day)", 'quotes', 'quotes'],
  ['a change', 'tx`update quotes set id = 1`', 'quotes', 'quotes'],
  ['a deletion', 'tx`delete from quotes`', 'quotes', 'quotes'],
  ['rows that a helper inserts', "insertRows(tx, company_id, 'quotes', columns, rows)", 'quotes', 'quotes'],
  ['marked rows that a helper inserts', "insertMarked(tx, id, 'quotes', columns, rows)", 'quotes', 'quotes'],
  ['a page that a helper reads', "readPageRows(tx, id, page, { table: 'quotes' })", 'quotes', 'quotes'],
  ['a row that an operation is about', "defineOperation({ row: 'quotes' })", 'quotes', 'quotes'],
  ['a row that a company has once', "defineOperation({ company_row: 'quotes' })", 'quotes', 'quotes'],
  ['a table of the platform', 'tx`select 1 from due_work`', 'due_work', 'platform'],
];
for (const [name, text, table, owner] of ways)
  test(`refused: ${name}`, (t) =>
    assert.deepEqual(check(t, { [a]: `\n${text};\n` }), [`${a}:2 names ${table}, a table of ${owner}`]));

test('refused: a table that no module owns', (t) =>
  assert.deepEqual(check(t, {}, 'create table quotes (id uuid);\ncreate table meals (id uuid);'), [
    "migrations/0001_quotes.sql:2 meals has no owner: begin its name with a module's, or list it in scripts/check-tables.ts",
  ]));

const allowed: [name: string, file: string, text: string][] = [
  [
    'a table of its own',
    'src/modules/quotes/rules/x.ts',
    'tx`select 1 from quotes join quote_lines on true`',
  ],
  ['the platform names its own', 'src/platform/due-work.ts', 'tx`select 1 from due_work`'],
  ['a table that a family names', a, `tx\`select 1 from \${tx(family.tables.documents)}\``],
  ['a comment', a, '/** Takes a row from quotes. */'],
  ['a test', 'src/modules/a/a.test.ts', 'tx`select 1 from quotes`'],
];
for (const [name, file, text] of allowed)
  test(`allowed: ${name}`, (t) => assert.deepEqual(check(t, { [file]: text }), []));
