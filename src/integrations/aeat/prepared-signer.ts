/** The parts of a signature that depend on the signer alone, kept for the last signers. */
import { createPrivateKey, hash, type KeyObject, X509Certificate } from 'node:crypto';
import type { Signer } from '../../modules/verifactu/ports.ts';
import { formatStrict, readCertificateNames } from './certificate-names.ts';
import { SHA256 } from './signature-profile.ts';
import { escapeText } from './xml-text.ts';

/** `mismatch`: key and certificate do not belong together. */
export class UnusableSignerError extends Error {
  readonly reason: 'not_rsa' | 'unreadable' | 'mismatch';

  constructor(reason: 'not_rsa' | 'unreadable' | 'mismatch', message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UnusableSignerError';
    this.reason = reason;
  }
}

export type Prepared = { key: KeyObject; key_info: string; signing_certificate: string };

/** Oldest first. The map's key is a digest, so that no private key is held as text. */
const prepared = new Map<string, Prepared>();
const PREPARED_MAX = 256;

/** @throws UnusableSignerError */
export function prepare(signer: Signer): Prepared {
  const name = hash('sha256', [signer.private_key, ...signer.certificates].join('\n'), 'base64');
  const found = prepared.get(name) ?? readSigner(signer);
  prepared.delete(name);
  prepared.set(name, found);
  if (prepared.size > PREPARED_MAX) prepared.delete(prepared.keys().next().value ?? name);
  return found;
}

function readSigner(signer: Signer): Prepared {
  const { key, certificates } = readPem(signer);
  const [leaf] = certificates;
  if (key.asymmetricKeyType !== 'rsa') {
    throw new UnusableSignerError(
      'not_rsa',
      `Records are signed with RSA; this key is ${key.asymmetricKeyType ?? 'of no known kind'}`,
    );
  }
  if (!leaf?.checkPrivateKey(key))
    throw new UnusableSignerError('mismatch', "The key is not that of the signer's certificate");
  return {
    key,
    key_info: writeKeyInfo(leaf),
    signing_certificate: `<xades:SigningCertificate>${certificates.map(writeCertificateReference).join('')}</xades:SigningCertificate>`,
  };
}

function readPem({ private_key, certificates }: Signer): { key: KeyObject; certificates: X509Certificate[] } {
  try {
    return {
      key: createPrivateKey(private_key),
      certificates: certificates.map((pem) => new X509Certificate(pem)),
    };
  } catch (error) {
    throw new UnusableSignerError('unreadable', "The signer's key or certificates cannot be read", {
      cause: error,
    });
  }
}

/** Holds the signer's certificate alone. The signed properties name the chain with its digests. */
function writeKeyInfo(leaf: X509Certificate): string {
  const { n = '', e = '' } = leaf.publicKey.export({ format: 'jwk' });
  const base64 = (value: string) => Buffer.from(value, 'base64url').toString('base64');
  return (
    `<ds:KeyInfo><ds:X509Data><ds:X509Certificate>${leaf.raw.toString('base64')}</ds:X509Certificate></ds:X509Data>` +
    `<ds:KeyValue><ds:RSAKeyValue><ds:Modulus>${base64(n)}</ds:Modulus><ds:Exponent>${base64(e)}</ds:Exponent>` +
    '</ds:RSAKeyValue></ds:KeyValue></ds:KeyInfo>'
  );
}

/**
 * The authority's example has SHA-1, and the standard admits any digest. This is SHA-256: a second certificate with
 * the same SHA-1 can be made.
 */
function writeCertificateReference(certificate: X509Certificate): string {
  const issuer = formatStrict(readCertificateNames(certificate).issuer);
  return (
    `<xades:Cert><xades:CertDigest><ds:DigestMethod Algorithm="${SHA256}"></ds:DigestMethod>` +
    `<ds:DigestValue>${hash('sha256', certificate.raw, 'base64')}</ds:DigestValue></xades:CertDigest>` +
    `<xades:IssuerSerial><ds:X509IssuerName>${escapeText(issuer)}</ds:X509IssuerName>` +
    `<ds:X509SerialNumber>${BigInt(`0x${certificate.serialNumber}`)}</ds:X509SerialNumber></xades:IssuerSerial></xades:Cert>`
  );
}
