import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countCharacters, isLongerThan } from './text-length.ts';

const cases: [text: string, characters: number][] = [
  ['', 0],
  ['abc', 3],
  ['ñandú', 5],
  ['🏠', 1],
  ['a🏠b', 3],
  ['🏠'.repeat(120), 120],
];
for (const [text, characters] of cases)
  test(`"${text.slice(0, 8)}" of ${text.length} code units has ${characters} characters`, () => {
    assert.equal(countCharacters(text), characters);
    assert.equal(isLongerThan(text, characters), false);
    if (characters > 0) assert.equal(isLongerThan(text, characters - 1), true);
  });

test('half a surrogate pair is one character', () => assert.equal(countCharacters('\ud83c'), 1));
