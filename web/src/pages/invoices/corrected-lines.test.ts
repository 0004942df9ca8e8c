import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Choices, type Chosen, chosenOf } from './corrected-lines.ts';

const lines = [
  { id: 'a', quantity: 2 },
  { id: 'b', quantity: 1.5 },
  { id: 'c', quantity: -1 },
];
const left = { is_chosen: false, quantity: '1' };
const typed = (quantity: string) => ({ is_chosen: true, quantity });

const cases: [what: string, choices: Choices, expected: Chosen][] = [
  ['nothing touched: the whole invoice', {}, { bad: [], is_empty: false }],
  ['the same typed again', { a: typed('2,00') }, { bad: [], is_empty: false }],
  [
    'one line left out',
    { b: left },
    {
      lines: [
        { original_line_id: 'a', quantity: -2 },
        { original_line_id: 'c', quantity: 1 },
      ],
      bad: [],
      is_empty: false,
    },
  ],
  [
    'a part of one line',
    { a: left, b: typed('0,25'), c: left },
    { lines: [{ original_line_id: 'b', quantity: -0.25 }], bad: [], is_empty: false },
  ],
  ['no quantity', { a: typed(''), b: typed('dos') }, { bad: ['a', 'b'], is_empty: false }],
  ['nothing of a line', { a: typed('0') }, { bad: ['a'], is_empty: false }],
  [
    'a bad quantity of a line left out',
    { a: { ...typed('x'), is_chosen: false }, b: left, c: left },
    { bad: [], is_empty: true },
  ],
];
for (const [what, choices, expected] of cases)
  test(`given ${what}, then that is what is asked`, () =>
    assert.deepEqual(chosenOf(lines, choices, 'es'), expected));

test('given the other language, then its marks count', () =>
  assert.deepEqual(chosenOf([lines[1]!], { b: typed('0.25') }, 'en').lines, [
    { original_line_id: 'b', quantity: -0.25 },
  ]));
