import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type FormatParts,
  formatFault,
  formatFits,
  isSeriesCode,
  parseFormat,
  periodKey,
  renderNumber,
  type SeriesReset,
} from './series-format.ts';

function read(format: string): FormatParts {
  const parts = parseFormat(format);
  if ('fault' in parts) assert.fail(`${format}: ${parts.fault}`);
  return parts;
}

const renderings = [
  ['{code}{year}-{number:6}', 'F', '2026-05-09', 1, 'F2026-000001'],
  ['{code}/{yy}/{month}/{number:4}', 'FR', '2026-05-09', 37, 'FR/26/05/0037'],
  ['{number}', 'F', '2026-05-09', 1, '1'],
  ['{number:3}', 'F', '2026-05-09', 1234, '1234'],
  ['{number:12}', 'F', '2026-05-09', 999_999_999_999, '999999999999'],
  ['FAC & CO {year}.{number:2}#~', 'F', '2030-12-31', 5, 'FAC & CO 2030.05#~'],
] as const;
for (const [format, code, on, number, expected] of renderings) {
  test(`${format} of number ${number} on ${on} is ${expected}`, () => {
    assert.equal(renderNumber(read(format), { code, on, number }), expected);
  });
}

const unreadable = [
  ['{code', 'character_not_allowed'],
  ['code}', 'character_not_allowed'],
  ['{{number}}', 'character_not_allowed'],
  ['{number}"', 'character_not_allowed'],
  ["{number}'", 'character_not_allowed'],
  ['<{number}', 'character_not_allowed'],
  ['>{number}', 'character_not_allowed'],
  ['={number}', 'character_not_allowed'],
  ['Nº{number}', 'character_not_allowed'],
  ['a\t{number}', 'character_not_allowed'],
  ['a\u007f{number}', 'character_not_allowed'],
  ['\u00a0{number}', 'character_not_allowed'],
  [' {number}', 'edge_space'],
  ['{number} ', 'edge_space'],
  ['{}{number}', 'unknown_token'],
  ['{day}{number}', 'unknown_token'],
  ['{CODE}{number}', 'unknown_token'],
  ['{year:4}{number}', 'unknown_token'],
  ['{number:}', 'unknown_token'],
  ['{number:-1}', 'unknown_token'],
  ['{number:x}', 'unknown_token'],
  ['{number:0}', 'width_out_of_range'],
  ['{number:13}', 'width_out_of_range'],
  [`${'a'.repeat(120)}{number}`, 'too_long'],
] as const;
for (const [format, expected] of unreadable) {
  test(`"${format.slice(0, 40)}" is refused: ${expected}`, () => {
    const result = parseFormat(format);
    assert.equal('fault' in result && result.fault, expected);
    assert.match('fault' in result ? result.message : '', /^\p{Lu}.+\.$/u);
  });
}

test('each character is allowed exactly when the authority takes it in a number', () => {
  for (let point = 0; point < 0x250; point++) {
    const character = String.fromCharCode(point);
    const taken = point >= 32 && point <= 126 && !`"'<>=`.includes(character);
    const readable = !('fault' in parseFormat(`a${character}a{number}`));
    assert.equal(readable, taken && !'{}'.includes(character), JSON.stringify(character));
  }
});

const fits = [
  ['{number}', 'never', undefined],
  ['{year}{number}', 'never', undefined],
  ['{year}{number}', 'year', undefined],
  ['{yy}-{number}', 'year', undefined],
  ['{number}/{month}/{yy}', 'month', undefined],
  ['{year}{month}{number}', 'year', undefined],
  ['', 'never', 'one_number_token'],
  ['{code}{year}', 'never', 'one_number_token'],
  ['{number}-{number:3}', 'never', 'one_number_token'],
  ['{code}{number}', 'year', 'year_token_missing'],
  ['{month}{number}', 'year', 'year_token_missing'],
  ['{month}{number}', 'month', 'year_token_missing'],
  ['{year}{number}', 'month', 'month_token_missing'],
  [`${'a'.repeat(48)}{number}`, 'never', undefined],
  [`${'a'.repeat(49)}{number}`, 'never', 'too_long'],
  [`${'a'.repeat(24)}{code}{year}{number:6}`, 'year', undefined],
  [`${'a'.repeat(25)}{code}{year}{number:6}`, 'year', 'too_long'],
  ['{code}{code}{code}{number}', 'never', 'too_long'],
] as const;
for (const [format, reset, expected] of fits) {
  test(`"${format.slice(0, 40)}" with reset ${reset}: ${expected ?? 'fits'}`, () => {
    assert.equal(formatFault(read(format), reset)?.fault, expected);
    assert.equal(formatFits(read(format), reset), expected === undefined);
  });
}

