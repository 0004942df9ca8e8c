import { readFileSync } from 'node:fs';
import { CertificateFileError, readPkcs12 } from '../integrations/aeat/pkcs12.ts';
import type { SendingIdentity } from '../modules/verifactu/index.ts';
import { type Config, ConfigError } from './config.ts';

export type ServiceCertificate = {
  identity: SendingIdentity;
  /** It may expire while the service runs. */
  isInForce(now: Date): boolean;
  valid_until: Date;
};

const setting = 'FOLIO_AEAT_CERTIFICATE';

const faults = {
  too_large: 'is larger than a certificate file',
  wrong_password: 'does not open with FOLIO_AEAT_CERTIFICATE_PASSWORD',
  unreadable: 'is no PKCS#12 file (.p12 or .pfx)',
  no_private_key: 'holds no private key of its certificate',
  not_rsa: 'holds a key that is not RSA',
  key_too_short: 'holds a key of fewer than 2048 bits, with which no connection can be made',
  key_too_long: 'holds a key of more than 4096 bits',
  too_costly: 'asks for too many rounds of key derivation to be opened; export it again',
  not_in_time:
    'was not opened in time: the machine is busy, or was halted meanwhile; start it again, and export the file with fewer rounds of key derivation if that repeats',
  several_keys: 'holds more than one certificate with its key; export one alone',
} as const satisfies Record<CertificateFileError['reason'], string>;

/**
 * The authority takes a seal at another host, so the result says whether this is one.
 * @throws ConfigError for a file that cannot be used
 */
export async function readServiceCertificate(
  config: Pick<Config, 'FOLIO_AEAT_CERTIFICATE' | 'FOLIO_AEAT_CERTIFICATE_PASSWORD'>,
  seconds_max?: number,
): Promise<ServiceCertificate | null> {
  const { FOLIO_AEAT_CERTIFICATE: file, FOLIO_AEAT_CERTIFICATE_PASSWORD: password } = config;
  if (file === null) return null;
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    const { code } = error as { code?: string };
    throw new ConfigError(`${setting} names ${file}, which cannot be read (${code ?? String(error)}).`);
  }
  try {
    const { private_key, certificates, kind, valid_from, valid_until } = await readPkcs12(
      bytes,
      password ?? '',
      seconds_max,
    );
    return {
      identity: { private_key, certificates, kind: kind === 'seal' ? 'seal' : 'person' },
      isInForce: (now) => valid_from <= now && now < valid_until,
      valid_until,
    };
  } catch (error) {
    if (!(error instanceof CertificateFileError)) throw error;
    throw new ConfigError(`${setting} names ${file}, which ${faults[error.reason]}.`);
  }
}
