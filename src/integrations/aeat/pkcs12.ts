/** PKCS#12 files (`.p12`, `.pfx`), with new encryption or that of old browsers. Stores and logs nothing. */
import { Worker } from 'node:worker_threads';
import type { CertificateFile } from './certificate-file.ts';
import type { OpenAnswer, OpenRequest } from './pkcs12-worker.ts';
import { compiledModules } from '../processes/compiled-modules.ts';

const messages = {
  too_large: 'El fichero supera el tamaño de un certificado.',
  wrong_password: 'La contraseña no es la del fichero.',
  unreadable: 'El fichero no se puede leer como PKCS#12 (.p12 o .pfx).',
  no_private_key: 'El fichero no contiene la clave privada del certificado.',
  not_rsa: 'La clave del certificado no es RSA.',
  key_too_short:
    'La clave del certificado tiene menos de 2048 bits: con ella no se puede conectar con la Agencia Tributaria.',
  key_too_long: 'La clave del certificado tiene más de 4096 bits.',
  too_costly:
    'Abrir el fichero cuesta demasiado: su clave pide muchas más rondas de cifrado que las habituales. Expórtelo de nuevo.',
  not_in_time:
    'El fichero no se ha podido abrir a tiempo. Vuelva a intentarlo y, si se repite, expórtelo de nuevo con menos rondas de cifrado.',
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
  const opened = await openInThread({ bytes: Uint8Array.from(bytes), password }, seconds_max);
  if ('file' in opened) return opened.file;
  throw new CertificateFileError(opened.failure, { cause: new Error(opened.detail) });
}

function openInThread(request: OpenRequest, seconds_max: number): Promise<OpenAnswer> {
  const worker = new Worker(new URL('./pkcs12-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 128 },
    execArgv: [],
    env: compiledModules(),
  });
  const { promise, resolve } = Promise.withResolvers<OpenAnswer>();
  const giveUp = (detail: string) => resolve({ failure: 'unreadable', detail });
  // A good file takes as long on a busy machine, or where the process is halted meanwhile.
  const limit = setTimeout(
    () => resolve({ failure: 'not_in_time', detail: `not opened within ${seconds_max} s` }),
    seconds_max * 1000,
  );
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
