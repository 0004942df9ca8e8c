/** Names and extensions of a certificate (RFC 5280), and names as text for XML signatures (RFC 2253). */
import type { X509Certificate } from 'node:crypto';
import { type Asn1, childrenOf, contentOf, encode, oidOf, readAsn1, textOf, types } from './asn1.ts';

/** Part of a name, such as CN. `der` is the encoded value. */
export type Attribute = { oid: string; value: string; der: Buffer };

/** Mostly from the country to the holder. Few parts have several attributes. */
export type Name = readonly (readonly Attribute[])[];

export type CertificateNames = {
  issuer: Name;
  subject: Name;
  /** By object identifier. */
  extensions: ReadonlyMap<string, Buffer>;
};

/** From RFC 2253. Other attributes are written as number and bytes. */
const standardNames: Record<string, string> = {
  '2.5.4.3': 'CN',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '2.5.4.6': 'C',
  '2.5.4.9': 'STREET',
  '0.9.2342.19200300.100.1.25': 'DC',
  '0.9.2342.19200300.100.1.1': 'UID',
};

const readableNames: Record<string, string> = {
  ...standardNames,
  '2.5.4.4': 'SN',
  '2.5.4.5': 'serialNumber',
  '2.5.4.12': 'title',
  '2.5.4.13': 'description',
  '2.5.4.42': 'GN',
  '2.5.4.97': 'organizationIdentifier',
  '1.2.840.113549.1.9.1': 'emailAddress',
};

/** The class of a certificate's optional parts. */
const contextSpecific = 0x80;
const isTagged = (node: Asn1 | undefined, number: number) =>
  node?.tagClass === contextSpecific && node.type === number;

/** @throws Error for a certificate whose structure cannot be read */
export function readCertificateNames(certificate: X509Certificate): CertificateNames {
  const [body] = childrenOf(readAsn1(certificate.raw));
  const parts = childrenOf(body);
  // Version, serial number, signature, issuer, validity, subject. The version may be absent.
  const first = isTagged(parts[0], 0) ? 1 : 0;
  const extensions = new Map<string, Buffer>();
  const [listed] = childrenOf(parts.find((part) => isTagged(part, 3)));
  for (const extension of childrenOf(listed)) {
    const [oid, ...rest] = childrenOf(extension);
    const value = rest.find(({ type }) => type === types.octets);
    if (oid && value) extensions.set(oidOf(oid), contentOf(value));
  }
  return { issuer: readName(parts[first + 2]), subject: readName(parts[first + 4]), extensions };
}

function readName(name: Asn1 | undefined): Name {
  return childrenOf(name).map((part) =>
    childrenOf(part).flatMap((attribute) => {
      const [oid, value] = childrenOf(attribute);
      return oid && value ? [{ oid: oidOf(oid), value: textOf(value), der: encode(value) }] : [];
    }),
  );
}

/** Of several values, the one nearest to the holder. */
export function findAttribute(name: Name, oid: string): string | undefined {
  return name.flat().findLast((attribute) => attribute.oid === oid)?.value;
}

/** The name after RFC 2253, holder first, as in `X509IssuerName`. */
export function formatStrict(name: Name): string {
  return format(name, ({ oid, value, der }) => {
    const short = standardNames[oid];
    return short === undefined ? `${oid}=#${der.toString('hex')}` : `${short}=${escapeValue(value)}`;
  });
}

/** For people: names more attributes than the strict form. */
export function formatReadable(name: Name): string {
  return format(name, ({ oid, value }) => `${readableNames[oid] ?? oid}=${escapeValue(value)}`);
}

function format(name: Name, write: (attribute: Attribute) => string): string {
  return name
    .toReversed()
    .map((part) => part.map(write).join('+'))
    .join(',');
}

function escapeValue(value: string): string {
  return value
    .replace(/[,+"\\<>;]/g, '\\$&')
    .replace(/^[# ]| $/g, '\\$&')
    .replaceAll('\0', '\\00');
}
