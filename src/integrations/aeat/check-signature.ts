/**
 * Shares no code with the writing of signatures: libxml2 gives the canonical form. Nothing is fetched, so trust in
 * the issuer and revocation are not checked.
 */
import { hash, verify, X509Certificate } from 'node:crypto';
import { XmlElement } from 'libxml2-wasm';
import { checkProperties } from './check-signed-properties.ts';
import {
  CANONICAL,
  DS,
  ENVELOPED,
  RSA_SHA256,
  RSA_SHA512,
  SHA256,
  SIGNED_PROPERTIES_TYPE,
  signedRoots,
} from './signature-profile.ts';
import {
  algorithmOf,
  refuseUnless,
  RefusedSignature,
  refusals,
  take,
  takeAll,
  takeAttributes,
  takeBytes,
  takePlainBytes,
} from './signature-shape.ts';
import { openXml } from './xml-tree.ts';

/** `reason` is Spanish; `certificate` is the signer's as PEM, if one can be read. */
export type SignatureCheck = { is_valid: boolean; reason: string | null; certificate: string | null };

const signatureHashes: Readonly<Record<string, string>> = { [RSA_SHA256]: 'sha256', [RSA_SHA512]: 'sha512' };

/** Finds any change of content or signature. Never throws for what the text holds. */
export function checkSignature(xml: string): SignatureCheck {
  const seen: { certificate: string | null } = { certificate: null };
  try {
    check(xml, seen);
    return { is_valid: true, reason: null, ...seen };
  } catch (error) {
    if (error instanceof RefusedSignature) return { is_valid: false, reason: error.message, ...seen };
    return { is_valid: false, reason: `El texto no se puede leer: ${messageOf(error)}`, ...seen };
  }
}

function check(xml: string, seen: { certificate: string | null }): void {
  // Canonical text has no document type, comment, instruction or CDATA, and escapes `<`.
  refuseUnless(!/<[!?]/.test(xml), 'El texto contiene marcas que un registro no lleva.');
  using document = openXml(xml);
  refuseUnless(
    document.canonicalizeToString() === xml,
    'El texto no está en la forma canónica en la que se escribió.',
  );

  const signature = findSignature(document.root);
  const [id] = takeAttributes(signature, 'Id');
  const [info, value, key_info, object] = take(
    signature,
    'ds:SignedInfo',
    'ds:SignatureValue',
    'ds:KeyInfo',
    'ds:Object',
  );
  const signed = readInfo(info);
  const certificates = readKeyInfo(key_info);
  const [signer] = certificates;
  refuseUnless(signer !== undefined, refusals.shape);
  seen.certificate = signer.toString();
  const properties = readProperties(object, id, signed);

  refuseUnless(
    digestOf(properties.canonicalizeToString()).equals(signed.properties_digest),
    'Los datos de la firma no son los que se firmaron.',
  );
  checkProperties(properties, signed.reference_id, certificates);
  const bytes = Buffer.from(info.canonicalizeToString(), 'utf8');
  takeAttributes(value);
  refuseUnless(
    verify(signed.hash, bytes, signer.publicKey, takeBytes(value)),
    'El valor de la firma no corresponde a la clave del certificado.',
  );

  // Last, because the enveloped-signature transform takes the signature out of the document.
  signature.remove();
  refuseUnless(
    digestOf(document.canonicalizeToString()).equals(signed.content_digest),
    'El contenido no es el que se firmó.',
  );
}

function findSignature(root: XmlElement): XmlElement {
  const found = root.find('//*[local-name() = "Signature"]');
  refuseUnless(found.length > 0, 'El registro no está firmado.');
  refuseUnless(found.length === 1, 'El registro tiene más de una firma.');
  const name = signedRoots.get(root.name);
  refuseUnless(name !== undefined, 'El documento no es un registro ni un evento.');
  const parent = name === root.name ? root : root.lastChild;
  refuseUnless(parent instanceof XmlElement && parent.name === name, 'La firma no está en su lugar.');
  const signature = parent.lastChild;
  refuseUnless(
    signature instanceof XmlElement && found[0]?.isSameNode(signature) === true,
    'La firma no está en su lugar.',
  );
  refuseUnless(signature.namespaceUri === DS, refusals.shape);
  return signature;
}

