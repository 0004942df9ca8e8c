import assert from 'node:assert/strict';
import { join, relative, sep } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkedKey } from './blob-key.ts';
import { BlobUrlError, readBlobUrl } from './blob-place.ts';

const bucket = {
  kind: 's3',
  origin: 'https://s3.example.com',
  bucket: 'facturas',
  prefix: '',
  region: 'us-east-1',
};

for (const [text, place] of [
  ['file:///var/lib/folio/blobs', { kind: 'folder', folder: '/var/lib/folio/blobs' }],
  ['file:///srv/mis%20documentos', { kind: 'folder', folder: '/srv/mis documentos' }],
  ['s3:https://AK:sk@s3.example.com/facturas', { ...bucket, access_key: 'AK', secret: 'sk' }],
  [
    's3:https://AK:a%2Fb%2B%3D@s3.example.com/facturas/casa/folio/?region=eu-west-1',
    { ...bucket, access_key: 'AK', secret: 'a/b+=', prefix: 'casa/folio/', region: 'eu-west-1' },
  ],
  [
    's3:http://AK:sk@127.0.0.1:9000/facturas',
    { ...bucket, origin: 'http://127.0.0.1:9000', access_key: 'AK', secret: 'sk' },
  ],
] as const)
  test(`${text} is a place`, () => assert.deepEqual(readBlobUrl(text), place));

for (const text of [
  '/var/lib/folio',
  'file:blobs',
  'file://host/folder',
  'file:///',
  'file:///a?b=c',
  'file:///a%2Fb',
  's3://facturas/casa',
  's3:ftp://AK:s3cret@host/facturas',
  's3:https://host/facturas',
  's3:https://AK@host/facturas',
  's3:https://AK:s3cret@host',
  's3:https://AK:s3cret@host/../facturas/..',
  's3:https://AK:s3cret@host/facturas/.oculto',
  's3:https://AK:s3cret@host/facturas?acl=public',
  's3:https://AK:s3cret%ZZ@host/facturas',
  's3:https://AK:s3cret@host/facturas#x',
  'https://AK:s3cret@host/facturas',
])
  test(`${text} is refused, in words that hold nothing of it`, () =>
    assert.throws(
      () => readBlobUrl(text),
      (error: Error) => error instanceof BlobUrlError && !error.message.includes('s3cret'),
    ));

for (const key of [
  '',
  '/',
  '/a',
  'a/',
  'a//b',
  '..',
  '../a',
  'a/../b',
  '.incoming/a',
  'a/.b',
  'a\\b',
  'a\0b',
  'a b',
  'C:',
  'ñ',
  'a'.repeat(501),
])
  test(`${JSON.stringify(key.slice(0, 20))} is no key`, () =>
    assert.throws(() => checkedKey(key), /is no key/));

test('a key that is taken leads to a file within the folder, whatever it is', () => {
  const sign = fc.constantFrom('a', 'Z', '0', '.', '-', '_', '/', '\\', '%', '\0', ':', ' ', 'é');
  let taken = 0;
  fc.assert(
    fc.property(fc.array(sign, { maxLength: 12 }), (signs) => {
      const key = signs.join('');
      try {
        checkedKey(key);
      } catch {
        return;
      }
      taken += 1;
      const way = relative('/folder', join('/folder', key)).split(sep);
      assert.deepEqual(way, key.split('/'));
      assert.ok(way.every((name) => !name.startsWith('.')));
    }),
    { numRuns: 2000, seed: 7 },
  );
  assert.ok(taken > 50, `${taken} keys were taken`);
});
