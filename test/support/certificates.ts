/**
 * Certificates with keys of this run. Names follow the Spanish issuers (profiles of the State's administration, ETSI EN 319
 * 412). No system trusts them, and they hold no real person's data.
 */
import { pbkdf2Sync, randomBytes, X509Certificate } from 'node:crypto';
import { nativeSigner } from 'aeat-simulator/native-signer';
import forge from 'node-forge';
import { nativeDigest } from '../../src/integrations/aeat/native-digest.ts';
import type { Signer } from '../../src/modules/verifactu/ports.ts';
import { nextRsaKey } from './rsa-keys.ts';

/** `employee` names a person and their company, but does not represent it. */
export type TestCertificateKind = 'person' | 'representative' | 'seal' | 'employee';

export type TestCertificateWish = {
  kind: TestCertificateKind;
  /** Of the person; for a representative or a seal, of the entity. */
  tax_id: string;
  name?: string;
  /** Who represents the entity or works for it. */
  person?: { tax_id: string; given_name: string; surname: string };
  valid_from?: Date;
  valid_until?: Date;
  /** Of the certificate that this one renews. */
  private_key?: string;
};

export type TestCertificate = Signer & {
  /** Key, certificate and chain, as a browser exports them. A browser uses more `rounds` of hashing, which are slow. */
  toPkcs12(password: string, algorithm?: 'aes256' | '3des', rounds?: number): Buffer;
};

const somebody = { tax_id: '00000000T', given_name: 'Ana', surname: 'Prueba Ensayo' };
const day = 24 * 60 * 60 * 1000;
const oids = {
  serial_number: '2.5.4.5',
  surname: '2.5.4.4',
  given_name: '2.5.4.42',
  organization_id: '2.5.4.97',
} as const;
const { Type: type, Class: classes } = forge.asn1;

// Forge derives keys in JavaScript, a hundred times slower than OpenSSL. The service reads files in a thread, with a forge of its own.
Object.assign(forge.pkcs5, {
  pbkdf2: (password: string, salt: string, rounds: number, length: number, digest: { algorithm: string }) =>
    pbkdf2Sync(latin1(password), latin1(salt), rounds, length, digest.algorithm).toString('latin1'),
});
const { generateKey } = forge.pkcs12 as unknown as { generateKey: (...given: unknown[]) => unknown };
Object.assign(forge.pkcs12, {
  generateKey: (password: unknown, salt: unknown, id: number, rounds: number, length: number) =>
    generateKey(password, salt, id, rounds, length, nativeDigest(forge.md.sha1.create())),
});