type SignedInfo = {
  hash: string;
  reference_id: string;
  properties_id: string;
  content_digest: Buffer;
  properties_digest: Buffer;
};

/** Accepts only what a record's SignedInfo says. */
function readInfo(info: XmlElement): SignedInfo {
  takeAttributes(info);
  const [method, signature_method, content, properties] = take(
    info,
    'ds:CanonicalizationMethod',
    'ds:SignatureMethod',
    'ds:Reference',
    'ds:Reference',
  );
  refuseUnless(algorithmOf(method) === CANONICAL, 'La firma usa otra forma canónica.');
  const signature_hash = signatureHashes[algorithmOf(signature_method)];
  refuseUnless(signature_hash !== undefined, 'La firma usa un algoritmo que no se admite.');

  const [reference_id, uri] = takeAttributes(content, 'Id', 'URI');
  refuseUnless(uri === '', 'La firma no cubre el registro entero.');
  const [type, properties_uri] = takeAttributes(properties, 'Type', 'URI');
  refuseUnless(type === SIGNED_PROPERTIES_TYPE && properties_uri.startsWith('#'), refusals.shape);
  return {
    hash: signature_hash,
    reference_id,
    properties_id: properties_uri.slice(1),
    content_digest: readReference(content, ENVELOPED),
    properties_digest: readReference(properties, CANONICAL),
  };
}

function readReference(reference: XmlElement, expected: string): Buffer {
  const [transforms, method, value] = take(reference, 'ds:Transforms', 'ds:DigestMethod', 'ds:DigestValue');
  takeAttributes(transforms);
  const [transform] = take(transforms, 'ds:Transform');
  refuseUnless(
    algorithmOf(transform) === expected && algorithmOf(method) === SHA256,
    'La firma usa un algoritmo que no se admite.',
  );
  return takePlainBytes(value);
}

/** The signer's certificate comes first. Its key must be the one in KeyValue. */
function readKeyInfo(key_info: XmlElement): X509Certificate[] {
  takeAttributes(key_info);
  const [data, key_value] = take(key_info, 'ds:X509Data', 'ds:KeyValue');
  takeAttributes(data);
  takeAttributes(key_value);
  const certificates = takeAll(data, 'ds:X509Certificate').map((element) =>
    readCertificate(takePlainBytes(element)),
  );
  const [rsa] = take(key_value, 'ds:RSAKeyValue');
  takeAttributes(rsa);
  const [modulus, exponent] = take(rsa, 'ds:Modulus', 'ds:Exponent');
  const key = certificates[0]?.publicKey;
  refuseUnless(key?.asymmetricKeyType === 'rsa', 'La clave del certificado no es RSA.');
  const { n = '', e = '' } = key.export({ format: 'jwk' });
  refuseUnless(
    takePlainBytes(modulus).toString('base64url') === n &&
      takePlainBytes(exponent).toString('base64url') === e,
    'La clave de la firma no es la del certificado.',
  );
  return certificates;
}

/** The object must hold nothing else, and SignedInfo must name it. */
function readProperties(object: XmlElement, id: string, signed: SignedInfo): XmlElement {
  takeAttributes(object);
  const [qualifying] = take(object, 'xades:QualifyingProperties');
  const [target] = takeAttributes(qualifying, 'Target');
  const [properties] = take(qualifying, 'xades:SignedProperties');
  const [properties_id] = takeAttributes(properties, 'Id');
  refuseUnless(
    target === `#${id}` && properties_id === signed.properties_id,
    'Las partes de la firma no corresponden unas a otras.',
  );
  return properties;
}

function digestOf(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

function readCertificate(bytes: Buffer): X509Certificate {
  try {
    const certificate = new X509Certificate(bytes);
    // The parser ignores bytes after the end.
    if (certificate.raw.equals(bytes)) return certificate;
  } catch {
    // Refused below.
  }
  throw new RefusedSignature('El certificado no se puede leer.');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'error desconocido';
}
