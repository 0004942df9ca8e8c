/**
 * The key that encrypts secrets at rest. It is configured, or made on the first start in the data folder. Without it
 * nothing encrypted can be read.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeFoldersSync } from '../platform/make-folders.ts';
import { type Config, ConfigError } from './config.ts';

const lengthMin = 32;
/** Within the data folder. */
export const secretKeyFile = 'secret-key';

/** @throws ConfigError when the file cannot be read or made, or holds no key */
export function secretKey(config: Pick<Config, 'FOLIO_SECRET_KEY' | 'FOLIO_DATA_DIR'>): string {
  if (config.FOLIO_SECRET_KEY !== null) return config.FOLIO_SECRET_KEY;
  const file = join(resolve(config.FOLIO_DATA_DIR), secretKeyFile);
  try {
    const key = readKey(file) ?? makeKey(file);
    if (key.length < lengthMin) {
      throw new ConfigError(`${file} holds no secret key: put the right one back, or set FOLIO_SECRET_KEY.`);
    }
    if ((statSync(file).mode & 0o077) !== 0 && process.platform !== 'win32') chmodSync(file, 0o600);
    return key;
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const { code } = error as { code?: string };
    throw new ConfigError(
      `The secret key in ${file} cannot be read or made (${code ?? String(error)}): give this user the file, or set FOLIO_SECRET_KEY.`,
    );
  }
}

/** @returns undefined where none is configured and no start has made one */
export function knownSecretKey(
  config: Pick<Config, 'FOLIO_SECRET_KEY' | 'FOLIO_DATA_DIR'>,
): string | undefined {
  return config.FOLIO_SECRET_KEY ?? readKey(join(resolve(config.FOLIO_DATA_DIR), secretKeyFile));
}

function readKey(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes the whole file, then links it into place: two simultaneous starts end with one key. */
function makeKey(file: string): string {
  makeFoldersSync(resolve(file, '..'));
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, randomBytes(32).toString('base64'), { mode: 0o600 });
  try {
    // The folder's owner must be able to read a file that root makes.
    const { uid, gid } = statSync(resolve(file, '..'));
    if (process.getuid?.() === 0 && uid !== 0) chownSync(draft, uid, gid);
    linkSync(draft, file);
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(file, 'utf8').trim();
}
