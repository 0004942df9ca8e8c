import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forTerminal, handOver, sayTogether } from './terminal.ts';

const cases: [text: string, shown: string][] = [
  ['Ñandú & Çía. 😀', 'Ñandú & Çía. 😀'],
  ['\u001b[2J\u001b]0;x\u0007', '\\u001b[2J\\u001b]0;x\\u0007'],
  ['a\nb\r\tc', 'a\\u000ab\\u000d\\u0009c'],
  ['\u0000\u007f\u0085\u009b', '\\u0000\\u007f\\u0085\\u009b'],
  [
    '\u061c\u200e\u200f\u2028\u2029\u202a\u202e\u2066\u2069',
    '\\u061c\\u200e\\u200f\\u2028\\u2029\\u202a\\u202e\\u2066\\u2069',
  ],
  ['\ud800', '\\ud800'],
];
for (const [text, shown] of cases)
  test(`a terminal shows ${JSON.stringify(text)} without obeying it`, () => {
    assert.equal(forTerminal(text), shown);
    // What JSON wrote stays the same JSON.
    const value = { name: text };
    assert.deepEqual(JSON.parse(forTerminal(JSON.stringify(value))), value);
  });

test('given an answer that is text, when it goes to a terminal, then it is shown; elsewhere its bytes are untouched', () => {
  const body = Buffer.from('<Nombre>a\u009b2J\u202e</Nombre>\n<b/>');
  const written = (isTTY: boolean, type: string) => {
    const out: (string | Uint8Array)[] = [];
    handOver({ isTTY, write: (chunk) => out.push(chunk) > 0 }, body, type);
    return out;
  };
  assert.deepEqual(written(true, 'application/xml'), ['<Nombre>a\\u009b2J\\u202e</Nombre>\n<b/>\n']);
  assert.deepEqual(written(true, 'text/csv; charset=utf-8').length, 1);
  for (const [is_terminal, type] of [
    [false, 'application/xml'],
    [true, 'application/pdf'],
  ] as const)
    assert.deepEqual(written(is_terminal, type), [body]);
});

test('given lines that belong together, when they are said, then they are one write, and none can give orders to the terminal', (t) => {
  const write = t.mock.method(process.stdout, 'write', () => true);
  sayTogether(['', 'Folio listens.', 'a\u001b[2J']);
  write.mock.restore();
  assert.deepEqual(
    write.mock.calls.map((call) => call.arguments),
    [['\nFolio listens.\na\\u001b[2J\n']],
  );
});
