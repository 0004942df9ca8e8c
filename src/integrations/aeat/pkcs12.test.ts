import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  createPrivateKey,
  generateKeyPairSync,
  generatePrimeSync,
  getDiffieHellman,
  X509Certificate,
} from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createSecureContext } from 'node:tls';
import forge from 'node-forge';
import {
  makePkcs12,
  makeTestCertificate,
  testAuthority,
  testCertificates,
} from '../../../test/support/certificates.ts';
import { shortRsaKey } from '../../../test/support/rsa-keys.ts';
import { CertificateFileError, type CertificateFileFault, readPkcs12 } from './pkcs12.ts';
import { sign } from './signature.ts';

const company = testCertificates.company();
const leaf = new X509Certificate(company.certificates[0] ?? '');

async function refusalOf(
  bytes: Uint8Array,
  password: string,
  seconds_max?: number,
): Promise<CertificateFileFault> {
  try {
    await readPkcs12(bytes, password, seconds_max);
  } catch (error) {
    assert.ok(error instanceof CertificateFileError, String(error));
    return error.reason;
  }
  throw new Error('The file was read');
}

for (const algorithm of ['aes256', '3des'] as const) {
  test(`given a file encrypted with ${algorithm}, when it is read, then key, chain and holder are those put in`, async () => {
    const file = await readPkcs12(company.toPkcs12('clave', algorithm), 'clave');
    assert.ok(createPrivateKey(file.private_key).equals(createPrivateKey(company.private_key)));
    assert.deepEqual(file.certificates, company.certificates);
    const { private_key, certificates, ...facts } = file;
    assert.deepEqual(facts, {
      kind: 'representative',
      tax_id: 'B12345674',
      holder_name: 'Sociedad de Pruebas SL',
      subject:
        'organizationIdentifier=VATES-B12345674,O=Sociedad de Pruebas SL,CN=00000000T PRUEBA ENSAYO ANA (R: B12345674),' +
        'GN=Ana,SN=Prueba Ensayo,serialNumber=IDCES-00000000T,C=ES',
      issuer:
        'CN=AC de pruebas\\, ensayos,organizationIdentifier=VATES-Q2826004J,O=Autoridad de Pruebas,C=ES',
      serial: leaf.serialNumber,
      fingerprint: leaf.fingerprint256.replaceAll(':', '').toLowerCase(),
      valid_from: new Date('2020-01-01T00:00:00Z'),
      valid_until: leaf.validToDate,
    });
  });
}

test('given an uploaded file, when a record is signed with what was read, then it is signed', async () => {
  const file = await readPkcs12(testCertificates.seal().toPkcs12('x'), 'x');
  const signed = await sign(
    '<sf:RegistroAlta xmlns:sf="urn:x"></sf:RegistroAlta>',
    file,
    '2026-11-21T10:20:31Z',
  );
  assert.match(signed, /<ds:SignatureValue>/);
});

test('given a file with its certificates in disorder and one that does not belong, then the chain is put in order', async () => {
  const { root, issuer } = testAuthority();
  const stranger = testCertificates.other().certificates[0] ?? '';
  const certificates = [root.certificate, stranger, issuer.certificate, leaf.toString()];
  const file = await readPkcs12(makePkcs12([{ ...company, certificates }], 'x'), 'x');
  assert.deepEqual(file.certificates, company.certificates);
});

test('given a file with the certificate alone, then the chain is that certificate', async () => {
  const certificates = company.certificates.slice(0, 1);
  const file = await readPkcs12(makePkcs12([{ ...company, certificates }], 'x'), 'x');
  assert.deepEqual(file.certificates, certificates);
});

test('given a file with a certificate and the one that renews it for the same key, then the later one is chosen', async () => {
  const earlier = makeTestCertificate({
    kind: 'representative',
    tax_id: 'B12345674',
    private_key: company.private_key,
    valid_until: new Date('2025-01-01T00:00:00Z'),
  });
  const certificates = [...earlier.certificates.slice(0, 1), ...company.certificates];
  const file = await readPkcs12(makePkcs12([{ ...company, certificates }], 'x'), 'x');
  assert.equal(file.valid_until.getTime(), leaf.validToDate.getTime());
});

test('given an expired certificate, then it is read: whether it can be used is decided elsewhere', async () => {
  const expired = testCertificates.expired();
  const file = await readPkcs12(expired.toPkcs12('x'), 'x');
  assert.ok(file.valid_until < new Date());
});

