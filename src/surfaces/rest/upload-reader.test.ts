import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { getHeapStatistics } from 'node:v8';
import fc from 'fast-check';
import { UploadReader } from './upload-reader.ts';

function readIn(text: string, pieces: readonly number[]) {
  const reader = new UploadReader('file', 10_000, 100);
  let rest = Buffer.from(text);
  for (const size of pieces) {
    reader.write(rest.subarray(0, size));
    rest = rest.subarray(size);
  }
  reader.write(rest);
  const { rest: left, file } = reader.end();
  return { left: left.toString(), file };
}

test('given any file, however its text is escaped and cut, when it arrives, then its bytes are taken and the rest is left', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 80 }),
      fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 40 }),
      fc.boolean(),
      (bytes, pieces, is_escaped) => {
        const plain = Buffer.from(bytes).toString('base64');
        const written = is_escaped ? plain.replaceAll('/', '\\/').replaceAll('+', '\\u002B') : plain;
        const textOf = (file: string) =>
          `{ "a": "\\"file\\": \\"", "b": {"file": "QQ=="}, "file" : "${file}", "c": 1 }`;
        const { left, file } = readIn(textOf(written), pieces);
        assert.equal(left, textOf(''));
        assert.equal(file?.fault, null);
        assert.ok(file?.bytes.equals(Buffer.from(bytes)));
        assert.equal(file?.sha256, createHash('sha256').update(bytes).digest('hex'));
      },
    ),
    { numRuns: 300 },
  );
});

for (const [text, left, fault] of [
  ['{"file":"QUJD"}', '{"file":""}', null],
  ['{"file":"QUJ"}', '{"file":""}', /base64/],
  ['{"file":"QQ==QUJD"}', '{"file":""}', /base64/],
  ['{"file":"Q\\"UJD"}', '{"file":""}', /base64/],
  ['{"file":"QUJD\\\\"}', '{"file":""}', /base64/],
  ['{"file":""}', '{"file":""}', /vacío/],
  ['{"file":"QUJD', '{"file":"', null],
  ['{"file":"QUJD\\u00"}', '{"file":""}', /base64/],
  ['{"file":"QUJD\\u2028"}', '{"file":""}', /base64/],
  ['{"file":"QU\\u004aD"}', '{"file":""}', null],
  ['{"file":"REVG","file":"QUJD"}', '{"file":"","file":""}', null],
  ['{"file":"REVG=","file":"QUJD"}', '{"file":"","file":""}', null],
  ['{"file":"QUJD","file":"REVG="}', '{"file":"","file":""}', /base64/],
  ['{"file":"QUJD","file":""}', '{"file":"","file":""}', /vacío/],
  ['{"file":null}', '{"file":null}', undefined],
  ['["file","QUJD"]', '["file","QUJD"]', undefined],
] as const)
  test(`${text} leaves ${left}`, () => {
    const read = readIn(text, [4, 3, 2, 1, 1, 1, 1, 1]);
    assert.equal(read.left, left);
    if (fault === undefined) assert.equal(read.file, null);
    else if (fault === null) assert.equal(read.file?.bytes.toString(), 'ABC');
    else assert.match(read.file?.fault ?? '', fault);
  });

test('given 20 MiB, when they arrive in pieces of a socket, then the memory is that of the file', () => {
  const content = randomBytes(15_000_000).toString('base64');
  const body = Buffer.from(`{"file":"${content}"}`);
  const before = process.memoryUsage().arrayBuffers;
  const reader = new UploadReader('file', 10_000, 15_000_000);
  let garbage = 0;
  for (let at = 0; at < body.length; at += 65_536) {
    const used = getHeapStatistics().used_heap_size;
    assert.ok(reader.write(body.subarray(at, at + 65_536)));
    garbage += Math.max(0, getHeapStatistics().used_heap_size - used);
  }
  const { file, rest } = reader.end();
  assert.deepEqual([file?.size, rest.toString()], [15_000_000, '{"file":""}']);
  const grown = process.memoryUsage().arrayBuffers - before;
  assert.ok(grown < 2 * 15_000_000, `${grown} bytes`);
  assert.ok(garbage < 15_000_000, `${garbage} bytes of garbage`);
});

for (const [what, file] of [
  ['empty', ''],
  ['of three bytes', 'QUJD'],
  ['refused', 'QUJ!'],
] as const)
  test(`given a member that comes three thousand times, ${what}, when it arrives, then the memory is that of one file`, () => {
    const times = 3000;
    const body = Buffer.from(`{${`"file":"${file}",`.repeat(times)}"file":"QUJD"}`);
    const before = process.memoryUsage().arrayBuffers;
    const reader = new UploadReader('file', 100_000, 15_000_000);
    assert.ok(reader.write(body));
    const grown = process.memoryUsage().arrayBuffers - before;
    assert.ok(grown < 2 * 15_000_000, `${grown} bytes`);
    assert.equal(reader.end().file?.bytes.toString(), 'ABC');
  });
