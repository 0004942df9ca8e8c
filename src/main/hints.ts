/** What commands and the start tell people to type and to open. */
import { basename, resolve } from 'node:path';
import { type Config, settings } from './config.ts';

export const sampleAddress =
  '{"line1": "Calle Mayor, 1", "postal_code": "28013", "city": "Madrid", "country": "ES"}';

/** Where pages and the API open, as far as a command knows. */
export function serviceAddress({
  FOLIO_PUBLIC_URL,
  HOST,
  PORT,
}: Pick<Config, 'FOLIO_PUBLIC_URL' | 'HOST' | 'PORT'>): string {
  if (FOLIO_PUBLIC_URL !== null) return FOLIO_PUBLIC_URL;
  const host = ['0.0.0.0', '::'].includes(HOST) ? '127.0.0.1' : HOST;
  return `http://${host.includes(':') ? `[${host}]` : host}:${PORT}`;
}

/**
 * How a command in another terminal reaches this service: with the file of settings, and the settings that are not the
 * default. None of them is a secret. A port that the system is to choose (0) is not known yet.
 */
export function commandHint(
  config: Pick<Config, 'FOLIO_DATA_DIR' | 'PORT'>,
  program: string = process.argv[1] ?? '',
  { FOLIO_ENV_FILE = '' }: NodeJS.ProcessEnv = process.env,
): string {
  const given = Object.entries({
    FOLIO_ENV_FILE: FOLIO_ENV_FILE === '' ? '' : resolve(FOLIO_ENV_FILE),
    FOLIO_DATA_DIR: unusual('FOLIO_DATA_DIR', config),
    PORT: config.PORT === 0 ? '' : unusual('PORT', config),
  }).filter(([, value]) => value !== '');
  return [...given.map(([name, value]) => `${name}=${quoted(value)}`), beginning(program)].join(' ');
}

/** Empty for the default. */
function unusual(name: 'FOLIO_DATA_DIR' | 'PORT', config: Pick<Config, 'FOLIO_DATA_DIR' | 'PORT'>): string {
  const value = String(config[name]);
  return value === settings[name].default ? '' : value;
}

/** As `folio` where it was started so and is in PATH, as in the image, else by the script of package.json. */
const beginning = (program: string) =>
  basename(program) === 'folio' && !program.includes('node_modules') ? 'folio' : 'npm run -s folio --';

/** As a shell takes it. */
function quoted(text: string): string {
  return /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