test('given a file that cannot be used, when it is read, then the reason is told', async () => {
  const other = testCertificates.other();
  const { certificates } = company;
  const cases: readonly (readonly [CertificateFileFault, Uint8Array, string])[] = [
    ['wrong_password', company.toPkcs12('right'), 'wrong'],
    ['wrong_password', company.toPkcs12('right'), ''],
    ['wrong_password', company.toPkcs12('right', '3des'), 'wrong'],
    ['wrong_password', makePkcs12([company, other], 'right'), 'wrong'],
    ['no_private_key', makePkcs12([{ private_key: null, certificates }], 'x'), 'x'],
    ['no_private_key', makePkcs12([{ ...other, certificates }], 'x'), 'x'],
    ['several_keys', makePkcs12([company, other], 'x'), 'x'],
    ['unreadable', Buffer.from('nothing'), 'x'],
    ['unreadable', Buffer.alloc(0), 'x'],
    ['unreadable', leaf.raw, 'x'],
    ['unreadable', company.toPkcs12('x').subarray(0, 500), 'x'],
    ['too_large', Buffer.alloc(100_001), 'x'],
  ];
  for (const [reason, bytes, password] of cases) assert.equal(await refusalOf(bytes, password), reason);
});

/** A wrong password whose last octets look like padding, as those of one in 256 do, so that the rest is taken for the key. */
function findPassingPassword(bytes: Uint8Array): string {
  const file = forge.asn1.fromDer(Buffer.from(bytes).toString('latin1'));
  for (let number = 0; ; number += 1) {
    try {
      forge.pkcs12.pkcs12FromAsn1(file, false, `wrong${number}`);
    } catch (error) {
      if (!/password/i.test(String(error))) return `wrong${number}`;
    }
  }
}

test('given a file without a check sum and a wrong password that decrypts it to garbage, then the password is what is wrong', async () => {
  const bytes = makePkcs12([company, testCertificates.other()], 'right', 'aes256', 1);
  assert.equal(await refusalOf(bytes, findPassingPassword(bytes)), 'wrong_password');
});

test('given a file that would take too long, when its time is over, then it is refused and others are still read', async () => {
  const bytes = company.toPkcs12('x');
  assert.equal(await refusalOf(bytes, 'x', 0.001), 'not_in_time');
  const files = await Promise.all(Array.from({ length: 5 }, () => readPkcs12(bytes, 'x')));
  assert.deepEqual(new Set(files.map((file) => file.tax_id)), new Set(['B12345674']));
});

const causeOf = (bytes: Uint8Array) =>
  readPkcs12(bytes, 'x').then(
    () => 'read',
    (error: CertificateFileError) => `${error.reason}: ${(error.cause as Error).message}`,
  );

test('given a file whose check sum asks for two thousand million rounds, then none is done', async () => {
  const file = forge.asn1.fromDer(company.toPkcs12('x').toString('latin1'));
  const mac = (file.value as forge.asn1.Asn1[])[2] as forge.asn1.Asn1;
  (mac.value as forge.asn1.Asn1[])[2]!.value = '\x7f\xff\xff\xff';
  const bytes = Buffer.from(forge.asn1.toDer(file).getBytes(), 'latin1');
  assert.match(await causeOf(bytes), /^too_costly: 2147483647 rounds more than are left$/);
});

test('given a file with more certificates than a chain has, then they are not compared with one another', async () => {
  const certificates = Array.from({ length: 31 }, () => company.certificates[0] ?? '');
  assert.match(
    await causeOf(makePkcs12([{ ...company, certificates }], 'x')),
    /^unreadable: .* 31 certificates$/,
  );
});

/** Of 4104 bits. One of its primes is public, which takes seconds less than to find it. */
function makeLongKey(): string {
  const p = BigInt(`0x${getDiffieHellman('modp15').getPrime('hex')}`);
  const e = 65_537n;
  let q: bigint;
  do q = generatePrimeSync(1032, { bigint: true });
  while ((p * q) >> 4103n === 0n || (q - 1n) % e === 0n);
  const order = (p - 1n) * (q - 1n);
  const d = inverseOf(e, order);
  const jwk = { n: p * q, e, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: inverseOf(q, p) };
  const key = Object.fromEntries(Object.entries(jwk).map(([name, value]) => [name, base64url(value)]));
  return createPrivateKey({ format: 'jwk', key: { kty: 'RSA', ...key } })
    .export({ type: 'pkcs8', format: 'pem' })
    .toString();
}

/** By Euclid's extended algorithm. */
function inverseOf(value: bigint, modulus: bigint): bigint {
  let [rest, next] = [modulus, value % modulus];
  let [factor, next_factor] = [0n, 1n];
  while (next > 0n) {
    const times = rest / next;
    [rest, next] = [next, rest - times * next];
    [factor, next_factor] = [next_factor, factor - times * next_factor];
  }
  assert.equal(rest, 1n);
  return ((factor % modulus) + modulus) % modulus;
}

function base64url(value: bigint): string {
  const hex = value.toString(16);
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString('base64url');
}

