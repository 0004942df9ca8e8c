/**
 * Signs without parsing XML. A record's text is canonical, so its digest is that of its bytes. The signature's parts
 * are canonical too, with the namespaces in scope. check-signature.ts and, in tests, xmlsec1 prove it.
 */
import { hash, type KeyObject, sign as signBytes } from 'node:crypto';
import type { Signer } from '../../modules/verifactu/ports.ts';
import { prepare } from './prepared-signer.ts';
import {
  CANONICAL,
  DATA_FORMAT,
  DS,
  ENVELOPED,
  policy,
  RSA_SHA256,
  SHA1,
  SHA256,
  SIGNED_PROPERTIES_TYPE,
  signedRoots,
  XADES,
} from './signature-profile.ts';

/**
 * Adds an enveloped signature as last child of the record, or of `Evento`. All other bytes stay. The same text,
 * signer and time give the same signature.
 * @param xml canonical, with all namespaces on the root
 * @param signed_at `2026-11-21T10:20:30+01:00`
 * @throws UnusableSignerError for a key that is not RSA, or not the certificate's
 * @throws Error for a text that is no unsigned record, or another form of time
 */
export async function sign(xml: string, signer: Signer, signed_at: string): Promise<string> {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)$/.test(signed_at))
    throw new Error('A signing time needs seconds and an offset');
  const { namespaces, at } = findPlace(xml);
  const { key, key_info, signing_certificate } = prepare(signer);

  const digest = hash('sha256', xml, 'buffer');
  // Ids in a message of several records must differ, so they come from the content's digest.
  const id = digest.toString('hex', 0, 16);
  const in_signature = new Map(namespaces).set('ds', DS);
  const in_properties = new Map(in_signature).set('xades', XADES);

  const properties = writeProperties(id, signed_at, signing_certificate);
  const properties_digest = hash(
    'sha256',
    `<xades:SignedProperties${declare(in_properties)}${properties}`,
    'base64',
  );
  const info = writeInfo(id, digest.toString('base64'), properties_digest);
  const value = await signAsync(`<ds:SignedInfo${declare(in_signature)}${info}`, key);

  const signature =
    `<ds:Signature${declareNew('ds', DS, namespaces)} Id="Signature-${id}"><ds:SignedInfo${info}` +
    `<ds:SignatureValue>${value.toString('base64')}</ds:SignatureValue>${key_info}` +
    `<ds:Object><xades:QualifyingProperties${declareNew('xades', XADES, namespaces)} Target="#Signature-${id}">` +
    `<xades:SignedProperties${properties}</xades:QualifyingProperties></ds:Object></ds:Signature>`;
  return xml.slice(0, at) + signature + xml.slice(at);
}

/** The root's namespaces by prefix ('' for the default one), and where the signature goes. */
function findPlace(xml: string): { namespaces: ReadonlyMap<string, string>; at: number } {
  const root = /^<((?:[\w.-]+:)?)(\w+)((?: xmlns(?::[\w.-]+)?="[^"<]*")*)>/.exec(xml);
  const [, prefix = '', name = '', declarations = ''] = root ?? [];
  const parent = signedRoots.get(name);
  if (parent === undefined) throw new Error('Only records and events in canonical form are signed');
  // In canonical text `>` occurs in tags alone, so this is an element and no user's text.
  if (xml.includes('Signature>')) throw new Error('The text is signed already');
  const end = parent === name ? `</${prefix}${name}>` : `</${prefix}${parent}></${prefix}${name}>`;
  if (!xml.endsWith(end) || !(parent === name || xml.includes(`<${prefix}${parent}>`)))
    throw new Error(`A signature has no place in this ${name}`);
  const namespaces = new Map<string, string>();
  for (const [, of = '', uri = ''] of declarations.matchAll(/ xmlns:?([\w.-]*)="([^"]*)"/g))
    namespaces.set(of, uri);
  return { namespaces, at: xml.length - end.length };
}

/** In canonical order: the default namespace, then by prefix. */
function declare(namespaces: ReadonlyMap<string, string>): string {
  return [...namespaces]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([prefix, uri]) => (prefix === '' ? ` xmlns="${uri}"` : ` xmlns:${prefix}="${uri}"`))
    .join('');
}

