import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FairRound } from './fair-round.ts';

test('given two turns each, when a company has had them, then it is served and gets no third', () => {
  const round = new FairRound(2);
  assert.deepEqual(
    [round.take('a'), round.take('a'), round.take('a'), round.take('b')],
    [true, true, false, true],
  );
  assert.deepEqual(round.served(), ['a']);
});

test('given a round that ended, when the served come again, then they have all turns', () => {
  const round = new FairRound(1);
  round.take('a');
  round.end();
  assert.deepEqual(round.served(), []);
  assert.equal(round.take('a'), true);
});

test('given very many companies, when each takes a turn, then the round remembers a bounded number of them', () => {
  const round = new FairRound(1);
  for (let i = 0; i < 5000; i++) assert.equal(round.take(`company ${i}`), true);
  assert.ok(round.served().length <= 1000);
});
