/** A certification authority, made anew at each start. Its clients have the forms of Spanish issuers. */
import { generateKeyPair, randomBytes } from 'node:crypto';
import type { DetailedPeerCertificate } from 'node:tls';
import { promisify } from 'node:util';
import forge from 'node-forge';
import { nativeSigner } from './native-signer.ts';

/** PEM. */
export type Identity = { key: string; cert: string };

/**
 * `person`: a natural person. `representative`: a person for an entity. `seal`: an entity.
 * `collaborator`: a social collaborator, who may send for any taxpayer.
 */
export type IdentityKind = 'person' | 'representative' | 'seal' | 'collaborator';

export type Holder = { nif: string; name: string; is_collaborator: boolean };

export type CertificateAuthority = {
  /** The root, as PEM. */
  cert: string;
  server: () => Promise<Identity>;
  client: (nif: string, name: string, kind: IdentityKind) => Promise<Identity>;
};

const COLLABORATOR = 'COLABORADOR SOCIAL';
const ORGANIZATION_IDENTIFIER = '2.5.4.97';
const generate = promisify(generateKeyPair);

export async function makeCertificateAuthority(): Promise<CertificateAuthority> {
  const name: forge.pki.CertificateField[] = [{ name: 'commonName', value: 'CA del simulador' }];
  const root = await makeKeys();
  const issue = async (
    { key, public_key }: Keys,
    subject: forge.pki.CertificateField[],
    extensions: object[],
  ): Promise<Identity> => {
    return { key, cert: sign({ subject, issuer: name, public_key, signer: root.key, extensions }) };
  };
  return {
    cert: sign({
      subject: name,
      issuer: name,
      public_key: root.public_key,
      signer: root.key,
      extensions: [
        { name: 'basicConstraints', cA: true, critical: true },
        { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
      ],
    }),
    // With the root's key: to make another takes longer than the rest of a start, and both stay in this process.
    server: () =>
      issue(
        root,
        [{ name: 'commonName', value: 'localhost' }],
        [
          { name: 'extKeyUsage', serverAuth: true },
          {
            name: 'subjectAltName',
            altNames: [
              { type: 2, value: 'localhost' },
              { type: 7, ip: '127.0.0.1' },
              { type: 7, ip: '::1' },
            ],
          },
        ],
      ),
    client: async (nif, holder_name, kind) =>
      issue(await makeKeys(), subjectOf(nif, holder_name, kind), [
        { name: 'keyUsage', digitalSignature: true, nonRepudiation: true, critical: true },
        { name: 'extKeyUsage', clientAuth: true },
      ]),
  };
}

/** serialNumber holds a person's number as `IDCES-…`, organizationIdentifier an entity's as `VATES-…`. */
function subjectOf(nif: string, name: string, kind: IdentityKind): forge.pki.CertificateField[] {
  // Names have accents; forge's default is ASCII.
  const utf8 = (field: object, value: string): forge.pki.CertificateField => ({
    ...field,
    value,
    valueTagClass: forge.asn1.Type.UTF8 as unknown as forge.asn1.Class,
  });
  const country: forge.pki.CertificateField = { name: 'countryName', value: 'ES' };
  const common = utf8({ name: 'commonName' }, name.slice(0, 64));
  if (kind === 'person') return [country, common, utf8({ type: '2.5.4.5' }, `IDCES-${nif}`)];
  const entity = [
    utf8({ name: 'organizationName' }, name),
    utf8({ type: ORGANIZATION_IDENTIFIER }, `VATES-${nif}`),
  ];
  if (kind === 'seal') return [country, common, ...entity, utf8({ type: '2.5.4.5' }, nif)];
  const person = utf8({ type: '2.5.4.5' }, 'IDCES-00000000T');
  const office = kind === 'collaborator' ? [utf8({ name: 'organizationalUnitName' }, COLLABORATOR)] : [];
  return [country, common, ...entity, ...office, person];
}

/** The entity if the certificate names one, else the person. */
export function holderOf(certificate: Pick<DetailedPeerCertificate, 'subject'>): Holder {
  const subject = certificate.subject as unknown as Record<string, string | string[] | undefined>;
  const first = (name: string) => [subject[name] ?? []].flat()[0] ?? '';
  const entity = (first('organizationIdentifier') || first(ORGANIZATION_IDENTIFIER)).replace(/^VATES-/, '');
  return {
    nif: entity || first('serialNumber').replace(/^IDCES-/, ''),
    name: first('O') || first('CN'),
    is_collaborator: first('OU') === COLLABORATOR,
  };
}

type Keys = { key: string; public_key: string };

async function makeKeys(): Promise<Keys> {
  const { privateKey, publicKey } = await generate('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return { key: privateKey, public_key: publicKey };
}

/** Validity follows the machine's clock, as TLS does, not a sandbox's. */
function sign(wanted: {
  subject: forge.pki.CertificateField[];
  issuer: forge.pki.CertificateField[];
  public_key: string;
  signer: string;
  extensions: object[];
}): string {
  const day_ms = 86_400_000;
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(wanted.public_key);
  certificate.serialNumber = `01${randomBytes(15).toString('hex')}`;
  certificate.validity.notBefore = new Date(Date.now() - day_ms);
  certificate.validity.notAfter = new Date(Date.now() + 825 * day_ms);
  certificate.setSubject(wanted.subject);
  certificate.setIssuer(wanted.issuer);
  certificate.setExtensions(wanted.extensions);
  certificate.sign(nativeSigner(wanted.signer), forge.md.sha256.create());
  return forge.pki.certificateToPem(certificate);
}