test('given a key longer than any authority gives, then it is refused', async () => {
  const private_key = makeLongKey();
  assert.equal(createPrivateKey(private_key).asymmetricKeyDetails?.modulusLength, 4104);
  const long = makeTestCertificate({ kind: 'seal', tax_id: 'B12345674', private_key });
  assert.equal(await refusalOf(long.toPkcs12('x'), 'x'), 'key_too_long');
});

test('given a key with which no connection can be made, then it is refused', async () => {
  const short = makeTestCertificate({ kind: 'seal', tax_id: 'B12345674', private_key: shortRsaKey() });
  assert.throws(
    () => createSecureContext({ key: short.private_key, cert: short.certificates[0] }),
    /key too small/,
  );
  assert.equal(await refusalOf(short.toPkcs12('x'), 'x'), 'key_too_short');
});

const skip = spawnSync('openssl', ['version']).status === 0 ? false : 'openssl is not installed';
const has_legacy =
  skip === false && spawnSync('openssl', ['list', '-providers', '-provider', 'legacy']).status === 0;
const skip_legacy = has_legacy ? false : 'openssl with its legacy provider is not installed';

const folder = mkdtempSync(join(tmpdir(), 'folio-pkcs12-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function exportWithOpenssl(
  { private_key, certificates }: { private_key: string; certificates: readonly string[] },
  password: string,
  options: readonly string[],
): Buffer {
  writeFileSync(join(folder, 'key.pem'), private_key, { mode: 0o600 });
  writeFileSync(join(folder, 'certificates.pem'), certificates.join(''));
  const args = ['pkcs12', '-export', '-inkey', 'key.pem', '-in', 'certificates.pem', '-out', 'file.p12'];
  execFileSync('openssl', [...args, '-passout', `pass:${password}`, ...options], {
    cwd: folder,
    stdio: 'pipe',
  });
  return readFileSync(join(folder, 'file.p12'));
}

const exports: readonly (readonly [name: string, password: string, options: readonly string[]])[] = [
  ['AES and SHA-256', 'clave', []],
  ['AES and a password with letters beyond ASCII', 'contraseña€', []],
  ['AES and no password', '', []],
  ['RC2 and 3DES, as old browsers do', 'clave', ['-legacy']],
  ['RC2 and 3DES and a password with letters beyond ASCII', 'contraseña€', ['-legacy']],
  [
    'RC2 for key and certificates',
    'clave',
    ['-legacy', '-keypbe', 'PBE-SHA1-RC2-40', '-certpbe', 'PBE-SHA1-RC2-40'],
  ],
  ['no check sum', 'clave', ['-nomac']],
  ['no encryption', 'clave', ['-keypbe', 'NONE', '-certpbe', 'NONE']],
];

for (const [name, password, options] of exports) {
  const reason = options.includes('-legacy') ? skip_legacy : skip;
  test(`given a file of openssl with ${name}, when it is read, then it holds what was put in`, {
    skip: reason,
  }, async () => {
    const file = await readPkcs12(exportWithOpenssl(company, password, options), password);
    assert.deepEqual(file.certificates, company.certificates);
    assert.ok(createPrivateKey(file.private_key).equals(createPrivateKey(company.private_key)));
  });
}

test('given a file that hashes as often as Firefox makes it, the older way, when it is read, then it holds what was put in', {
  skip: skip_legacy,
}, async () => {
  const bytes = exportWithOpenssl(company, 'clave', ['-legacy', '-iter', '600000']);
  // It takes two seconds of a processor, and a busy machine has other work.
  const file = await readPkcs12(bytes, 'clave', 600);
  assert.deepEqual(file.certificates, company.certificates);
});

test('given a key on an elliptic curve, when the file is read, then it is refused as not RSA', {
  skip,
}, async () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  writeFileSync(join(folder, 'ec.pem'), private_key, { mode: 0o600 });
  const subject = ['-subj', '/C=ES/CN=Prueba', '-days', '30'];
  const certificate = execFileSync('openssl', ['req', '-x509', '-new', '-key', 'ec.pem', ...subject], {
    cwd: folder,
    stdio: 'pipe',
  }).toString();
  const bytes = exportWithOpenssl({ private_key, certificates: [certificate] }, 'x', []);
  assert.equal(await refusalOf(bytes, 'x'), 'not_rsa');
});

test('given a file that asks for endless rounds, when it is read, then it is refused', { skip }, async () => {
  // With fewer rounds, since openssl does them; then the file is made to ask for 2,000,001.
  const few = exportWithOpenssl(company, 'x', [
    ...['-iter', String(0x010203), '-nomac'],
    ...['-certpbe', 'AES-256-CBC'],
  ]).toString('latin1');
  const parts = few.split('\x02\x03\x01\x02\x03');
  assert.equal(parts.length, 3, 'key and certificates ask for them');
  const bytes = Buffer.from(parts.join('\x02\x03\x1e\x84\x81'), 'latin1');
  assert.equal(await refusalOf(bytes, 'x'), 'too_costly');
});
