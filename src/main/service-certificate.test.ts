import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makePkcs12, testCertificates } from '../../test/support/certificates.ts';
import { ConfigError } from './config.ts';
import { readServiceCertificate } from './service-certificate.ts';

const folder = mkdtempSync(join(tmpdir(), 'folio-service-certificate-'));
after(() => rmSync(folder, { recursive: true }));

function fileOf(bytes: Buffer): string {
  const path = join(folder, `${Math.random()}.p12`);
  writeFileSync(path, bytes);
  return path;
}

const read = (file: string | null, password: string | null = 'clave') =>
  readServiceCertificate({ FOLIO_AEAT_CERTIFICATE: file, FOLIO_AEAT_CERTIFICATE_PASSWORD: password });

for (const [name, kind] of [
  ['person', 'person'],
  ['company', 'person'],
  ['seal', 'seal'],
] as const) {
  test(`given the certificate "${name}", then it is sent to the host of a ${kind}`, async () => {
    const certificate = testCertificates[name]();
    const service = await read(fileOf(certificate.toPkcs12('clave')));
    assert.equal(service?.identity.kind, kind);
    assert.deepEqual(service?.identity.certificates, certificate.certificates);
    assert.equal(service?.isInForce(new Date()), true);
    assert.equal(service?.isInForce(new Date('2019-12-31T23:59:59Z')), false);
    assert.equal(service?.isInForce(new Date('2099-01-01T00:00:00Z')), false);
  });
}

test('given a certificate that has run out, then it is read, and not in force', async () => {
  const service = await read(fileOf(testCertificates.expired().toPkcs12('clave')));
  assert.equal(service?.isInForce(new Date()), false);
});

test('given no certificate, or one without a password, then it is taken', async () => {
  assert.equal(await read(null, null), null);
  const service = await read(fileOf(testCertificates.seal().toPkcs12('')), null);
  assert.equal(service?.identity.kind, 'seal');
});

test('given a machine that is too slow to open a good file in time, then time is told as the cause, and not the file', async () => {
  const FOLIO_AEAT_CERTIFICATE = fileOf(testCertificates.seal().toPkcs12('clave'));
  const config = { FOLIO_AEAT_CERTIFICATE, FOLIO_AEAT_CERTIFICATE_PASSWORD: 'clave' };
  await assert.rejects(readServiceCertificate(config, 0.001), (error: Error) => {
    assert.ok(error instanceof ConfigError, String(error));
    assert.match(error.message, /was not opened in time.*start it again/);
    assert.doesNotMatch(error.message, /no PKCS#12 file/);
    return true;
  });
});

test('given a file that cannot be used, then the setting and the cause are named, and never the password', async () => {
  const { private_key, certificates } = testCertificates.company();
  const other = testCertificates.seal();
  const cases: [string, RegExp][] = [
    [join(folder, 'missing.p12'), /cannot be read \(ENOENT\)/],
    [folder, /cannot be read \(EISDIR\)/],
    [fileOf(Buffer.from('no certificate')), /is no PKCS#12 file/],
    [
      fileOf(testCertificates.company().toPkcs12('otra')),
      /does not open with FOLIO_AEAT_CERTIFICATE_PASSWORD/,
    ],
    [fileOf(makePkcs12([{ private_key: null, certificates }], 'clave')), /holds no private key/],
    [
      fileOf(
        makePkcs12(
          [
            { private_key, certificates },
            { private_key: other.private_key, certificates: other.certificates },
          ],
          'clave',
        ),
      ),
      /more than one certificate/,
    ],
    [fileOf(Buffer.alloc(100_001)), /larger than a certificate file/],
  ];
  for (const [file, cause] of cases) {
    await assert.rejects(read(file), (error: Error) => {
      assert.ok(error instanceof ConfigError, String(error));
      assert.match(error.message, /^FOLIO_AEAT_CERTIFICATE names /);
      assert.match(error.message, cause);
      assert.doesNotMatch(error.message, /clave/);
      return true;
    });
  }
});
