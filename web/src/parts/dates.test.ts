import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatMilliseconds } from './dates.ts';

const cases: [ms: number, es: string, en: string][] = [
  [53.555, '53,6 ms', '53.6 ms'],
  [7, '7 ms', '7 ms'],
  [0.04, '0 ms', '0 ms'],
  [12_345.6, '12.345,6 ms', '12,345.6 ms'],
];

const spaced = (text: string) => text.replace(/\s/g, ' ').replace(/(?<=\d)ms/, ' ms');

for (const [ms, es, en] of cases) {
  test(`${ms} milliseconds are ${es} in Spanish and ${en} in English`, () => {
    assert.equal(spaced(formatMilliseconds(ms, 'es')), es);
    assert.equal(spaced(formatMilliseconds(ms, 'en')), en);
  });
}
