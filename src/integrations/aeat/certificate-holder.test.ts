/** Names and numbers are invented. */
import assert from 'node:assert/strict';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import forge from 'node-forge';
import { makeTestCertificate } from '../../../test/support/certificates.ts';
import { readHolder } from './certificate-holder.ts';
import { formatStrict, readCertificateNames } from './certificate-names.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const key = forge.pki.privateKeyFromPem(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());

const oids: Record<string, string> = {
  C: '2.5.4.6',
  CN: '2.5.4.3',
  SN: '2.5.4.4',
  GN: '2.5.4.42',
  O: '2.5.4.10',
  OU: '2.5.4.11',
  serial: '2.5.4.5',
  org: '2.5.4.97',
  cif: '1.3.6.1.4.1.17326.30.3',
};

function named(
  names: Readonly<Record<string, string>>,
  { text_type = forge.asn1.Type.UTF8, extensions = [] as object[] } = {},
): X509Certificate {
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.setRsaPublicKey(key.n, key.e);
  certificate.validity.notAfter = new Date(Date.now() + 1e9);
  const fields = Object.entries(names).map(([name, value]) => ({
    type: oids[name] ?? name,
    value,
    valueTagClass: text_type as unknown as forge.asn1.Class,
  }));
  certificate.setSubject(fields);
  certificate.setIssuer(fields);
  certificate.setExtensions(extensions);
  certificate.sign(key, forge.md.sha256.create());
  return new X509Certificate(forge.pki.certificateToPem(certificate));
}

type Told = readonly [kind: string, tax_id: string | null, holder_name: string];

const cases: readonly (readonly [name: string, names: Record<string, string>, told: Told])[] = [
  [
    'a person',
    { C: 'ES', serial: 'IDCES-00000000T', GN: 'ANA', SN: 'PRUEBA ÑANDÚ', CN: 'PRUEBA ÑANDÚ ANA - 00000000T' },
    ['person', '00000000T', 'ANA PRUEBA ÑANDÚ'],
  ],
  [
    'a person with a foreigner number',
    { serial: 'IDCES-X0000000T', GN: 'ANN', SN: 'TEST', CN: 'TEST ANN - X0000000T' },
    ['person', 'X0000000T', 'ANN TEST'],
  ],
  [
    'a person by common name',
    { CN: 'PRUEBA ENSAYO ANA - 00000000T' },
    ['person', '00000000T', 'PRUEBA ENSAYO ANA'],
  ],
  [
    'a person by common name, in the old way',
    { CN: 'NOMBRE PRUEBA ENSAYO ANA - NIF 00000000T' },
    ['person', '00000000T', 'NOMBRE PRUEBA ENSAYO ANA'],
  ],
  [
    'a person by bare serial number',
    { serial: '00000000T', CN: 'ANA PRUEBA' },
    ['person', '00000000T', 'ANA PRUEBA'],
  ],
  [
    'a representative of a company',
    {
      serial: 'IDCES-00000000T',
      GN: 'ANA',
      SN: 'PRUEBA',
      CN: '00000000T ANA PRUEBA (R: B12345674)',
      org: 'VATES-B12345674',
      O: 'EMPRESA SL',
    },
    ['representative', 'B12345674', 'EMPRESA SL'],
  ],
  [
    'a representative by common name',
    { CN: '00000000T ANA PRUEBA (R:B12345674)', O: 'EMPRESA SL' },
    ['representative', 'B12345674', 'EMPRESA SL'],
  ],
  [
    'somebody who works at a company, with its number in the issuer’s own attribute',
    { serial: '00000000T', cif: 'B12345674', CN: 'ANA PRUEBA', O: 'EMPRESA SL', GN: 'ANA', SN: 'PRUEBA' },
    ['person', '00000000T', 'ANA PRUEBA'],
  ],
  [
    'somebody who works at a company',
    {
      serial: 'IDCES-00000000T',
      GN: 'ANA',
      SN: 'PRUEBA',
      CN: 'ANA PRUEBA',
      org: 'VATES-B12345674',
      O: 'EMPRESA SL',
    },
    ['person', '00000000T', 'ANA PRUEBA'],
  ],
  [
    'a seal',
    { CN: 'SELLO DE EMPRESA', org: 'VATES-B12345674', O: 'EMPRESA SL' },
    ['seal', 'B12345674', 'EMPRESA SL'],
  ],
  [
    'a seal by serial number',
    { serial: 'B12345674', CN: 'SELLO', O: 'EMPRESA SL' },
    ['seal', 'B12345674', 'EMPRESA SL'],
  ],
  [
    'a seal of another country',
    { CN: 'SEAL', org: 'VATFR-12345678901', O: 'SOCIÉTÉ' },
    ['seal', null, 'SOCIÉTÉ'],
  ],
  [
    'a person of another country',
    { serial: 'IDCFR-00000000T', GN: 'ANA', SN: 'PRUEBA', CN: 'ANA' },
    ['person', null, 'ANA PRUEBA'],
  ],
  [
    'a number with a wrong letter',
    { serial: 'IDCES-00000000A', GN: 'ANA', SN: 'PRUEBA', CN: 'ANA' },
    ['person', null, 'ANA PRUEBA'],
  ],
  ['a name alone', { CN: 'localhost' }, ['person', null, 'localhost']],
];

