import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  countedValues,
  type DecimalInput,
  ExactNumber,
  jsonBytesInSteps,
  jsonInSteps,
  jsonParts,
  numberText,
  parseJson,
  rememberJson,
  requestBounds,
} from './json.ts';
import { runSteps } from './steps.ts';
import { commonErrors } from './common.errors.ts';

/** The text, its decimal value, whether it stayed a JavaScript number. */
const numbers = [
  ['0', '0', true],
  ['-0', '0', true],
  ['1.10', '1.1', true],
  ['0.1', '0.1', true],
  ['1e3', '1000', true],
  ['1E+3', '1000', true],
  ['123456789012345', '123456789012345', true],
  ['9007199254740993', '9007199254740993', false],
  ['12345678901234567890', '12345678901234567890', false],
  ['0.1234567890123456789', '0.1234567890123456789', false],
  // As doubles these would be Infinity and 0.
  ['1e400', '1e400', false],
  ['-1e400', '-1e400', false],
  ['1e-400', '1e-400', false],
  // A very long spelling stays text, whatever its value.
  [`0.${'0'.repeat(60)}`, `0.${'0'.repeat(60)}`, false],
] as const;
for (const [source, text, is_number] of numbers) {
  test(`the number ${source.slice(0, 30)} is read as ${text.slice(0, 30)}`, () => {
    const value = parseJson(source) as DecimalInput;
    assert.equal(numberText(value), text);
    assert.equal(typeof value === 'number', is_number);
  });
}

test('an exact number is written with the digits it was read with', () => {
  const text = '{"a":12345678901234567890,"b":[1e400,0.1]}';
  assert.equal(JSON.stringify(parseJson(text)), text);
});

for (const [where, before, after] of [
  ['in a list', '[', ']'],
  ['later in a list', '["5e3",', ',1]'],
  ['of a key', '{"a":', '}'],
  ['after a space', '{"a": ', ' }'],
  ['after a line feed', '[1,\n', '\n]'],
  ['after a tab', '[\t', ']'],
  ['after a carriage return', '[\r', ']'],
] as const) {
  test(`a number ${where} keeps the digits it was read with`, () => {
    for (const number of ['12345678901234567890', '-0.12345678901234567', '1e400', '-1E-400']) {
      const spaceless = (before + number + after).replace(/\s/g, '');
      assert.equal(JSON.stringify(parseJson(before + number + after)), spaceless);
    }
  });
}

test('any number keeps its decimal value from text to text', () => {
  const digits = fc.stringMatching(/^(0|[1-9]\d{0,24})(\.\d{1,20})?$/);
  fc.assert(
    fc.property(digits, fc.boolean(), (source, is_negative) => {
      const text = (is_negative ? '-' : '') + source;
      const value = parseJson(text) as DecimalInput;
      assert.equal(plain(numberText(value)), plain(text));
    }),
  );
});

/** Without exponent and needless zeros. */
function plain(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = (whole + fraction).padEnd(whole.length + Math.max(0, Number(exponent)), '0');
  const point = whole.length + Number(exponent);
  const padded = point < 0 ? '0'.repeat(-point) + digits : digits;
  const at = Math.max(0, point);
  const integer = padded.slice(0, at).replace(/^0+/, '') || '0';
  const decimals = padded.slice(at).replace(/0+$/, '');
  const value = decimals === '' ? integer : `${integer}.${decimals}`;
  return value === '0' ? value : sign + value;
}

test('of a key that comes twice, the last one counts', () => {
  assert.deepEqual(parseJson('{"a":1,"b":2,"a":3}'), { a: 3, b: 2 });
});

test('__proto__ is a key like any other and reaches no prototype', () => {
  const value = parseJson('{"__proto__":{"is_admin":true},"a":1}') as Record<string, unknown>;
  assert.deepEqual(Object.keys(value), ['__proto__', 'a']);
  assert.equal(Object.getPrototypeOf(value), Object.prototype);
  assert.equal((value as { is_admin?: boolean }).is_admin, undefined);
  assert.equal(({} as { is_admin?: boolean }).is_admin, undefined);
});

const refused = [
  ['nothing', ''],
  ['a trailing comma', '[1,]'],
  ['a byte order mark', '\ufeff{}'],
  ['NaN', 'NaN'],
  ['a leading zero', '01'],
  ['a bare point', '1.'],
  ['a raw line feed in a text', '"a\nb"'],
  ['two values', '{} {}'],
  ['single quotes', "{'a':1}"],
] as const;
for (const [what, text] of refused) {
  test(`${what} is not JSON`, () => {
    assert.throws(() => parseJson(text), SyntaxError);
  });
}

