/** Reads what companies upload, in turns: each file has a thread for seconds at most. */
import type { CertificatePort } from '../../modules/verifactu/ports.ts';
import { FairTurns } from '../../platform/fair-turns.ts';
import { CertificateFileError, readPkcs12 } from './pkcs12.ts';

const limits = {
  at_once: 2,
  at_once_of_company: 1,
  waiting_max: 32,
  /** Bytes. A file has 100,000 at most. */
  weight_max: 3_200_000,
  wait_ms: 30_000,
};

export function makeCertificateReader(read = readPkcs12): CertificatePort {
  const turns = new FairTurns(limits);
  return {
    async read(bytes, password, owner_id) {
      try {
        return await turns.take(owner_id, bytes.length, () => read(bytes, password));
      } catch (error) {
        if (!(error instanceof CertificateFileError)) throw error;
        return { fault: error.message, is_password: error.reason === 'wrong_password' };
      }
    },
  };
}
