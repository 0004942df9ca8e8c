import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SeriesFields, SeriesInput } from '../series.schema.ts';
import { applySeriesInput, changedNumbering, newSeriesFields, readSeriesFormat } from './series-fields.ts';

const series: SeriesFields = {
  code: 'T',
  name: null,
  document_type: 'invoice',
  format: '{code}{year}-{number:6}',
  reset: 'year',
  first_number: 1,
};

test('a new series has the usual format of its reset', () => {
  const sent = { code: 'T', document_type: 'quote' } as const;
  assert.deepEqual(newSeriesFields(sent), { ...series, document_type: 'quote' });
  for (const reset of ['never', 'year', 'month'] as const) {
    const fields = newSeriesFields({ ...sent, reset });
    assert.equal(fields.reset, reset);
    assert.ok(readSeriesFormat(fields).length > 0);
  }
});

const faults: readonly (readonly [fields: Partial<SeriesFields>, param: string])[] = [
  [{ code: ' T' }, 'code'],
  [{ code: 'Ñ' }, 'code'],
  [{ code: '<T' }, 'code'],
  [{ format: '{code}' }, 'format'],
  [{ format: '{code}{number}{number}' }, 'format'],
  [{ format: '{code}{day}{number}' }, 'format'],
  [{ format: '{code}-{number}' }, 'format'],
  [{ format: '{code}{year}-{number}', reset: 'month' }, 'format'],
  [{ format: 'á{year}{number}' }, 'format'],
  [{ format: `${'x'.repeat(45)}{year}{number}` }, 'format'],
];

for (const [fields, param] of faults) {
  test(`${JSON.stringify(fields)} is refused by its ${param}`, () => {
    assert.throws(
      () => readSeriesFormat({ ...series, ...fields }),
      (error: { message: string; details?: { param?: string } }) =>
        error.message === 'parameter_invalid' && error.details?.param === param,
    );
  });
}

const changes: readonly (readonly [input: SeriesInput, renumbers: string | undefined])[] = [
  [{}, undefined],
  [{ name: 'Tienda' }, undefined],
  [{ code: 'T', format: series.format, reset: 'year', next_number: 7 }, undefined],
  [{ code: 'U' }, 'code'],
  [{ format: '{code}{yy}-{number}' }, 'format'],
  [{ reset: 'never' }, 'reset'],
  [{ next_number: 1 }, 'next_number'],
];

for (const [input, renumbers] of changes) {
  test(`${JSON.stringify(input)} changes ${renumbers ?? 'nothing that numbers rest on'}`, () => {
    assert.equal(changedNumbering({ ...series, next_number: 7 }, input), renumbers);
  });
}

test('the number shown, sent back, leaves the first number as it was', () => {
  assert.deepEqual(applySeriesInput(series, { next_number: 7 }, 7), series);
  assert.equal(applySeriesInput(series, { next_number: 9 }, 7).first_number, 9);
});
