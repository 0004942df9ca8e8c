/**
 * Spanish issuers follow the administration's profiles and ETSI EN 319 412-1 (`IDCES-…`, `VATES-…`); older ones wrote
 * the tax id into the common name. A representative acts for the entity, so the taxpayer is the entity. An employee
 * does not.
 */
import type { X509Certificate } from 'node:crypto';
import { parseSpanishTaxId } from '../../domain/spain/tax-id.ts';
import { type Asn1, childrenOf, oidOf, readAsn1 } from './asn1.ts';
import { findAttribute, formatReadable, type Name, readCertificateNames } from './certificate-names.ts';

export type CertificateKind = 'person' | 'representative' | 'seal';

export type CertificateHolder = {
  kind: CertificateKind;
  /** The person's, or that of the entity represented or sealed for. Null when none can be read. */
  tax_id: string | null;
  /** That person or entity. */
  holder_name: string;
  /** The whole name, holder first, for people. */
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
  /** The entity's tax id in old certificates of Camerfirma. */
  camerfirma_tax_id: '1.3.6.1.4.1.17326.30.3',
} as const;

const POLICIES = '2.5.29.32';
/** The administration's policies: for a company, and for an entity without legal personality. */
const representativePolicies = ['2.16.724.1.3.5.8', '2.16.724.1.3.5.9'];
const STATEMENTS = '1.3.6.1.5.5.7.1.3';
const TYPE_STATEMENT = '0.4.0.1862.1.6';
const SEAL_TYPE = '0.4.0.1862.1.6.2';

type Extensions = ReadonlyMap<string, Buffer>;

/** @throws Error for a certificate whose names cannot be read */
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
  // An organisation may be one person's business, so these places may hold any tax id.
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
    // `IDCES-00000000T`: kind of number, country, number. Numbers of other countries do not parse.
    const parsed = candidate && parseSpanishTaxId(candidate.replace(/^[A-Z]{3}ES-/, ''));
    if (parsed && fits(parsed.kind)) return parsed.value;
  }
  return undefined;
}

function withoutTaxId(common_name: string): string {
  return common_name.replace(/ - (?:NIF:? ?)?\w{9}$/, '').replace(/^\w{9} (?=\D)/, '');
}

function isSeal(extensions: Extensions): boolean {
  return listIn(extensions.get(STATEMENTS)).some((statement) => {
    const [id, types] = childrenOf(statement);
    return (
      id !== undefined &&
      oidOf(id) === TYPE_STATEMENT &&
      childrenOf(types).some((type) => oidOf(type) === SEAL_TYPE)
    );
  });
}

function policiesOf(extensions: Extensions): string[] {
  return listIn(extensions.get(POLICIES)).flatMap((policy) => {
    const [id] = childrenOf(policy);
    return id ? [oidOf(id)] : [];
  });
}

function listIn(extension: Buffer | undefined): Asn1[] {
  return extension ? childrenOf(readAsn1(extension)) : [];
}
