import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partsOf } from './dotted.ts';

const names: [string, string[]][] = [
  ['invoice.verifactu_submitted', ['invoice.', 'verifactu_', 'submitted']],
  ['sandbox_clock.updated', ['sandbox_', 'clock.', 'updated']],
  ['ping', ['ping']],
  ['', []],
  ['a..b__', ['a..', 'b__']],
];
for (const [name, parts] of names)
  test(`given the name ${JSON.stringify(name)}, then a line may end after each of its signs`, () => {
    assert.deepEqual(partsOf(name), parts);
    assert.equal(partsOf(name).join(''), name);
  });
