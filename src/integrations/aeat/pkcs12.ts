/** PKCS#12 files (`.p12`, `.pfx`), with new encryption or that of old browsers. Stores and logs nothing. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { Signer } from '../../modules/verifactu/ports.ts';
import { type CertificateHolder, readHolder } from './certificate-holder.ts';
import type { OpenAnswer, OpenRequest } from './pkcs12-worker.ts';

export type CertificateFile = Signer &
  CertificateHolder & {
    /** In hexadecimal. */
    serial: string;
    fingerprint: string;
    valid_from: Date;
    valid_until: Date;
  };

const messages = {
  too_large: 'El fichero supera el tamaño de un certificado.',
  wrong_password: 'La contraseña no es la del fichero.',
  unreadable: 'El fichero no se puede leer como PKCS#12 (.p12 o .pfx).',
  no_private_key: 'El fichero no contiene la clave privada del certificado.',
  not_rsa: 'La clave del certificado no es RSA.',
  several_keys: 'El fichero contiene más de un certificado con clave; exporte solo uno.',
} as const;

export type CertificateFileFault = keyof typeof messages;

/** The message is for the person who uploaded the file. */
export class CertificateFileError extends Error {
  readonly reason: CertificateFileFault;

  constructor(reason: CertificateFileFault, options?: ErrorOptions) {
    super(messages[reason], options);
    this.name = 'CertificateFileError';
    this.reason = reason;
  }
}

/** Files with a chain take 4 to 10 kB. */
const BYTES_MAX = 100_000;
/** A usual file takes a tenth of a second. */
const SECONDS_MAX = 15;
/** Other files wait. */
const THREADS_MAX = 2;

/**
 * @param password as typed; empty for a file without one
 * @throws CertificateFileError
 */
export async function readPkcs12(
  bytes: Uint8Array,
  password: string,
  seconds_max = SECONDS_MAX,
): Promise<CertificateFile> {
  if (bytes.length > BYTES_MAX) throw new CertificateFileError('too_large');
  const opened = await openFile({ bytes: Uint8Array.from(bytes), password }, seconds_max);
  if ('failure' in opened) {
    throw new CertificateFileError(opened.failure, { cause: new Error(opened.detail) });
  }
  try {
    return describe(opened);
  } catch (error) {
    if (error instanceof CertificateFileError) throw error;
    throw new CertificateFileError('unreadable', { cause: error });
  }
}

function describe(opened: { keys: Uint8Array[]; certificates: Uint8Array[] }): CertificateFile {
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
  if (!one) throw new CertificateFileError('no_private_key');
  if (others.length > 0) throw new CertificateFileError('several_keys');
  if (one.key.asymmetricKeyType !== 'rsa') throw new CertificateFileError('not_rsa');
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

let running = 0;
const waiting: (() => void)[] = [];

async function openFile(request: OpenRequest, seconds_max: number): Promise<OpenAnswer> {
  if (running >= THREADS_MAX) await new Promise<void>((resolve) => waiting.push(resolve));
  else running++;
  try {
    return await openInThread(request, seconds_max);
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

function openInThread(request: OpenRequest, seconds_max: number): Promise<OpenAnswer> {
  const worker = new Worker(new URL('./pkcs12-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 128 },
    execArgv: [],
    env: {},
  });
  const { promise, resolve } = Promise.withResolvers<OpenAnswer>();
  const giveUp = (detail: string) => resolve({ failure: 'unreadable', detail });
  const limit = setTimeout(() => giveUp(`not opened within ${seconds_max} s`), seconds_max * 1000);
  worker
    .once('message', (answer: OpenAnswer) => resolve(answer))
    .once('error', (error) => giveUp(error instanceof Error ? error.message : 'thread failed'))
    .once('exit', () => giveUp('thread ended'))
    .postMessage(request);
  return promise.finally(async () => {
    clearTimeout(limit);
    await worker.terminate();
  });
}
