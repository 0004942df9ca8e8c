/**
 * Whose certificate it is. Spanish issuers follow the administration's profiles and ETSI EN 319 412-1 (`IDCES-…`,
 * `VATES-…`); older ones wrote the tax id into the common name alone. A person who represents an entity acts for the
 * entity, so the entity's tax id is the taxpayer's; one who only works there does not.
 */
import type { X509Certificate } from 'node:crypto';
import { parseSpanishTaxId } from '../../domain/spain/tax-id.ts';
import { findAttribute, formatReadable, type Name, readCertificateNames } from './certificate-names.ts';
import { children, readDer, readOid } from './der.ts';

export type CertificateKind = 'person' | 'representative' | 'seal';

export type CertificateHolder = {
  kind: CertificateKind;
  /** Of the taxpayer: the person, or the entity that is represented or whose seal it is; null when none can be read. */
  tax_id: string | null;
  /** Of that person or entity. */
  holder_name: string;
  /** The whole name in the certificate, holder first. */
  subject: string;
  issuer: string;
};

const attributes = {
  common_name: '2.5.4.3',
  surname: '2.5.4.4',
  serial_number: '2.5.4.5',
  organization: '2.5.4.10',
  given_name: '2.5.4.42',
  organization_id: '2.5.4.97',
  /** The entity's tax id in certificates of Camerfirma from before the European scheme. */
  camerfirma_tax_id: '1.3.6.1.4.1.17326.30.3',
} as const;

const POLICIES = '2.5.29.32';
/** Representative of a company, and of an entity without legal personality: policies of the administration. */
const representativePolicies = ['2.16.724.1.3.5.8', '2.16.724.1.3.5.9'];
const STATEMENTS = '1.3.6.1.5.5.7.1.3';
const TYPE_STATEMENT = '0.4.0.1862.1.6';
const SEAL_TYPE = '0.4.0.1862.1.6.2';

/** @throws RangeError for a certificate whose names cannot be read */
export function readHolder(certificate: X509Certificate): CertificateHolder {
  const { subject, issuer, extensions } = readCertificateNames(certificate);
  const names = { subject: formatReadable(subject), issuer: formatReadable(issuer) };
  const person = personTaxId(subject);
  const entity = entityTaxId(subject);
  const full_name = [attributes.given_name, attributes.surname]
    .map((oid) => findAttribute(subject, oid))
    .filter(Boolean)
    .join(' ');
  const common_name = findAttribute(subject, attributes.common_name) ?? '';
  const organization = findAttribute(subject, attributes.organization);

  if (isSeal(extensions) || (person === null && full_name === '' && (entity ?? organization) !== undefined)) {
    return { kind: 'seal', tax_id: entity ?? person, holder_name: organization ?? common_name, ...names };
  }
  const represents =
    /\(R: ?\w+\)/.test(common_name) ||
    policiesOf(extensions).some((policy) => representativePolicies.includes(policy));
  if (represents && entity !== undefined)
    return { kind: 'representative', tax_id: entity, holder_name: organization ?? common_name, ...names };
  return { kind: 'person', tax_id: person, holder_name: full_name || withoutTaxId(common_name), ...names };
}

function personTaxId(subject: Name): string | null {
  const common_name = findAttribute(subject, attributes.common_name) ?? '';
  const candidates = [
    findAttribute(subject, attributes.serial_number),
    / - (?:NIF:? ?)?(\w{9})$/.exec(common_name)?.[1],
    /^(\w{9}) /.exec(common_name)?.[1],
  ];
  return firstTaxId(candidates, (kind) => kind !== 'entity') ?? null;
}

function entityTaxId(subject: Name): string | undefined {
  const common_name = findAttribute(subject, attributes.common_name) ?? '';
  // An organisation may also be one person's business, so any tax id is taken where an entity's belongs.
  const named = [
    findAttribute(subject, attributes.organization_id),
    /\(R: ?(\w+)\)/.exec(common_name)?.[1],
    findAttribute(subject, attributes.camerfirma_tax_id),
  ];
  const others = [
    findAttribute(subject, attributes.serial_number),
    / - CIF:? ?(\w{9})\b/.exec(common_name)?.[1],
  ];
  return firstTaxId(named, () => true) ?? firstTaxId(others, (kind) => kind === 'entity');
}

function firstTaxId(
  candidates: readonly (string | undefined)[],
  fits: (kind: string) => boolean,
): string | undefined {
  for (const candidate of candidates) {
    // `IDCES-00000000T`: what kind of number, of which country, and the number. Those of other countries do not parse.
    const parsed = candidate && parseSpanishTaxId(candidate.replace(/^[A-Z]{3}ES-/, ''));
    if (parsed && fits(parsed.kind)) return parsed.value;
  }
  return undefined;
}

function withoutTaxId(common_name: string): string {
  return common_name.replace(/ - (?:NIF:? ?)?\w{9}$/, '').replace(/^\w{9} (?=\D)/, '');
}

function isSeal(extensions: ReadonlyMap<string, Buffer>): boolean {
  return listIn(extensions.get(STATEMENTS)).some((statement) => {
    const [id, types] = children(statement);
    return (
      id !== undefined &&
      readOid(id.content) === TYPE_STATEMENT &&
      children(types).some((type) => readOid(type.content) === SEAL_TYPE)
    );
  });
}

function policiesOf(extensions: ReadonlyMap<string, Buffer>): string[] {
  return listIn(extensions.get(POLICIES)).flatMap((policy) => {
    const [id] = children(policy);
    return id ? [readOid(id.content)] : [];
  });
}

function listIn(extension: Buffer | undefined) {
  return extension ? children(readDer(extension)[0]) : [];
}
