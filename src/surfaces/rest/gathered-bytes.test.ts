import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { GatheredBytes } from './gathered-bytes.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

test('given any pieces, when they are gathered, then all of them are there in their order', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 3000 })), (pieces) => {
      const gathered = new GatheredBytes();
      for (const piece of pieces) gathered.add(Buffer.from(piece));
      const whole = Buffer.concat(pieces);
      assert.equal(gathered.length, whole.length);
      assert.ok(gathered.all().equals(whole));
    }),
  );
});

test('given a hundred thousand pieces of one byte, when they are gathered, then no piece is kept', () => {
  const count = 100_000;
  collect();
  const before = process.memoryUsage();
  const gathered = new GatheredBytes();
  // As the parser of HTTP makes them: each has its memory to itself.
  for (let at = 0; at < count; at++) gathered.add(Buffer.allocUnsafeSlow(1).fill(at % 256));
  collect();
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  // A kept piece is about 200 bytes of the heap.
  assert.ok(heapUsed - before.heapUsed < 20 * count, `${heapUsed - before.heapUsed} bytes of the heap`);
  assert.ok(
    arrayBuffers - before.arrayBuffers < 3 * count,
    `${arrayBuffers - before.arrayBuffers} bytes beside`,
  );
  assert.equal(gathered.all().length, count);
});