test('nesting is bounded, for lists and objects, whatever the stack would bear', () => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  assert.doesNotThrow(() => parseJson(nested(100)));
  for (const text of [nested(101), '['.repeat(1_048_576), `${'{"a":'.repeat(101)}1${'}'.repeat(101)}`]) {
    assert.throws(() => parseJson(text), RangeError);
  }
  // Brackets within texts do not nest, even behind escaped quotes.
  assert.equal(parseJson(JSON.stringify('['.repeat(500))), '['.repeat(500));
  assert.deepEqual(parseJson(JSON.stringify({ a: `"\\${'{'.repeat(500)}` })), { a: `"\\${'{'.repeat(500)}` });
  assert.equal((parseJson(`[${'[],'.repeat(5000)}[]]`) as unknown[]).length, 5001);
});

test('whatever JSON.stringify writes is read back as it was', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const text = JSON.stringify(value);
      assert.equal(JSON.stringify(parseJson(text)), text);
    }),
  );
});

test('an ExactNumber prints as itself within any value', () => {
  assert.equal(JSON.stringify([new ExactNumber('0.10')]), '[0.10]');
});

test('a request has bounds for values, keys and long numbers, and a text within them reads as without them', () => {
  const bounds = { values: 5, keys: 3, long_numbers: 2 };
  const cases = [
    ['[1,2,3]', true],
    ['[1,2,3,4]', true],
    ['[1,2,3,4,5]', false],
    ['[[[[[1]]]]]', false],
    ['{"a":1,"b":2,"c":3}', true],
    ['{"a":1,"b":2,"c":3,"d":4}', false],
    ['{"a":{"a":1,"b":2},"b":2}', true],
    ['["1,2,3,4,5:6:7:8:9{}[]1e5 1e5 1e5"]', true],
    ['["\\",1,1,1,1,1,\\\\"]', true],
    ['[1e2,1e2]', true],
    ['[1e2,1e2,1e2]', false],
    ['[1234567890123456,-1234567890123456.5]', true],
    ['[12345678901234567,1234567890123456,1E5]', false],
  ] as const;
  for (const [text, fits] of cases) {
    if (fits) assert.deepEqual(parseJson(text, bounds), parseJson(text), text);
    else assert.throws(() => parseJson(text, bounds), RangeError, text);
  }
});

test('a long number in a place where JSON has none is refused, and no text is taken for one', () => {
  for (const text of [
    '{1e5:1}',
    '{1e5 :1}',
    '[1e5"a"]',
    '[01e5]',
    '[1e]',
    '[1e5.5]',
    '[.1e5]',
    '[+1e5]',
    '[1e5 1e5]',
    '-',
    '[--1e5]',
  ])
    assert.throws(() => parseJson(text), SyntaxError, text);
  assert.deepEqual(parseJson('{"1e5":"1e5 number 0","b":[1e5,-1.5e1]}'), {
    '1e5': '1e5 number 0',
    b: [new ExactNumber('1e5'), new ExactNumber('-1.5e1')].map((n) => parseJson(n.text)),
  });
  const own = parseJson('{"__proto__":1e400}') as object;
  assert.equal(Object.getPrototypeOf(own), Object.prototype);
  assert.deepEqual(Object.keys(own), ['__proto__']);
});

/** Over 200,000 signs, with numbers that a double may not hold in each part and around the lists. */
const element = (at: number) =>
  `{"n":1${at}234567890123456789.5,"text":"\\",[{${'é'.repeat(at % 7)}","more":[${at},[]]}`;
const elements = Array.from({ length: 3000 }, (_, at) => element(at));
const written = elements.join(',');
const long = `{"before":1e400,"lines":[${written}],"__proto__":{"deep":[${written}]},"empty":[],"one":["x"],"after":-1e-400}`;

function countSteps(text: string): { value: unknown; steps: number } {
  const reading = jsonInSteps(text);
  for (let steps = 1; ; steps++) {
    const { done, value } = reading.next();
    if (done) return { value, steps };
  }
}

test('a long text is read in many steps, and says what it says to JSON.parse, with the digits that it was written with', () => {
  const { value, steps } = countSteps(long);
  assert.ok(steps > long.length / 40_000, `${steps} steps`);
  assert.equal(JSON.stringify(value), long);
  assert.equal(Object.getPrototypeOf(value), Object.prototype);
  const list = countSteps(`[${written}]`);
  assert.ok(list.steps > 5);
  assert.equal(JSON.stringify(list.value), `[${written}]`);
  const numbers = `[${Array.from({ length: 60_000 }, (_, at) => at).join()}]`;
  assert.deepEqual(parseJson(numbers), JSON.parse(numbers));
});

