/**
 * Opens PKCS#12 with node-forge, which knows old encryptions (RC2, 3DES) that Node's OpenSSL refuses. It runs in a
 * thread that pkcs12.ts can end: a hostile file says how long deriving its keys takes.
 */
import { pbkdf2Sync } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import forge from 'node-forge';
import { type CertificateFile, describeFile, FileFault, type FileFaultReason } from './certificate-file.ts';
import { type Digest, nativeDigest } from './native-digest.ts';

export type OpenRequest = { bytes: Uint8Array; password: string };

export type OpenAnswer =
  | { file: CertificateFile }
  | { failure: 'wrong_password' | 'unreadable' | 'not_in_time' | FileFaultReason; detail: string };

/** Keys as PKCS#8, certificates as DER, in the file's order. */
type Opened = { keys: Uint8Array[]; certificates: Uint8Array[] };

/**
 * Rounds of all keys that one file asks to derive: 2,000 to 600,000 a key are usual. The time limit is not enough for
 * those of OpenSSL, since a thread inside it cannot be ended. The older way takes a key and a start value each for key and
 * certificates, and a key for the check sum: five times 600,000 as Firefox wrote them for years.
 */
const roundsLeft = { openssl: 2_000_000, script: 3_000_000 };

let has_derived_key = false;

function spend(kind: keyof typeof roundsLeft, rounds: number): void {
  has_derived_key = true;
  roundsLeft[kind] -= rounds;
  if (!(roundsLeft[kind] >= 0)) throw new FileFault('too_costly', `${rounds} rounds more than are left`);
}

// Forge takes a character for an octet here and fails for `contraseña`. RFC 8018 says UTF-8.
Object.assign(forge.pkcs5, {
  pbkdf2(password: string, salt: string, rounds: number, length: number, digest?: { algorithm: string }) {
    spend('openssl', rounds);
    const name = digest?.algorithm ?? 'sha1';
    return pbkdf2Sync(password, Buffer.from(salt, 'latin1'), rounds, length, name).toString('latin1');
  },
});

type KeyDeriver = (
  password: string,
  salt: unknown,
  id: number,
  rounds: number,
  length: number,
  digest?: Digest | null,
) => unknown;

/** Bounds forge's own derivation, which serves check sums and old encryptions, under the names that forge calls. */
function bounded(derive: KeyDeriver): KeyDeriver {
  return (password, salt, id, rounds, length, digest) => {
    spend('script', rounds);
    return derive(password, salt, id, rounds, length, nativeDigest(digest ?? forge.md.sha1.create()));
  };
}
const pbe = (forge as unknown as { pbe: { generatePkcs12Key: KeyDeriver } }).pbe;
const derive = bounded(pbe.generatePkcs12Key);
Object.assign(pbe, { generatePkcs12Key: derive });
Object.assign(forge.pkcs12, { generateKey: derive });

parentPort?.once('message', (request: OpenRequest) => parentPort?.postMessage(open(request)));

function open({ bytes, password }: OpenRequest): OpenAnswer {
  let file: forge.asn1.Asn1 | undefined;
  try {
    file = forge.asn1.fromDer(Buffer.from(bytes).toString('latin1'), {
      strict: false,
      parseAllBytes: false,
    } as never);
    return { file: describeFile(contentsOf(decrypt(file, password))) };
  } catch (error) {
    if (error instanceof FileFault) return { failure: error.reason, detail: error.message };
    const detail = error instanceof Error ? error.message : 'unknown';
    const is_password = /password|decrypt/i.test(detail) || isGarbage(file);
    return { failure: is_password ? 'wrong_password' : 'unreadable', detail };
  }
}

/**
 * Without a check sum, only the padding tells a wrong password, and one in 256 gets past it. What it decrypts cannot be
 * read. A file that failed before any key was derived is itself at fault.
 */
function isGarbage(file: forge.asn1.Asn1 | undefined): boolean {
  const has_check_sum = Array.isArray(file?.value) && file.value.length > 2;
  return has_derived_key && !has_check_sum;
}

type Bag = {
  type: string;
  key?: forge.pki.PrivateKey | null;
  cert?: forge.pki.Certificate | null;
  asn1?: forge.asn1.Asn1;
};

function decrypt(file: forge.asn1.Asn1, password: string): Bag[] {
  const read = (given: string | undefined) =>
    forge.pkcs12.pkcs12FromAsn1(file, false, given).safeContents.flatMap(({ safeBags }) => safeBags as Bag[]);
  if (password !== '') return read(password);
  // Files without a password have an empty one or none at all.
  try {
    return read('');
  } catch {
    return read(undefined);
  }
}

function contentsOf(bags: readonly Bag[]): Opened {
  const { keyBag, pkcs8ShroudedKeyBag, certBag } = forge.pki.oids;
  return {
    keys: bags.filter(({ type }) => type === keyBag || type === pkcs8ShroudedKeyBag).flatMap(keyOf),
    certificates: bags.filter(({ type }) => type === certBag).flatMap(certificateOf),
  };
}

/** Forge understands RSA alone and returns other keys unchanged. */
function keyOf({ key, asn1 }: Bag): Uint8Array[] {
  const whole = key
    ? forge.pki.wrapRsaPrivateKey(forge.pki.privateKeyToAsn1(key as forge.pki.rsa.PrivateKey))
    : asn1;
  return whole ? [toBytes(whole)] : [];
}

function certificateOf({ cert, asn1 }: Bag): Uint8Array[] {
  const whole = cert ? forge.pki.certificateToAsn1(cert) : asn1;
  return whole ? [toBytes(whole)] : [];
}

function toBytes(node: forge.asn1.Asn1): Uint8Array {
  return new Uint8Array(Buffer.from(forge.asn1.toDer(node).getBytes(), 'latin1'));
}
