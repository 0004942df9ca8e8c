import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { CountedRequest, isCrumbled } from './counted-request.ts';

const unread = () => new CountedRequest(new Socket());

test('given a body of single bytes that nobody reads yet, when they are too many, then no more of them wait', () => {
  const request = unread();
  for (let at = 0; at < 60_000; at++) request.push(Buffer.from('x'));
  assert.ok(isCrumbled(request));
  assert.ok(request.readableLength < 5000, `${request.readableLength} bytes`);
});

test('given pieces of a usual size, when many come, then none is missing', () => {
  const request = unread();
  for (let at = 0; at < 20_000; at++) request.push(Buffer.alloc(64));
  request.push(null);
  assert.ok(!isCrumbled(request));
  assert.equal(request.readableLength, 64 * 20_000);
});
