import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileHeaders } from './file-headers.ts';

for (const [name, told] of [
  ['F2026-00012.pdf', 'filename="F2026-00012.pdf"'],
  ['A "B"\\C.pdf', 'filename="A _B__C.pdf"; filename*=UTF-8\'\'A%20%22B%22%5CC.pdf'],
  ['F\r\nX-Evil: 1.pdf', 'filename="F__X-Evil: 1.pdf"; filename*=UTF-8\'\'F%0D%0AX-Evil%3A%201.pdf'],
  ['SEÑAL-7.pdf', `filename="SENAL-7.pdf"; filename*=UTF-8''SE%C3%91AL-7.pdf`],
  ["L'Any-(2)€.pdf", `filename="L'Any-(2)_.pdf"; filename*=UTF-8''L%27Any-%282%29%E2%82%AC.pdf`],
  ['10%25.pdf', `filename="10_25.pdf"; filename*=UTF-8''10%2525.pdf`],
  ['….pdf', `filename="_.pdf"; filename*=UTF-8''%E2%80%A6.pdf`],
  ['\ud800.pdf', `filename="_.pdf"; filename*=UTF-8''%EF%BF%BD.pdf`],
] as const)
  for (const is_attachment of [false, true])
    test(`the file ${JSON.stringify(name)} is named ${is_attachment ? 'to be saved' : 'to be shown'}`, () => {
      const { 'Content-Disposition': header = '', ...others } = fileHeaders(
        { name, is_attachment },
        undefined,
      );
      assert.equal(header, `${is_attachment ? 'attachment' : 'inline'}; ${told}`);
      assert.match(header, /^[\x20-\x7e]+$/);
      assert.deepEqual(others, {}, 'without a tag, the rule of every answer holds: no copy is kept');
    });

test('a file with a tag may be kept by its caller alone, who asks each time whether it is still the same', () => {
  const { 'Content-Disposition': _, ...others } = fileHeaders({ name: 'a', is_attachment: false }, '"1"');
  assert.deepEqual(others, {
    ETag: '"1"',
    'Cache-Control': 'private, no-cache',
    Vary: 'Authorization, X-API-Key, X-Active-Profile',
  });
});

test('what a foreign file holds cannot run in a browser', () => {
  const told = fileHeaders({ name: 'a.svg', is_attachment: true, is_foreign: true }, undefined);
  assert.equal(told['Content-Security-Policy'], "default-src 'none'; sandbox");
});
