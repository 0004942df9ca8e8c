import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeBoundedBreaks } from './bounded-breaks.ts';

const rows = (count: number, each = 'a') => Array.from({ length: count }, () => each);

const cases: [what: string, text: string, bounded: string][] = [
  ['no line end', 'a b', 'a b'],
  ['some line ends', 'a\nb\n\nc', 'a\nb\n\nc'],
  ['empty rows', 'a\n\n\n\nb\n \n\u00a0\nc', 'a\n\nb\n\nc'],
  ['line ends before and after', '\n\na\n\n', 'a'],
  ['nothing but line ends', '\n'.repeat(999), ''],
  ['a row for each letter', rows(100).join('\n'), `${rows(60).join('\n')}\n${rows(40).join(' ')}`],
];

for (const [what, text, bounded] of cases)
  test(`given a text with ${what}, then its rows are bounded and no word is lost`, () => {
    assert.equal(makeBoundedBreaks()(text), bounded);
  });

test('given 500 texts of many rows, then the document has 3,000 line ends, and the last texts have none', () => {
  const bounded = makeBoundedBreaks();
  const texts = rows(500).map(() => bounded(rows(100).join('\n')));
  assert.equal(texts.join('').split('\n').length - 1, 3000);
  assert.equal(texts.at(-1), rows(100).join(' '));
});
