import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addDays } from '../../../kernel/dates.ts';
import { dueDays, stageOf } from './reminder-stages.ts';

const due = '2027-03-10';
const invoice = { due_on: due, issued_on: '2027-02-10' };
const on = (days: number) => addDays(due, days);

type Case = [
  title: string,
  stages: number[],
  after: number,
  through: number,
  expected: number | null,
  row?: Partial<typeof invoice>,
];
const cases: Case[] = [
  ['the day before the first stage', [7, 30], 5, 6, null],
  ['the day of a stage', [7, 30], 6, 7, 7],
  ['the day after a stage', [7, 30], 7, 8, null],
  ['the day of the next stage', [7, 30], 29, 30, 30],
  ['long after the last stage', [7, 30], 400, 401, null],
  ['stages in any order', [30, 7], 6, 7, 7],
  ['the due day itself', [0, 7], -1, 0, 0],
  ['the day before the due day', [0, 7], -2, -1, null],
  ['the due day, when it was issued on it', [0, 7], -1, 0, null, { issued_on: due }],
  ['the next stage of one that was due at once', [0, 7], 6, 7, 7, { issued_on: due }],
  ['several days without work: the newest stage alone', [0, 7, 30], -5, 31, 30],
  ['several days without work, in which one stage came', [0, 7, 30], 5, 20, 7],
  ['several days without work between two stages', [0, 7, 30], 8, 29, null],
  ['a stage of before the schedule was switched on', [7, 30], 10, 11, null],
  ['a stage that was added after its day', [3, 7], 7, 8, null],
  ['a day that is done with', [7], 7, 7, null],
  ['a mark that is ahead of the day', [7], 8, 7, null],
  ['no stages', [], 6, 7, null],
];
for (const [title, stages, after, through, expected, more] of cases) {
  test(`${title}: ${expected}`, () => {
    const days = { after: on(after), through: on(through) };
    assert.equal(stageOf({ ...invoice, ...more }, stages, days), expected);
  });
}

test('an invoice without a due day, or without a day of issue, has no stage', () => {
  const days = { after: on(6), through: on(7) };
  assert.equal(stageOf({ ...invoice, due_on: null }, [7], days), null);
  assert.equal(stageOf({ ...invoice, issued_on: null }, [7], days), null);
});

const ranges: [string, number[], number, number, [number, number][]][] = [
  [
    'one day, one range a stage',
    [7, 30],
    -1,
    0,
    [
      [-31, -30],
      [-8, -7],
    ],
  ],
  ['stages that follow each other make one', [1, 2, 3], -1, 0, [[-4, -1]]],
  ['many days make one of all', [0, 7, 30], -40, 0, [[-70, 0]]],
  ['nothing is left to do', [0, 7], 0, 0, []],
  ['the mark is ahead', [0, 7], 1, 0, []],
  ['no stages', [], -1, 0, []],
];
for (const [title, stages, after, through, expected] of ranges) {
  test(`due days: ${title}`, () => {
    assert.deepEqual(
      dueDays(stages, { after: on(after), through: on(through) }),
      expected.map(([from, to]) => ({ after: on(from), through: on(to) })),
    );
  });
}

const day = fc.integer({ min: -60, max: 500 });
const someStages = fc.uniqueArray(fc.integer({ min: 0, max: 365 }), { maxLength: 10 });

test('whatever days the work is done on, an invoice has each stage once at most, and the last that came is given', () => {
  fc.assert(
    fc.property(
      someStages,
      day,
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 30 }),
      (stages, start, steps) => {
        const given: number[] = [];
        let at = start;
        for (const step of steps) {
          const days = { after: on(at), through: on(at + step) };
          const stage = stageOf(invoice, stages, days);
          if (stage !== null) {
            given.push(stage);
            const found = dueDays(stages, days).filter((r) => due > r.after && due <= r.through);
            assert.equal(found.length, 1, 'it is found, in one range');
          }
          at += step;
        }
        assert.deepEqual(
          given,
          [...new Set(given)].sort((a, b) => a - b),
        );
        const came = stages.filter((stage) => stage > start && stage <= at);
        if (came.length > 0) assert.equal(given.at(-1), Math.max(...came));
        else assert.deepEqual(given, []);
      },
    ),
  );
});