/** Empty when the root declares the prefix. */
function declareNew(prefix: string, uri: string, namespaces: ReadonlyMap<string, string>): string {
  const declared = namespaces.get(prefix);
  if (declared === uri) return '';
  if (declared !== undefined) throw new Error(`The prefix ${prefix} is taken`);
  return ` xmlns:${prefix}="${uri}"`;
}

/** From the attribute on: the start tag differs between document and digest. */
function writeProperties(id: string, signed_at: string, signing_certificate: string): string {
  return (
    ` Id="SignedProperties-${id}"><xades:SignedSignatureProperties>` +
    `<xades:SigningTime>${signed_at}</xades:SigningTime>${signing_certificate}${policyText}` +
    '</xades:SignedSignatureProperties><xades:SignedDataObjectProperties>' +
    `<xades:DataObjectFormat ObjectReference="#Reference-${id}"><xades:Description></xades:Description>` +
    `<xades:ObjectIdentifier><xades:Identifier Qualifier="OIDAsURN">${DATA_FORMAT}</xades:Identifier>` +
    '<xades:Description></xades:Description></xades:ObjectIdentifier><xades:MimeType>text/xml</xades:MimeType>' +
    '<xades:Encoding>UTF-8</xades:Encoding></xades:DataObjectFormat></xades:SignedDataObjectProperties>' +
    '</xades:SignedProperties>'
  );
}

const policyText =
  '<xades:SignaturePolicyIdentifier><xades:SignaturePolicyId><xades:SigPolicyId>' +
  `<xades:Identifier>${policy.identifier}</xades:Identifier><xades:Description></xades:Description></xades:SigPolicyId>` +
  `<xades:SigPolicyHash><ds:DigestMethod Algorithm="${SHA1}"></ds:DigestMethod>` +
  `<ds:DigestValue>${policy.hash}</ds:DigestValue></xades:SigPolicyHash>` +
  `<xades:SigPolicyQualifiers><xades:SigPolicyQualifier><xades:SPURI>${policy.document}</xades:SPURI>` +
  '</xades:SigPolicyQualifier></xades:SigPolicyQualifiers></xades:SignaturePolicyId></xades:SignaturePolicyIdentifier>';

/** From behind the name of its start tag. */
function writeInfo(id: string, digest: string, properties_digest: string): string {
  return (
    `><ds:CanonicalizationMethod Algorithm="${CANONICAL}"></ds:CanonicalizationMethod>` +
    `<ds:SignatureMethod Algorithm="${RSA_SHA256}"></ds:SignatureMethod>` +
    `<ds:Reference Id="Reference-${id}" URI="">${writeDigest(ENVELOPED, digest)}</ds:Reference>` +
    `<ds:Reference Type="${SIGNED_PROPERTIES_TYPE}" URI="#SignedProperties-${id}">` +
    `${writeDigest(CANONICAL, properties_digest)}</ds:Reference></ds:SignedInfo>`
  );
}

function writeDigest(transform: string, digest: string): string {
  return (
    `<ds:Transforms><ds:Transform Algorithm="${transform}"></ds:Transform></ds:Transforms>` +
    `<ds:DigestMethod Algorithm="${SHA256}"></ds:DigestMethod><ds:DigestValue>${digest}</ds:DigestValue>`
  );
}

/** On the thread pool: an RSA signature would stop the process for half a millisecond. */
function signAsync(text: string, key: KeyObject): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    signBytes('sha256', Buffer.from(text, 'utf8'), key, (error, value) =>
      error ? reject(error) : resolve(value),
    );
  });
}
