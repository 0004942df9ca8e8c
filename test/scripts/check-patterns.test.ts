import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { checkPatterns, type SchemaPlace } from '../../scripts/check-patterns.ts';
import { sourceFolder } from './source-folder.ts';

/** @returns what is said of each pattern */
function inSource(t: TestContext, ...literals: string[]): string[] {
  const lines = literals.map((literal, at) => `export const p${at} = ${literal};`);
  const folder = sourceFolder(t, { 'src/a.ts': lines.join('\n') });
  return checkPatterns([], [join(folder, 'src')]).faults;
}

const inSchema = (schema: object): string[] =>
  checkPatterns([{ where: 'create_x body', schema } satisfies SchemaPlace], []).faults;

const backtracking: [how: string, literal: string][] = [
  ['exponentially', '/^(a+)+$/'],
  ['exponentially, over two branches', '/^(?:a|a)*$/'],
  ['exponentially, by counts', '/^(?:a{1,}){1,}$/'],
  ['exponentially, slowly growing', '/^(?:a|aaa|aaaaaa)*$/'],
  ['with the third power', '/^\\d*\\d*\\d*$/'],
  ['with the square, at an end', '/^[A-Za-z0-9+/\\r\\n]+=?=?[A-Za-z0-9+/\\r\\n]*$/'],
  ['with the square, from every start', '/\\s+$/'],
  ['with the square, in a tight loop', '/ +$/'],
  ['with the square, behind a head', '/^"[^"]*"?[^"]*"$/'],
];
for (const [how, literal] of backtracking)
  test(`a pattern that backtracks ${how} is caught: ${literal}`, (t) => {
    const faults = inSource(t, literal);
    assert.equal(faults.length, 1, 'it passed');
    assert.ok(faults[0]!.includes(literal), faults[0]);
  });

test('patterns of linear time pass', (t) => {
  const linear = ['/^[^\\0-\\x1f]*$/', '/^[A-Z]{2}\\d+$/', '/^(?:\\d+,)*\\d+$/', '/a|b|cd/g', '/^a*b*$/'];
  assert.deepEqual(inSource(t, ...linear), []);
});

test('a pattern of a schema is tried up to its maxLength, at any depth, and must have one', () => {
  const square = '^[a-z]+-?[a-z]*$';
  const at = (field: object) => ({ properties: { lines: { items: { anyOf: [{ type: 'null' }, field] } } } });
  assert.deepEqual(inSchema(at({ pattern: square, maxLength: 100 })), []);
  const [long] = inSchema(at({ pattern: square, maxLength: 500_000 }));
  assert.match(long ?? '', /^create_x body\.properties\.lines\.items\.anyOf\.1: /);
  const [open] = inSchema(at({ pattern: '^x$' }));
  assert.match(open ?? '', /has no maxLength$/);
});
