import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { base32, codeAt, readBase32, stepAt, stepOfCode, totpAddress } from './totp.ts';

/** RFC 6238, appendix B: the last six of its eight digits. */
const secret = Buffer.from('12345678901234567890');
const vectors: readonly [seconds: number, code: string][] = [
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
];

test('given the times of RFC 6238, then the codes are its own', () => {
  for (const [seconds, code] of vectors) {
    const now = new Date(seconds * 1000);
    assert.equal(codeAt(secret, stepAt(now)), code);
    assert.equal(stepOfCode(secret, ` ${code.slice(0, 3)} ${code.slice(3)} `, now, null), stepAt(now));
  }
});

test('given a code of the step before or after, then it counts; given one further away or used, then not', () => {
  const now = new Date('2026-11-23T10:00:10Z');
  const at = stepAt(now);
  for (const aside of [-1, 0, 1]) {
    assert.equal(stepOfCode(secret, codeAt(secret, at + aside), now, null), at + aside);
    assert.equal(stepOfCode(secret, codeAt(secret, at + aside), now, at + aside), undefined);
  }
  for (const aside of [-2, 2])
    assert.equal(stepOfCode(secret, codeAt(secret, at + aside), now, null), undefined);
  assert.equal(stepOfCode(secret, codeAt(secret, at - 1), now, at), undefined);
  for (const typed of ['', '12345', '1234567', 'abcdef', '١٢٣٤٥٦'])
    assert.equal(stepOfCode(secret, typed, now, null), undefined);
});

test('given any bytes, then base32 is read back; given those of RFC 4648, then it is its own', () => {
  for (const [plain, coded] of [
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ] as const)
    assert.equal(base32(Buffer.from(plain)), coded);
  for (let length = 0; length < 40; length++) {
    const bytes = randomBytes(length);
    assert.deepEqual(readBase32(base32(bytes)), bytes);
  }
  assert.equal(
    totpAddress('MZXW6', 'ana+1@norte.example'),
    'otpauth://totp/Folio:ana%2B1%40norte.example?secret=MZXW6&issuer=Folio&algorithm=SHA1&digits=6&period=30',
  );
});
