import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkFunctions } from '../../scripts/check-functions.ts';
import { sourceFolder } from './source-folder.ts';

/** With so many lines from its first to its last. */
function functionOf(lines: number, opening: string, line = '  f();', closing = '}'): string {
  return `${[opening, ...Array.from({ length: lines - 2 }, () => line), closing].join('\n')}\n`;
}

const plain = 'export function a() {';
const arrow = 'export const a = async () => {';

const kept: readonly (readonly [what: string, file: string, text: string])[] = [
  ['has 100 lines', 'src/a.ts', functionOf(100, plain)],
  ['is short in a long file', 'src/a.ts', functionOf(60, plain) + functionOf(60, arrow)],
  ['is of a package', 'src/node_modules/a/a.js', functionOf(101, plain)],
  ['was built', 'web/dist/a.js', functionOf(101, plain)],
  ['is being built', 'web/dist-old-7/a.js', functionOf(101, plain)],
];

for (const [what, file, text] of kept)
  test(`given a function that ${what}, then it passes`, (t) => {
    assert.deepEqual(checkFunctions(sourceFolder(t, { [file]: text })), []);
  });

const refused: readonly (readonly [what: string, file: string, text: string])[] = [
  ['has a name', 'src/a.ts', functionOf(101, plain)],
  ['is an arrow', 'src/a.ts', functionOf(101, arrow)],
  ['is the member of an object', 'src/a.ts', functionOf(101, 'export const o = { a() {', '  f();', '} };')],
  ['is the method of a class', 'src/a.ts', functionOf(101, 'export class C { a() {', '  f();', '} }')],
  ['is blank', 'src/a.ts', functionOf(101, plain, '')],
  ['is a comment', 'src/a.ts', functionOf(101, plain, '  // Why.')],
  ['is a text', 'src/a.ts', functionOf(101, 'export const a = () => `', 'text', '`;')],
  ['is full of functions', 'src/a.ts', functionOf(101, plain, '  const b = () => f();')],
  ['has many parameters', 'src/a.ts', functionOf(101, 'export function a(', '  f,', ') {}')],
  ['is a test', 'test/scenarios/a.test.ts', functionOf(101, "test('a', () => {", '  f();', '});')],
  ['stands in a folder that begins as one of built files', 'src/distances/a.ts', functionOf(101, plain)],
  ['is a script', 'scripts/a.ts', functionOf(101, plain)],
  ['measures', 'bench/a.ts', functionOf(101, plain)],
  ['is of a package of ours', 'packages/a/src/a.ts', functionOf(101, plain)],
  ['draws', 'web/src/a.tsx', functionOf(101, 'export const A = () => (<>', '  <br />', '</>);')],
  ['runs in a browser', 'src/surfaces/a.js', functionOf(101, plain)],
  ['is required', 'src/a.cjs', functionOf(101, 'exports.a = () => {')],
];

for (const [what, file, text] of refused)
  test(`given a function of 101 lines that ${what}, then it is refused`, (t) => {
    const found = checkFunctions(sourceFolder(t, { 'src/before.ts': functionOf(3, plain), [file]: text }));
    assert.equal(found.length, 1, found.join());
    assert.match(found[0]!, new RegExp(`^${file}:1 has a function of 101 lines$`));
  });
