import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { generateKeyPairSync, hash, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { testAuthority, testCertificates } from '../../../test/support/certificates.ts';
import { officialSchemasFolder, skipWithoutSchemas } from '../../../test/support/official-schemas.ts';
import { anyEvent, anyRecord } from '../../../test/support/verifactu-arbitraries.ts';
import { alta, anulacion, chained, issuer, system } from '../../../test/support/verifactu-cases.ts';
import { checkSignature } from './check-signature.ts';
import { writeEvent } from './event-text.ts';
import { loadOfficialSchemas } from './official-schemas.ts';
import { UnusableSignerError } from './prepared-signer.ts';
import { writeRecord } from './record-text.ts';
import { sign } from './signature.ts';

const signed_at = '2026-11-21T10:20:31+01:00';
const signer = testCertificates.company();
const leaf = new X509Certificate(signer.certificates[0] ?? '');

const texts = {
  alta: writeRecord(chained(alta())).xml,
  anulacion: writeRecord(chained(anulacion())).xml,
  evento: writeEvent({
    details: { type: '01' },
    note: 'Ñandú & <compañía>',
    taxpayer: issuer,
    system,
    previous: null,
    stamped_at: '2026-11-21T10:20:30+01:00',
  }).xml,
};
/** Without the signature's namespace on the root, and with the default namespace in use. */
const spellings = {
  ...texts,
  'alta that does not declare ds': texts.alta.replace(/ xmlns:ds="[^"]+"/, ''),
  'alta in the default namespace': texts.alta
    .replace(/ xmlns:ds="[^"]+"/, '')
    .replace('xmlns:sf=', 'xmlns=')
    .replaceAll('sf:', ''),
  'alta that declares xades and others': texts.alta.replace(
    / xmlns:sf="[^"]+"/,
    '$& xmlns:xades="http://uri.etsi.org/01903/v1.3.2#" xmlns:zz="urn:zz"',
  ),
};

