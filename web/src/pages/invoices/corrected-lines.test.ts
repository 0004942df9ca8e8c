import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Choices, type Chosen, chosenOf, leftOf } from './corrected-lines.ts';

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
    assert.deepEqual(chosenOf({ lines, has_correctives: false }, choices, new Map(), 'es'), expected));

test('given the other language, then its marks count', () =>
  assert.deepEqual(
    chosenOf({ lines: [lines[1]!], has_correctives: false }, { b: typed('0.25') }, new Map(), 'en').lines,
    [{ original_line_id: 'b', quantity: -0.25 }],
  ));

const told = (id: string, quantity: number, description = 'Mesa', unit_price = 10) => ({
  id,
  quantity,
  description,
  unit_price,
});
const corrective = (type: 'differences' | 'substitution', ...undone: ReturnType<typeof told>[]) => ({
  correction: { type },
  lines: undone,
});
const invoiced = [told('a', 2), told('b', 1.5), told('c', -1, 'Abono')];

const leftovers: [what: string, correctives: Parameters<typeof leftOf>[1], left: number[]][] = [
  ['none', [], [2, 1.5, -1]],
  ['a part of a line', [corrective('differences', told('x', -0.3))], [1.7, 1.5, -1]],
  [
    'two that undo more than the first',
    [corrective('differences', told('x', -1), told('y', -1.2))],
    [0, 1.3, -1],
  ],
  ['more than there was', [corrective('differences', told('x', -9), told('y', 4, 'Abono'))], [0, 0, 0]],
  [
    'others',
    [corrective('differences', told('x', -1, 'Silla'), told('y', -1, 'Mesa', 11), told('z', 1))],
    [2, 1.5, -1],
  ],
  ['a substitution', [corrective('substitution', told('x', 2))], [2, 1.5, -1]],
];
for (const [what, correctives, left] of leftovers)
  test(`given correctives of ${what}, then what they left is offered`, () =>
    assert.deepEqual([...leftOf(invoiced, correctives).values()], left));

test('given a line of which nothing is left, then it is not chosen, and the whole is not undone again', () =>
  assert.deepEqual(
    chosenOf(
      { lines, has_correctives: true },
      {},
      new Map([
        ['a', 0],
        ['b', 0.5],
      ]),
      'es',
    ),
    {
      lines: [
        { original_line_id: 'b', quantity: -0.5 },
        { original_line_id: 'c', quantity: 1 },
      ],
      bad: [],
      is_empty: false,
    },
  ));

test('given correctives that left every quantity, when all is chosen, then its lines are named: without them what is left is undone', () =>
  assert.deepEqual(chosenOf({ lines: [lines[0]!], has_correctives: true }, {}, new Map(), 'es').lines, [
    { original_line_id: 'a', quantity: -2 },
  ]));
