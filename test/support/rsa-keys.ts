/** RSA keys for certificates of the tests. To make one takes a tenth of a second of the processor, so a run makes each once. */
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

let count = 0;

/** @returns as PKCS#8, each time another one of this process; other processes of the run get the same ones */
export function nextRsaKey(): string {
  count += 1;
  const { FOLIO_TEST_FOLDER: folder } = process.env;
  const file = folder && join(folder, `rsa-key-${count}.pem`);
  if (file && existsSync(file)) return readFileSync(file, 'utf8');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  if (file) {
    // Two processes may make it at once: each then goes on with its own.
    const beside = `${file}.${process.pid}`;
    writeFileSync(beside, pem, { mode: 0o600 });
    renameSync(beside, file);
  }
  return pem;
}

/** Of 1024 bits, which OpenSSL does not believe any more. */
export function shortRsaKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}
