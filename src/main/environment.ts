/**
 * Where settings are found besides the environment itself: a file of NAME=value lines, and a file for each secret, as
 * container engines mount them. Programs that show a process's environment do not show a secret in a file.
 */
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { isOfPostgres } from './database-address.ts';

/** The message is for the person who starts the service. */
export class ConfigError extends Error {}

const usualFile = '.env';
/** Longer than any key or address. */
const secretMax = 64 * 1024;

/** `parseEnv` passes over a line without `=`, such as `FOLIO_PORT: 80`. */
const lineWithoutValue =
  /^\s*(?:export\s+)?(?:FOLIO_\w*|DATABASE_(?:MIGRATION_|DIRECT_)?URL(?:_FILE)?)(?!\w)(?!\s*=)/;

/** Some editors begin a file with a mark of its encoding. Left there, it is part of the first name. */
const readSettings = (file: string): string => readFileSync(file, 'utf8').replace(/^\ufeff/, '');

/**
 * Adds the lines of FOLIO_ENV_FILE, or of `.env` where there is one. What the environment says already stays.
 * @throws ConfigError for a named file that cannot be read, and for a setting of ours that is no NAME=value line
 */
export function loadSettingsFile(env: NodeJS.ProcessEnv): void {
  const file = env.FOLIO_ENV_FILE || usualFile;
  let text: string;
  try {
    text = readSettings(file);
  } catch (error) {
    const { code = String(error) } = error as { code?: string };
    if (code === 'ENOENT' && !env.FOLIO_ENV_FILE) return;
    throw new ConfigError(`The settings in ${file} cannot be read (${code}).`);
  }
  // Each name would be another one.
  if (text.includes('\0'))
    throw new ConfigError(`The settings in ${file} are not in UTF-8: save the file anew in it.`);
  const wrong = text.split('\n').findIndex((line) => lineWithoutValue.test(line));
  // What follows the name may be a secret.
  if (wrong !== -1)
    throw new ConfigError(`Line ${wrong + 1} of ${file} names a setting, but not as NAME=value.`);
  for (const [name, value] of Object.entries(parseEnv(text))) process.env[name] ??= value;
}

/** Takes away what `loadSettingsFile` added, so that a process that is started later reads the file again. */
export function forgetSettingsFile(env: NodeJS.ProcessEnv): void {
  const file = env.FOLIO_ENV_FILE || usualFile;
  let text: string;
  try {
    text = readSettings(file);
  } catch {
    return;
  }
  for (const [name, value] of Object.entries(parseEnv(text))) if (env[name] === value) delete env[name];
}

/** What other programs call the address of their database. */
const otherName = /^(DATABASE|DB|PG|POSTGRES|POSTGRESQL)_?(URL|URI|DSN|CONNECTION_STRING)$/;

/** @returns a name under which whoever started this has given a database, which stays empty while the embedded one fills */
export function misnamedDatabase(env: NodeJS.ProcessEnv): string | undefined {
  if (env.DATABASE_URL || env.DATABASE_URL_FILE) return undefined;
  return Object.keys(env).find((name) => otherName.test(name) && isOfPostgres(env[name] ?? ''));
}

/** The setting that names a file with the value of another. */
export const fileOf = (name: string) => `${name}_FILE`;

/**
 * @returns the environment with the secrets that files hold
 * @throws ConfigError for a file that cannot be read or is empty, and where the value is given as well
 */
export function withSecretFiles(env: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv {
  const read: NodeJS.ProcessEnv = {};
  for (const name of names) {
    const file = env[fileOf(name)] || undefined;
    if (file === undefined) continue;
    if (env[name]) throw new ConfigError(`${name} and ${fileOf(name)} are both set: leave one of them out.`);
    read[name] = readSecret(name, file);
  }
  return { ...env, ...read };
}

function readSecret(name: string, file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code = String(error) } = error as { code?: string };
    throw new ConfigError(`${fileOf(name)}: ${file} cannot be read (${code}).`);
  }
  // An editor ends the line; a secret has none.
  const secret = text.replace(/\r?\n$/, '');
  if (secret === '') throw new ConfigError(`${fileOf(name)}: ${file} is empty.`);
  if (secret.length > secretMax || /[\r\n\0]/.test(secret))
    throw new ConfigError(`${fileOf(name)}: ${file} must hold one line with the value alone.`);
  return secret;
}
