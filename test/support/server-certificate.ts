/** Self-signed, for 127.0.0.1, ::1 and localhost. */
import { createPublicKey } from 'node:crypto';
import { nativeSigner } from 'aeat-simulator/native-signer';
import forge from 'node-forge';
import { nextRsaKey } from './rsa-keys.ts';

export type ServerCertificate = { private_key: string; certificate: string; ca: string };

let made: ServerCertificate | undefined;

/** One per process. Clients must trust `ca`, which is the certificate itself. */
export function serverCertificate(): ServerCertificate {
  made ??= make();
  return made;
}

function make(): ServerCertificate {
  const privateKey = nextRsaKey();
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString();
  const one = forge.pki.createCertificate();
  one.publicKey = forge.pki.publicKeyFromPem(publicKey);
  one.serialNumber = '01';
  one.validity.notBefore = new Date('2020-01-01T00:00:00Z');
  one.validity.notAfter = new Date('2120-01-01T00:00:00Z');
  const name = [{ name: 'commonName', value: 'server of the tests' }];
  one.setSubject(name);
  one.setIssuer(name);
  one.setExtensions([
    { name: 'basicConstraints', cA: true },
    {
      name: 'subjectAltName',
      altNames: [
        { type: 7, ip: '127.0.0.1' },
        { type: 7, ip: '::1' },
        { type: 2, value: 'localhost' },
        { type: 2, value: 'receiver.example' },
      ],
    },
  ]);
  one.sign(nativeSigner(privateKey), forge.md.sha256.create());
  const certificate = forge.pki.certificateToPem(one);
  return { private_key: privateKey, certificate, ca: certificate };
}
