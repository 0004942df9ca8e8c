/** What an opened file holds. It checks signatures with keys that strangers chose, so it runs in a thread. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { Signer } from '../../modules/verifactu/ports.ts';
import { type CertificateHolder, readHolder } from './certificate-holder.ts';

export type CertificateFile = Signer &
  CertificateHolder & {
    /** In hexadecimal. */
    serial: string;
    fingerprint: string;
    valid_from: Date;
    valid_until: Date;
  };

export type FileFaultReason =
  | 'no_private_key'
  | 'not_rsa'
  | 'key_too_short'
  | 'key_too_long'
  | 'several_keys'
  | 'too_costly';

export class FileFault extends Error {
  readonly reason: FileFaultReason;

  constructor(reason: FileFaultReason, detail: string = reason) {
    super(detail);
    this.reason = reason;
  }
}

/** Keys, and certificates, of one file. A chain has three or four. */
const partsMax = 30;
/** With a shorter key OpenSSL makes no connection: what waits to be sent would wait for ever. */
const bitsMin = 2048;
/** With a longer key each signature would take too long. */
const bitsMax = 4096;

/** @throws FileFault; any other error for what cannot be read */
export function describeFile(opened: { keys: Uint8Array[]; certificates: Uint8Array[] }): CertificateFile {
  if (opened.keys.length > partsMax || opened.certificates.length > partsMax)
    throw new Error(`${opened.keys.length} keys and ${opened.certificates.length} certificates`);
  const certificates = opened.certificates.map((der) => new X509Certificate(der));
  const keys = opened.keys.map((der) =>
    createPrivateKey({ key: Buffer.from(der), format: 'der', type: 'pkcs8' }),
  );
  const { key, leaf } = choose(keys, certificates);
  return {
    private_key: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificates: orderChain(leaf, certificates).map((certificate) => certificate.toString()),
    ...readHolder(leaf),
    serial: leaf.serialNumber,
    fingerprint: leaf.fingerprint256.replaceAll(':', '').toLowerCase(),
    valid_from: leaf.validFromDate,
    valid_until: leaf.validToDate,
  };
}

/** The only key with a certificate, and its last certificate if it was renewed. */
function choose(
  keys: readonly KeyObject[],
  certificates: readonly X509Certificate[],
): { key: KeyObject; leaf: X509Certificate } {
  const owned = distinct(keys).flatMap((key) => {
    const [leaf] = certificates
      .filter((certificate) => certificate.checkPrivateKey(key))
      .sort((a, b) => b.validToDate.getTime() - a.validToDate.getTime());
    return leaf ? [{ key, leaf }] : [];
  });
  const [one, ...others] = owned;
  if (!one) throw new FileFault('no_private_key');
  if (others.length > 0) throw new FileFault('several_keys');
  if (one.key.asymmetricKeyType !== 'rsa') throw new FileFault('not_rsa');
  const bits = one.key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (bits < bitsMin) throw new FileFault('key_too_short');
  if (bits > bitsMax) throw new FileFault('key_too_long');
  return one;
}

function distinct(keys: readonly KeyObject[]): KeyObject[] {
  return keys.filter((key, i) => keys.findIndex((other) => other.equals(key)) === i);
}

/** The leaf and its issuers in order. */
function orderChain(leaf: X509Certificate, certificates: readonly X509Certificate[]): X509Certificate[] {
  const chain = [leaf];
  for (let last = leaf; ; ) {
    const issuer = certificates.find(
      (candidate) =>
        !chain.some((known) => known.raw.equals(candidate.raw)) &&
        last.checkIssued(candidate) &&
        last.verify(candidate.publicKey),
    );
    if (!issuer) return chain;
    chain.push(issuer);
    last = issuer;
  }
}