for (const [name, names, told] of cases) {
  test(`given the certificate of ${name}, then kind, tax id and name are told`, () => {
    const { kind, tax_id, holder_name } = readHolder(named(names));
    assert.deepEqual([kind, tax_id, holder_name], told);
  });
}

for (const [kind, told] of [
  ['person', ['person', 'B12345674' as string | null]],
  ['representative', ['representative', 'B12345674']],
  ['employee', ['person', '00000000T']],
  ['seal', ['seal', 'B12345674']],
] as const) {
  test(`given a test certificate of kind ${kind}, then it is read as what it is`, () => {
    const tax_id = kind === 'person' ? '00000000T' : 'B12345674';
    const [pem = ''] = makeTestCertificate({ kind, tax_id }).certificates;
    const holder = readHolder(new X509Certificate(pem));
    assert.deepEqual([holder.kind, holder.tax_id], [told[0], kind === 'person' ? tax_id : told[1]]);
  });
}

test('given a name with every character that needs care, then it is written after RFC 2253', () => {
  const certificate = named({ C: 'ES', OU: '#a, b+c="d"\\<e>;', O: ' x ', org: 'VATES-B12345674', CN: 'Ñ' });
  const { subject } = readCertificateNames(certificate);
  assert.equal(
    formatStrict(subject),
    String.raw`CN=Ñ,2.5.4.97=#0c0f56415445532d423132333435363734,O=\ x\ ,OU=\#a\, b\+c=\"d\"\\\<e\>\;,C=ES`,
  );
});

for (const [name, text_type] of [
  ['of two bytes a character (BMP)', forge.asn1.Type.BMPSTRING],
  ['of one byte a character (Teletex, as Latin-1)', 20 as forge.asn1.Type],
] as const) {
  test(`given names ${name}, then accents are read`, () => {
    const { holder_name, subject } = readHolder(named({ GN: 'JOSÉ', SN: 'NÚÑEZ' }, { text_type }));
    assert.deepEqual([holder_name, subject], ['JOSÉ NÚÑEZ', 'SN=NÚÑEZ,GN=JOSÉ']);
  });
}

const names = { serial: 'IDCES-00000000T', GN: 'ANA', SN: 'PRUEBA', O: 'EMPRESA SL', org: 'VATES-B12345674' };
const sequence = (inside: string) =>
  `${String.fromCharCode(0x30, 0x82, inside.length >> 8, inside.length & 0xff)}${inside}`;
const policy = (bytes: number[]) => sequence(String.fromCharCode(6, bytes.length, ...bytes));
/** 2.16.724.1.3.5.8: a representative, by the administration's policy. */
const representative = policy([0x60, 0x85, 0x54, 1, 3, 5, 8]);
/** 2.25 and a UUID: a number beyond what a double holds. */
const uuid = policy([0x69, ...Array<number>(18).fill(0x81), 1]);

for (const [name, value, kind] of [
  ['the policy of representatives', sequence(representative), 'representative'],
  ['the same after one with a number of 128 bits', sequence(uuid + representative), 'representative'],
  ['another policy', sequence(uuid), 'person'],
  ['no policy in it', sequence(''), 'person'],
] as const) {
  test(`given an extension with ${name}, then the holder is a ${kind}`, () => {
    assert.equal(readHolder(named(names, { extensions: [{ id: '2.5.29.32', value }] })).kind, kind);
  });
}

test('given an extension that is cut short or nested too deep, then the certificate is refused', () => {
  const deep = Array<number>(5_000)
    .fill(0)
    .reduce((inside) => sequence(inside), '');
  for (const value of [sequence(representative).slice(0, -1), deep])
    assert.throws(
      () => readHolder(named(names, { extensions: [{ id: '2.5.29.32', value }] })),
      value.slice(0, 9),
    );
});
