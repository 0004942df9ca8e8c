/** Covers every known way to let a right signature vouch for other content. */
import assert from 'node:assert/strict';
import { createPrivateKey, hash, sign as signBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { makeTestCertificate, testCertificates } from '../../../test/support/certificates.ts';
import { anyEvent, anyRecord } from '../../../test/support/verifactu-arbitraries.ts';
import { alta, chained, issuer, system } from '../../../test/support/verifactu-cases.ts';
import { checkSignature } from './check-signature.ts';
import { writeEvent } from './event-text.ts';
import { writeRecord } from './record-text.ts';
import { sign } from './signature.ts';

const signed_at = '2026-11-21T10:20:31+01:00';
const signer = testCertificates.company();
const text = writeRecord(chained(alta())).xml;
const record = await sign(text, signer, signed_at);
const event = await sign(
  writeEvent({
    details: { type: '07' },
    note: null,
    taxpayer: issuer,
    system,
    previous: null,
    stamped_at: '2026-11-21T10:20:30+01:00',
  }).xml,
  signer,
  signed_at,
);
const signature = /<ds:Signature[ >].*<\/ds:Signature>/s.exec(record)?.[0] ?? '';

test('given any record or event that was signed, when it is checked, then it is valid', async () => {
  const any = fc.oneof(anyRecord.map(writeRecord), anyEvent.map(writeEvent));
  await fc.assert(
    fc.asyncProperty(any, async ({ xml }) => {
      assert.deepEqual(checkSignature(await sign(xml, signer, signed_at)), {
        is_valid: true,
        reason: null,
        certificate: signer.certificates[0],
      });
    }),
    { numRuns: 50 },
  );
});

const character = fc.oneof(
  fc.constantFrom(...'AB019ab+/=<>&"\' \n\t\r:#-'),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
);

for (const [name, xml] of [
  ['record', record],
  ['event', event],
] as const) {
  test(`given a signed ${name}, when a character anywhere in it is replaced, added or taken out, then it is found`, () => {
    const place = fc.nat({ max: xml.length - 1 });
    fc.assert(
      fc.property(place, fc.constantFrom(0, 1), fc.option(character), (at, taken, put) => {
        const changed = xml.slice(0, at) + (put ?? '') + xml.slice(at + taken);
        fc.pre(changed !== xml);
        const { is_valid, reason } = checkSignature(changed);
        assert.equal(is_valid, false);
        assert.ok(reason);
      }),
      { numRuns: 1500 },
    );
  });
}

/** Signs a changed SignedInfo, as somebody with another key would. */
function signAnew(xml: string, key: string, digest = 'sha256'): string {
  const info = /<ds:SignedInfo>.*<\/ds:SignedInfo>/s.exec(xml)?.[0] ?? '';
  const root = /^<\S+((?: xmlns:\w+="[^"]*")*)>/.exec(xml)?.[1] ?? '';
  const canonical = info.replace('<ds:SignedInfo>', `<ds:SignedInfo${root}>`);
  const value = signBytes(digest, Buffer.from(canonical, 'utf8'), createPrivateKey(key)).toString('base64');
  return xml.replace(/(<ds:SignatureValue>)[^<]*/, `$1${value}`);
}

/** Changes the signed properties and all that depends on them, as the holder of the key can. */
function withProperties(change: (properties: string) => string): string {
  const properties = /<xades:SignedProperties .*<\/xades:SignedProperties>/s.exec(record)?.[0] ?? '';
  const root = /^<\S+((?: xmlns:\w+="[^"]*")*)>/.exec(record)?.[1] ?? '';
  const digestOf = (xml: string) =>
    hash(
      'sha256',
      xml.replace('<xades:SignedProperties', `$&${root} xmlns:xades="http://uri.etsi.org/01903/v1.3.2#"`),
      'base64',
    );
  const changed = change(properties);
  assert.notEqual(changed, properties);
  assert.ok(record.includes(digestOf(properties)));
  return signAnew(
    record.replace(properties, changed).replace(digestOf(properties), digestOf(changed)),
    signer.private_key,
  );
}

const other = testCertificates.other();
const renewed = makeTestCertificate({
  kind: 'representative',
  tax_id: 'A58818501',
  private_key: signer.private_key,
});
const bare = (pem = '') => pem.replace(/-----[A-Z ]+-----|\s/g, '');
const certificateIn = (xml: string, pem = '') => xml.replace(/(<ds:X509Certificate>)[^<]*/, `$1${bare(pem)}`);

const attacks: readonly (readonly [name: string, xml: string, reason: RegExp])[] = [
  ['no signature', text, /no está firmado/],
  ['nothing', '', /no se puede leer/],
  ['no XML', 'nothing', /no se puede leer/],
  ['another total', record.replace('121.00', '120.00'), /contenido no es el que se firmó/],
  ['another signing time', record.replace('10:20:31', '10:20:32'), /datos de la firma/],
  ['a second signature', record.replace(signature, signature + signature), /más de una firma/],
  [
    'a second signature in other content',
    record.replace('<sf:IDVersion>', `${signature}<sf:IDVersion>`),
    /más de una firma/,
  ],
  [
    'the signature at another place',
    record.replace(signature, '').replace('<sf:IDVersion>', `${signature}<sf:IDVersion>`),
    /no está en su lugar/,
  ],
  [
    'the signature of another record',
    text.replace('121.00', '120.00').replace('</sf:RegistroAlta>', `${signature}$&`),
    /contenido/,
  ],
  [
    'the signed record inside another document',
    `<sf:Otro xmlns:sf="urn:x">${record}</sf:Otro>`,
    /no es un registro/,
  ],
  [
    'the signed record inside a record of the attacker',
    record.replace(/^<sf:RegistroAlta[^>]*>/, `$&${text.replace(/ xmlns:\w+="[^"]*"/g, '')}`),
    /contenido no es el que se firmó/,
  ],
  [
    'a reference to a part',
    signAnew(record.replace('URI=""', 'URI="#x"'), signer.private_key),
    /registro entero/,
  ],
  [
    'a third reference',
    signAnew(
      record.replace('</ds:SignedInfo>', '<ds:Reference URI="#x"></ds:Reference>$&'),
      signer.private_key,
    ),
    /no tiene la forma/,
  ],
  [
    'another transform',
    signAnew(record.replace('#enveloped-signature', '#other'), signer.private_key),
    /algoritmo que no se admite/,
  ],
  [
    'a weak digest',
    signAnew(record.replace('xmlenc#sha256', 'xmldsig#sha1'), signer.private_key),
    /algoritmo que no se admite/,
  ],
  [
    'a weak signature method',
    signAnew(record.replace('xmldsig-more#rsa-sha256', 'xmldsig#rsa-sha1'), signer.private_key),
    /algoritmo que no se admite/,
  ],
  [
    'another canonical form',
    signAnew(record.replace('REC-xml-c14n-20010315', 'REC-other'), signer.private_key),
    /otra forma canónica/,
  ],
  ['the key of somebody else', signAnew(record, other.private_key), /no corresponde a la clave/],
  [
    'the certificate of somebody else',
    certificateIn(record, other.certificates[0]),
    /clave de la firma no es la del/,
  ],
  [
    'another certificate for the same key',
    certificateIn(record, renewed.certificates[0]),
    /no es el que se firmó/,
  ],
  [
    'another policy',
    withProperties((properties) => properties.replace('2.16.724.1.3.1.1.2.1.9', '2.16.724.1.3.1.1.2.1.8')),
    /otra política/,
  ],
  [
    'a time before the certificate',
    withProperties((properties) => properties.replace('2026-11-21T', '2019-11-21T')),
    /no estaba en vigor/,
  ],
  [
    'a time after the certificate',
    withProperties((properties) => properties.replace('2026-11-21T', '2099-11-21T')),
    /no estaba en vigor/,
  ],
  [
    'a property more',
    withProperties((properties) =>
      properties.replace('</xades:SignedSignatureProperties>', '<xades:SignerRole></xades:SignerRole>$&'),
    ),
    /no tiene la forma/,
  ],
  ['an object more', record.replace('</ds:Object>', '$&<ds:Object></ds:Object>'), /no tiene la forma/],
  ['a line end in the signature', record.replace('</ds:SignedInfo>', '$&\n'), /no tiene la forma/],
  ['base 64 spelt another way', record.replace(/(=)(<\/ds:SignatureValue>)/, '$1\n$2'), /no tiene la forma/],
  [
    'a comment',
    record.replace('<sf:IDVersion>', '<!-- --><sf:IDVersion>'),
    /marcas que un registro no lleva/,
  ],
  ['a processing instruction', `<?x y?>${record}`, /marcas que un registro no lleva/],
  [
    'a document type',
    `<!DOCTYPE r SYSTEM "http://127.0.0.1:9/x.dtd">${record}`,
    /marcas que un registro no lleva/,
  ],
  ['another spelling of the same XML', record.replace('></ds:DigestMethod>', '/>'), /forma canónica/],
  ['a blank in a tag', record.replace('<sf:IDVersion>', '<sf:IDVersion >'), /forma canónica/],
];

for (const [name, xml, reason] of attacks) {
  test(`given ${name}, when the signature is checked, then it is refused with its reason`, () => {
    const answer = checkSignature(xml);
    assert.equal(answer.is_valid, false);
    assert.match(answer.reason ?? '', reason);
  });
}

test('given properties signed anew by the holder of the key, when they say what they should, then that is valid', () => {
  const again = withProperties((properties) => properties.replace('10:20:31', '10:20:32'));
  assert.equal(checkSignature(again).is_valid, true);
});

test('given a certificate digest by SHA-1, as the authority has it in its example, then it is accepted', async () => {
  const [pem] = signer.certificates;
  const der = Buffer.from(bare(pem), 'base64');
  const again = withProperties((properties) =>
    properties
      .replace('http://www.w3.org/2001/04/xmlenc#sha256', 'http://www.w3.org/2000/09/xmldsig#sha1')
      .replace(hash('sha256', der, 'base64'), hash('sha1', der, 'base64')),
  );
  assert.equal(checkSignature(again).is_valid, true);
});

test('given a signature by RSA with SHA-512, which is admitted too, then it is accepted', () => {
  const changed = record.replace('xmldsig-more#rsa-sha256', 'xmldsig-more#rsa-sha512');
  assert.equal(checkSignature(signAnew(changed, signer.private_key, 'sha512')).is_valid, true);
});