/** Both as PEM. */
export const testAuthority = once(() => {
  const root = makeKey();
  const issuer = makeKey();
  const root_name = authorityName('Raíz de pruebas');
  const issuer_name = authorityName('AC de pruebas, ensayos');
  const is_authority = [
    { name: 'basicConstraints', cA: true, critical: true },
    { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
  ];
  return {
    root: { ...issue(root, root_name, root, root_name, is_authority), private_key: root.pem },
    issuer: { ...issue(issuer, issuer_name, root, root_name, is_authority), private_key: issuer.pem },
    issuer_name,
    /** In the order of a file. */
    get chain(): string[] {
      return [this.issuer.certificate, this.root.certificate];
    },
  };
});

export const testCertificates = {
  person: once(() => makeTestCertificate({ kind: 'person', tax_id: '00000000T' })),
  /** Ana represents the company, which is the taxpayer. */
  company: once(() => makeTestCertificate({ kind: 'representative', tax_id: 'B12345674' })),
  seal: once(() => makeTestCertificate({ kind: 'seal', tax_id: 'B12345674' })),
  expired: once(() =>
    makeTestCertificate({
      kind: 'representative',
      tax_id: 'B12345674',
      valid_from: new Date(Date.now() - 730 * day),
      valid_until: new Date(Date.now() - 365 * day),
    }),
  ),
  other: once(() =>
    makeTestCertificate({ kind: 'representative', tax_id: 'A58818501', name: 'Otra Sociedad SA' }),
  ),
} as const;

/** By default from 2020 until ten years from now, so that tests may move their clock. */
export function makeTestCertificate(wish: TestCertificateWish): TestCertificate {
  const authority = testAuthority();
  const key = makeKey(wish.private_key);
  const { certificate } = issue(
    key,
    subjectOf(wish),
    makeKey(authority.issuer.private_key),
    authority.issuer_name,
    extensionsOf(wish.kind),
    wish,
  );
  const certificates = [certificate, ...authority.chain];
  return {
    private_key: key.pem,
    certificates,
    toPkcs12: (password, algorithm = 'aes256', rounds = browserRounds) =>
      makePkcs12([{ private_key: key.pem, certificates }], password, algorithm, rounds),
  };
}

const browserRounds = 2048;

/** `certificates` may have any order. */
export type Pkcs12Content = { private_key: string | null; certificates: readonly string[] };

/** Several contents make several keys, without a check sum over the whole. */
export function makePkcs12(
  contents: readonly Pkcs12Content[],
  password: string,
  algorithm: 'aes256' | '3des' = 'aes256',
  rounds = browserRounds,
): Buffer {
  const files = contents.map(({ private_key, certificates }) =>
    forge.pkcs12.toPkcs12Asn1(
      // Forge accepts null for a file without a key; its types do not.
      (private_key === null ? null : forge.pki.privateKeyFromPem(private_key)) as forge.pki.rsa.PrivateKey,
      // Forge also accepts PEM.
      certificates as unknown as forge.pki.Certificate[],
      password,
      { algorithm, count: rounds, useMac: contents.length === 1 },
    ),
  );
  const [first, ...others] = files;
  if (!first) throw new Error('A file of nothing');
  const safe = safeOf(first);
  const parts = [first, ...others].flatMap((file) => nodes(forge.asn1.fromDer(String(safeOf(file).value))));
  safe.value = forge.asn1.toDer(sequence(...parts)).getBytes();
  return Buffer.from(forge.asn1.toDer(first).getBytes(), 'latin1');
}

/** An octet string that holds a sequence. */
function safeOf(file: forge.asn1.Asn1): forge.asn1.Asn1 {
  const safe = nodes(nodes(nodes(file)[1])[1])[0];
  if (!safe) throw new Error('No PKCS#12 file');
  return safe;
}

type Key = { pem: string; public: forge.pki.rsa.PublicKey; private: forge.pki.rsa.PrivateKey };

/** By their PEM: forge reads one in a millisecond, and most certificates share two keys. */
const keysRead = new Map<string, Key>();

function makeKey(private_pem = nextRsaKey()): Key {
  const known = keysRead.get(private_pem);
  if (known) return known;
  const key = forge.pki.privateKeyFromPem(private_pem);
  const made = { pem: private_pem, private: key, public: forge.pki.setRsaPublicKey(key.n, key.e) };
  keysRead.set(private_pem, made);
  return made;
}

type Attributes = forge.pki.CertificateField[];

function issue(
  key: Key,
  subject: Attributes,
  issuer_key: Key,
  issuer: Attributes,
  extensions: unknown[],
  { valid_from, valid_until }: Pick<TestCertificateWish, 'valid_from' | 'valid_until'> = {},
): { certificate: string } {
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = key.public;
  // A leading 5a keeps the serial number positive (RFC 5280, section 4.1.2.2).
  certificate.serialNumber = `5a${randomBytes(15).toString('hex')}`;
  certificate.validity.notBefore = valid_from ?? new Date('2020-01-01T00:00:00Z');
  certificate.validity.notAfter = valid_until ?? new Date(Date.now() + 3650 * day);
  certificate.setSubject(subject);
  certificate.setIssuer(issuer);
  certificate.setExtensions(extensions);
  certificate.sign(nativeSigner(issuer_key.pem), forge.md.sha256.create());
  return { certificate: new X509Certificate(forge.pki.certificateToPem(certificate)).toString() };
}

function authorityName(common_name: string): Attributes {
  return [
    { shortName: 'C', value: 'ES' },
    text('2.5.4.10', 'Autoridad de Pruebas'),
    text(oids.organization_id, 'VATES-Q2826004J'),
    text('2.5.4.3', common_name),
  ];
}

function subjectOf({
  kind,
  tax_id,
  name = 'Sociedad de Pruebas SL',
  person = somebody,
}: TestCertificateWish): Attributes {
  const country = { shortName: 'C', value: 'ES' };
  const entity = [text('2.5.4.10', name), text(oids.organization_id, `VATES-${tax_id}`)];
  const holder = kind === 'person' ? { ...person, tax_id } : person;
  const natural = [
    text(oids.serial_number, `IDCES-${holder.tax_id}`),
    text(oids.surname, holder.surname),
    text(oids.given_name, holder.given_name),
  ];
  const full_name = `${holder.surname} ${holder.given_name}`.toUpperCase();
  switch (kind) {
    case 'person':
      return [country, ...natural, text('2.5.4.3', `${full_name} - ${tax_id}`)];
    case 'representative':
      return [
        country,
        ...natural,
        text('2.5.4.3', `${holder.tax_id} ${full_name} (R: ${tax_id})`),
        ...entity,
      ];
    case 'employee':
      return [country, ...natural, text('2.5.4.3', full_name), ...entity];
    case 'seal':
      return [country, ...entity, text('2.5.4.3', `Sello de ${name}`)];
  }
}

/** Marks the certificate as qualified, for signatures or for seals, as issuers do. */
function extensionsOf(kind: TestCertificateKind): unknown[] {
  const of_type = kind === 'seal' ? '0.4.0.1862.1.6.2' : '0.4.0.1862.1.6.1';
  const statements = sequence(
    sequence(oid('0.4.0.1862.1.1')),
    sequence(oid('0.4.0.1862.1.6'), sequence(oid(of_type))),
  );
  const policies = sequence(
    sequence(oid('1.3.6.1.4.1.99999.1')),
    ...(kind === 'representative' ? [sequence(oid('2.16.724.1.3.5.8'))] : []),
  );
  return [
    { name: 'basicConstraints', cA: false },
    { name: 'keyUsage', digitalSignature: true, nonRepudiation: true, keyEncipherment: true, critical: true },
    { name: 'extKeyUsage', clientAuth: true, emailProtection: true },
    { id: '1.3.6.1.5.5.7.1.3', value: statements },
    { id: '2.5.29.32', value: policies },
  ];
}

function text(id: string, value: string): forge.pki.CertificateField {
  return { type: id, value, valueTagClass: type.UTF8 as unknown as forge.asn1.Class };
}

function sequence(...parts: forge.asn1.Asn1[]): forge.asn1.Asn1 {
  return forge.asn1.create(classes.UNIVERSAL, type.SEQUENCE, true, parts);
}

function oid(value: string): forge.asn1.Asn1 {
  return forge.asn1.create(classes.UNIVERSAL, type.OID, false, forge.asn1.oidToDer(value).getBytes());
}

function nodes(parent: forge.asn1.Asn1 | undefined): forge.asn1.Asn1[] {
  return Array.isArray(parent?.value) ? parent.value : [];
}

const latin1 = (octets: string) => Buffer.from(octets, 'latin1');

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
