/** Certificates of servers on this machine. */
import { createPublicKey } from 'node:crypto';
import { nativeSigner } from 'aeat-simulator/native-signer';
import forge from 'node-forge';
import { nextRsaKey } from './rsa-keys.ts';

export type ServerCertificate = { private_key: string; certificate: string; ca: string };

let made: ServerCertificate | undefined;

/** Self-signed, for 127.0.0.1, ::1, localhost and receiver.example. One per process. Clients must trust `ca`, which is the certificate itself. */
export function serverCertificate(): ServerCertificate {
  made ??= makeServerCertificate();
  return made;
}

type Wish = {
  /** A DNS name in place of the usual ones. */
  name?: string;
  valid_from?: Date;
  valid_until?: Date;
  is_for_clients?: boolean;
  private_key?: string;
  /** Signs it, in place of itself. */
  issuer?: ServerCertificate | undefined;
};

export function makeServerCertificate({
  name,
  valid_from = new Date('2020-01-01T00:00:00Z'),
  valid_until = new Date('2120-01-01T00:00:00Z'),
  is_for_clients = false,
  private_key = nextRsaKey(),
  issuer,
}: Wish = {}): ServerCertificate {
  const publicKey = createPublicKey(private_key).export({ type: 'spki', format: 'pem' }).toString();
  const one = forge.pki.createCertificate();
  one.publicKey = forge.pki.publicKeyFromPem(publicKey);
  one.serialNumber = '01';
  one.validity.notBefore = valid_from;
  one.validity.notAfter = valid_until;
  one.setSubject([{ name: 'commonName', value: name ?? 'server of the tests' }]);
  one.setIssuer(
    issuer ? forge.pki.certificateFromPem(issuer.certificate).subject.attributes : one.subject.attributes,
  );
  one.setExtensions([
    { name: 'basicConstraints', cA: issuer === undefined },
    ...(is_for_clients ? [{ name: 'extKeyUsage', clientAuth: true }] : []),
    {
      name: 'subjectAltName',
      altNames: name === undefined ? usualNames : [{ type: 2, value: name }],
    },
  ]);
  one.sign(nativeSigner(issuer?.private_key ?? private_key), forge.md.sha256.create());
  const certificate = forge.pki.certificateToPem(one);
  return { private_key, certificate, ca: issuer?.ca ?? certificate };
}

const usualNames = [
  { type: 7, ip: '127.0.0.1' },
  { type: 7, ip: '::1' },
  { type: 2, value: 'localhost' },
  { type: 2, value: 'receiver.example' },
];