const folder = mkdtempSync(join(tmpdir(), 'folio-signature-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function signatureOf(xml: string): string {
  return /<ds:Signature[ >].*<\/ds:Signature>/s.exec(xml)?.[0] ?? '';
}

const ending = {
  alta: '</sf:RegistroAlta>',
  anulacion: '</sf:RegistroAnulacion>',
  evento: '</ev:Evento></ev:RegistroEvento>',
};

for (const kind of ['alta', 'anulacion', 'evento'] as const) {
  test(`given a text of kind ${kind}, when it is signed, then the signature is last in it and the rest stays as it was`, async () => {
    const signed = await sign(texts[kind], signer, signed_at);
    const signature = signatureOf(signed);
    assert.ok(signature.length > 0 && signed.endsWith(signature + ending[kind]));
    assert.equal(signed.replace(signature, ''), texts[kind]);
  });
}

const digest = hash('sha256', texts.alta, 'base64');
const id = hash('sha256', texts.alta, 'hex').slice(0, 32);
const parts: readonly (readonly [string, string])[] = [
  [
    'canonical form',
    '<ds:CanonicalizationMethod Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315">',
  ],
  ['signature method', '<ds:SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256">'],
  [
    'reference 1',
    `<ds:Reference Id="Reference-${id}" URI=""><ds:Transforms><ds:Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"></ds:Transform></ds:Transforms><ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"></ds:DigestMethod><ds:DigestValue>${digest}</ds:DigestValue>`,
  ],
  [
    'reference 2',
    `<ds:Reference Type="http://uri.etsi.org/01903#SignedProperties" URI="#SignedProperties-${id}"><ds:Transforms><ds:Transform Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315"></ds:Transform></ds:Transforms><ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256">`,
  ],
  [
    'certificate',
    `<ds:KeyInfo><ds:X509Data><ds:X509Certificate>${leaf.raw.toString('base64')}</ds:X509Certificate>`,
  ],
  ['key value', '<ds:KeyValue><ds:RSAKeyValue><ds:Modulus>'],
  ['signing time', `<xades:SigningTime>${signed_at}</xades:SigningTime>`],
  [
    'certificate digest',
    `<xades:SigningCertificate><xades:Cert><xades:CertDigest><ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"></ds:DigestMethod><ds:DigestValue>${hash('sha256', leaf.raw, 'base64')}</ds:DigestValue>`,
  ],
  [
    'issuer and serial',
    `<ds:X509IssuerName>CN=AC de pruebas\\, ensayos,2.5.4.97=#0c0f56415445532d51323832363030344a,O=Autoridad de Pruebas,C=ES</ds:X509IssuerName><ds:X509SerialNumber>${BigInt(`0x${leaf.serialNumber}`)}</ds:X509SerialNumber>`,
  ],
  [
    'policy',
    '<xades:Identifier>urn:oid:2.16.724.1.3.1.1.2.1.9</xades:Identifier><xades:Description></xades:Description>',
  ],
  [
    'policy hash',
    '<ds:DigestMethod Algorithm="http://www.w3.org/2000/09/xmldsig#sha1"></ds:DigestMethod><ds:DigestValue>G7roucf600+f03r/o0bAOQ6WAs0=</ds:DigestValue></xades:SigPolicyHash>',
  ],
  [
    'policy document',
    '<xades:SPURI>https://sede.administracion.gob.es/politica_de_firma_anexo_1.pdf</xades:SPURI>',
  ],
  ['data format', `<xades:DataObjectFormat ObjectReference="#Reference-${id}">`],
  [
    'data identifier',
    '<xades:Identifier Qualifier="OIDAsURN">urn:oid:1.2.840.10003.5.109.10</xades:Identifier>',
  ],
  ['data type', '<xades:MimeType>text/xml</xades:MimeType><xades:Encoding>UTF-8</xades:Encoding>'],
];

for (const [name, text] of parts) {
  test(`given a signed record, then it has its ${name} as specified`, async () => {
    const signature = signatureOf(await sign(texts.alta, signer, signed_at));
    assert.ok(signature.includes(text), `${text}\nis not in\n${signature}`);
  });
}

test('given a signer with a chain, then each certificate of it is named in the signed properties', async () => {
  const signature = signatureOf(await sign(texts.alta, signer, signed_at));
  for (const pem of signer.certificates) {
    assert.ok(signature.includes(hash('sha256', new X509Certificate(pem).raw, 'base64')));
  }
  assert.equal(signature.match(/<xades:Cert>/g)?.length, 3);
});

test('given the same text, signer and time, then the signature is the same; another text has other Ids', async () => {
  const one = await sign(texts.alta, signer, signed_at);
  assert.equal(await sign(texts.alta, { ...signer }, signed_at), one);
  const idsOf = (xml: string) => [...xml.matchAll(/ Id="([^"]+)"/g)].map(([, value]) => value);
  const ids = [...idsOf(one), ...idsOf(await sign(texts.anulacion, signer, signed_at))];
  assert.equal(ids.length, 6);
  assert.equal(new Set(ids).size, 6);
});

const has_xmlsec = spawnSync('xmlsec1', ['--version']).status === 0;
const skip = has_xmlsec ? false : 'xmlsec1 is not installed';

/** Throws unless xmlsec1 finds signature and certificate right. */
function verifyWithXmlsec(xml: string): void {
  const { root, issuer: sub } = testAuthority();
  const files = { 'root.pem': root.certificate, 'issuer.pem': sub.certificate, 'signed.xml': xml };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const args = [
    '--verify',
    '--enabled-key-data',
    'x509',
    '--trusted-pem',
    'root.pem',
    '--untrusted-pem',
    'issuer.pem',
  ];
  const id_attribute = ['--id-attr:Id', 'http://uri.etsi.org/01903/v1.3.2#:SignedProperties'];
  execFileSync('xmlsec1', [...args, ...id_attribute, 'signed.xml'], { cwd: folder, stdio: 'pipe' });
}

for (const [name, text] of Object.entries(spellings)) {
  test(`given a signed ${name}, when xmlsec1 verifies it, then it is right, and our own check agrees`, {
    skip,
  }, async () => {
    const signed = await sign(text, signer, signed_at);
    verifyWithXmlsec(signed);
    assert.deepEqual(checkSignature(signed), { is_valid: true, reason: null, certificate: leaf.toString() });
  });
}

test('given a signed record that was changed, when xmlsec1 verifies it, then it is wrong', {
  skip,
}, async () => {
  const signed = await sign(texts.alta, signer, signed_at);
  assert.throws(() => verifyWithXmlsec(signed.replace('FAC-2026', 'FAC-2025')));
});

test('given any record or event, when it is signed and verified by xmlsec1, then it is right', {
  skip,
}, async () => {
  const any = fc.oneof(anyRecord.map(writeRecord), anyEvent.map(writeEvent));
  await fc.assert(
    fc.asyncProperty(any, async ({ xml }) => verifyWithXmlsec(await sign(xml, signer, signed_at))),
    { numRuns: 25 },
  );
});

for (const [name, text] of Object.entries(texts)) {
  test(`given a signed ${name}, then the official schema accepts it`, {
    skip: skipWithoutSchemas,
  }, async () => {
    const official = loadOfficialSchemas(officialSchemasFolder ?? '');
    const signed = await sign(text, signer, signed_at);
    // The schema of records does not check the parts of a signature in other namespaces.
    assert.deepEqual(official.findFaults(signed), []);
  });
}

const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();

test('given a key that cannot sign records, when one is signed, then the refusal says why', async () => {
  const other = testCertificates.other();
  const cases = [
    [{ ...signer, private_key: elliptic }, 'not_rsa'],
    [{ ...signer, private_key: other.private_key }, 'mismatch'],
    [{ ...signer, certificates: [] }, 'mismatch'],
    [{ ...signer, private_key: 'nothing' }, 'unreadable'],
    [{ ...signer, certificates: ['nothing'] }, 'unreadable'],
  ] as const;
  for (const [wrong, reason] of cases) {
    await assert.rejects(
      sign(texts.alta, wrong, signed_at),
      (error) => error instanceof UnusableSignerError && error.reason === reason,
    );
  }
});

test('given a text that is no unsigned canonical record, when it is signed, then it is refused', async () => {
  const signed = await sign(texts.alta, signer, signed_at);
  const others = [
    '',
    'nothing',
    signed,
    `<?xml version="1.0"?>${texts.alta}`,
    `${texts.alta}\n`,
    texts.alta.replaceAll('RegistroAlta', 'RegistroOtro'),
    texts.evento.replace('</ev:Evento>', '</ev:Evento><ev:Mas></ev:Mas>'),
    texts.alta.replace('xmlns:ds="http://www.w3.org/2000/09/xmldsig#"', 'xmlns:ds="urn:other"'),
  ];
  for (const text of others) await assert.rejects(sign(text, signer, signed_at), Error, text.slice(0, 60));
  for (const time of ['2026-11-21', '2026-11-21T10:20:31', '2026-11-21T10:20:31.5Z', '<x/>'])
    await assert.rejects(sign(texts.alta, signer, time), /offset/);
});

test('given many signers in turn, when each signs, then each signature is its own', async () => {
  const signers = [testCertificates.company(), testCertificates.seal(), testCertificates.person()];
  const signed = await Promise.all(
    Array.from({ length: 12 }, (_, i) => sign(texts.alta, signers[i % 3] ?? signer, signed_at)),
  );
  signed.forEach((xml, i) => {
    assert.equal(checkSignature(xml).certificate, signers[i % 3]?.certificates[0]);
  });
});