test('of a long list that comes twice, the last one counts', () => {
  const read = parseJson(`{"a":[${written}],"a":[1]}`);
  assert.deepEqual(read, { a: [1] });
  assert.equal(JSON.stringify(parseJson(`{"a":[1],"a":[${written}]}`)), `{"a":[${written}]}`);
});

test('any fault in a long text is refused, as by JSON.parse', () => {
  const middle = elements.length / 2;
  const broken = (what: string) => elements.with(middle, what).join();
  const texts = [
    ...['', ' ', '1],[2', '1}', '[1}', '{"a":1]', '{"a"}', "'x'", '"a\nb"', '01', '1:2', '}{'].map(
      (what) => `{"lines":[${broken(what)}]}`,
    ),
    `{"lines":[${written},]}`,
    `{"lines":[,${written}]}`,
    `{"lines":[${written}}`,
    `{"lines":[${written}]`,
    `{"lines":[${written}`,
    `{"lines":[${written}]}]`,
    `{"lines":${written}]}`,
    `{"lines" [${written}]}`,
    `[${written}]]`,
    `[${written}][]`,
  ];
  for (const text of texts) {
    assert.throws(() => JSON.parse(text), SyntaxError);
    assert.throws(() => parseJson(text), SyntaxError, text.slice(0, 20) + text.slice(-20));
  }
});

test('one changed sign is refused in parts as it is at once', () => {
  const signs = [...'[]{},:"\\ 1e-x'];
  const place = fc.integer({ min: 0, max: long.length - 1 });
  fc.assert(
    fc.property(place, fc.constantFrom(...signs), (at, sign) => {
      const text = long.slice(0, at) + sign + long.slice(at + 1);
      const whole = attempt(() => JSON.parse(text));
      const parts = attempt(() => parseJson(text));
      assert.equal(parts === undefined, whole === undefined);
    }),
    { numRuns: 60 },
  );
});

function attempt(read: () => unknown): unknown {
  try {
    return read() ?? null;
  } catch {
    return undefined;
  }
}

test('the values of a long text are known from its reading', () => {
  const read = runSteps(jsonInSteps(long)) as object;
  assert.ok(countedValues(read)! >= elements.length * 2 * 5);
  assert.equal(countedValues(parseJson('{"a":1}') as object), undefined);
});

test('an answer written in parts says what JSON.stringify writes', () => {
  const write = (value: unknown) => [...jsonParts(value)].join('');
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      assert.equal(write(value), JSON.stringify(value));
    }),
  );
  const odd = {
    data: [undefined, new Date(0), new ExactNumber('0.10'), () => 1, { a: undefined, b: [undefined] }],
    none: undefined,
    nothing: null,
  };
  assert.equal(write(odd), JSON.stringify(odd));
  const known = { a: 1 };
  rememberJson(known, '{"a":"known"}');
  assert.equal(write({ data: [known] }), '{"data":[{"a":"known"}]}');
  assert.deepEqual([...jsonParts(undefined)], []);
});

test('given the bounds of a request, then the error that refuses more names each in both languages', () => {
  const { es, en } = commonErrors.parameter_invalid_format.help;
  for (const bound of Object.values(requestBounds)) {
    assert.ok(es.includes(bound.toLocaleString('de-DE')), `${bound} in Spanish`);
    assert.ok(en.includes(bound.toLocaleString('en-US')), `${bound} in English`);
  }
});

test('given a long answer of any signs, when it is written as bytes in steps, then they are those of the whole, and no step has many', () => {
  for (const sign of ['a', 'é', '€', '🙂', 'a🙂', '\ud83d', '\ude42']) {
    for (const [documents, lines] of [
      [100, 1],
      [2, 490],
    ] as const) {
      const invoice = { lines: Array.from({ length: lines }, () => ({ description: sign.repeat(3000) })) };
      const answer = { body: { data: { invoices: Array.from({ length: documents }, () => invoice) } } };
      // Half surrogate pairs are slow to write, and all documents are the same.
      const documentText = JSON.stringify(invoice);
      const text = `{"body":{"data":{"invoices":[${Array(documents).fill(documentText).join(',')}]}}}`;
      const steps = jsonBytesInSteps(answer);
      let count = 0;
      let step = steps.next();
      for (; !step.done; step = steps.next()) count += 1;
      assert.ok(Buffer.concat(step.value).equals(Buffer.from(text)), sign);
      assert.ok(count >= text.length / 65_536, `${count} steps`);
    }
  }
  assert.deepEqual(runSteps(jsonBytesInSteps(undefined)), []);
});