test('the period is nothing, the year or the month', () => {
  assert.equal(periodKey('never', '2026-05-09'), '');
  assert.equal(periodKey('year', '2026-05-09'), '2026');
  assert.equal(periodKey('month', '2026-05-09'), '2026-05');
});

test('a code is 1 to 20 characters that a number may carry', () => {
  for (const code of ['F', 'FR-1', 'A B', 'a'.repeat(20)]) assert.ok(isSeriesCode(code), code);
  for (const code of ['', ' F', 'F ', 'Ñ', 'F=', 'F{', 'a'.repeat(21)]) assert.ok(!isSeriesCode(code), code);
});

test('what the callers should have checked is thrown, not written into a number', () => {
  const parts = read('{code}{year}{number}');
  const right = { code: 'F', on: '2026-05-09', number: 1 };
  for (const number of [0, -1, 1.5, Number.NaN, 1e12]) {
    assert.throws(() => renderNumber(parts, { ...right, number }), RangeError);
  }
  for (const on of ['2026-5-9', '2026-13-01', '2026-05-32', '2026-05-09T00:00:00Z', '']) {
    assert.throws(() => renderNumber(parts, { ...right, on }), RangeError);
    assert.throws(() => periodKey('never', on), RangeError);
  }
  for (const code of ['', 'Ñ']) assert.throws(() => renderNumber(parts, { ...right, code }), RangeError);
});

const resets = fc.constantFrom<SeriesReset>('never', 'year', 'month');
const literal = fc.stringMatching(/^[0-9A-Za-z/.-]{0,5}$/);
const token = fc.constantFrom('{code}', '{year}', '{yy}', '{month}', '{number}', '{number:3}', '{number:8}');
/** Digits of literals, dates and counter may touch. */
const fitting = fc
  .tuple(
    fc.array(fc.oneof(literal, token, token), { maxLength: 6 }),
    fc.constantFrom(0, 1, 2),
    fc.nat(),
    resets,
  )
  .map(([pieces, required, at, reset]) => {
    const needed = [['{number}'], ['{year}{number:4}'], ['{number}', '{month}', '{yy}']][required] ?? [];
    const format = pieces.toSpliced(at % (pieces.length + 1), 0, ...needed).join('');
    return { parts: parseFormat(format), reset };
  })
  .filter((made): made is { parts: FormatParts; reset: SeriesReset } => {
    return !('fault' in made.parts) && formatFits(made.parts, made.reset);
  });
const day = fc
  .tuple(
    fc.integer({ min: 2000, max: 2099 }),
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 1, max: 28 }),
  )
  .map(([year, month, date]) => `${year}-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`);
const counter = fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 999_999_999_999 }));
const code = fc.stringMatching(/^[A-Z0-9]{1,20}$/);

test('a text of a fitting format is 1 to 60 characters that the authority takes', () => {
  fc.assert(
    fc.property(fitting, code, day, counter, ({ parts }, code, on, number) => {
      assert.match(renderNumber(parts, { code, on, number }), /^[ !#-&(-;?-~]{1,60}$/);
    }),
  );
});

test('two numbers of a series have one text only when period and counter are the same', () => {
  fc.assert(
    fc.property(fitting, code, day, day, counter, counter, ({ parts, reset }, code, on, on2, one, other) => {
      const first = [periodKey(reset, on), one] as const;
      const second = [periodKey(reset, on2), other] as const;
      fc.pre(first[0] !== second[0] || one !== other);
      assert.notEqual(
        renderNumber(parts, { code, on, number: one }),
        renderNumber(parts, { code, on: on2, number: other }),
      );
    }),
    { numRuns: 1000 },
  );
});

test('within a period and its width, texts are in the order of their numbers', () => {
  const wide = fc.integer({ min: 1, max: 12 }).chain((width) => {
    const number = fc.integer({ min: 1, max: 10 ** width - 1 });
    return fc.tuple(fc.constant(read(`{code}/{year}{month}-{number:${width}}/x`)), number, number);
  });
  fc.assert(
    fc.property(wide, code, day, ([parts, one, other], code, on) => {
      const [low, high] = [Math.min(one, other), Math.max(one, other)];
      const lower = renderNumber(parts, { code, on, number: low });
      const higher = renderNumber(parts, { code, on, number: high });
      assert.equal(lower < higher, low < high);
      assert.equal(lower.length, higher.length);
    }),
  );
});

test('any text is read without throwing, and what is read renders', () => {
  const noise = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom('{', '}', 'number', ':', '4', 'code', '-') }),
  );
  fc.assert(
    fc.property(noise, (format) => {
      const parts = parseFormat(format);
      if (!('fault' in parts)) renderNumber(parts, { code: 'F', on: '2026-05-09', number: 7 });
    }),
  );
});
