/** The names and extensions in an X.509 certificate (RFC 5280), and a name as text (RFC 2253, which XML signatures ask for). */
import type { X509Certificate } from 'node:crypto';
import { children, type Der, readDer, readOid, readText, tags } from './der.ts';

/** One attribute of a name, such as CN; `der` is its value as encoded. */
export type Attribute = { oid: string; value: string; der: Buffer };

/** From the country down to the holder, as encoded; a part has more than one attribute only when it is multi-valued. */
export type Name = readonly (readonly Attribute[])[];

export type CertificateNames = {
  issuer: Name;
  subject: Name;
  /** Content of each extension by its object identifier. */
  extensions: ReadonlyMap<string, Buffer>;
};

/** The short names RFC 2253 knows; any other attribute is written as its number and its bytes. */
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

/** @throws RangeError for what is no certificate */
export function readCertificateNames(certificate: X509Certificate): CertificateNames {
  const [whole] = readDer(certificate.raw);
  const [body] = children(whole);
  const parts = children(body);
  // Version, serial number, signature, issuer, validity, subject: only the version may be absent.
  const first = parts[0]?.tag === tags.version ? 1 : 0;
  const extensions = new Map<string, Buffer>();
  const listed = parts.find((part) => part.tag === tags.extensions);
  for (const extension of children(children(listed)[0])) {
    const [oid, ...rest] = children(extension);
    const value = rest.find((part) => part.tag === tags.octets);
    if (oid && value) extensions.set(readOid(oid.content), value.content);
  }
  return { issuer: readName(parts[first + 2]), subject: readName(parts[first + 4]), extensions };
}

function readName(name: Der | undefined): Name {
  return children(name).map((part) =>
    children(part).flatMap((attribute) => {
      const [oid, value] = children(attribute);
      return oid && value ? [{ oid: readOid(oid.content), value: readText(value), der: value.bytes }] : [];
    }),
  );
}

/** The value of an attribute; of several, the one nearest to the holder. */
export function findAttribute(name: Name, oid: string): string | undefined {
  return name.flat().findLast((attribute) => attribute.oid === oid)?.value;
}

/** The name after RFC 2253, holder first: what `X509IssuerName` holds. */
export function formatStrict(name: Name): string {
  return format(name, ({ oid, value, der }) => {
    const short = standardNames[oid];
    return short === undefined ? `${oid}=#${der.toString('hex')}` : `${short}=${escapeValue(value)}`;
  });
}

/** The name for people to read: as the strict form, with every usual attribute by its name. */
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
