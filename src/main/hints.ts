/** What commands and the start tell people to type and to open. */
import type { Config } from './config.ts';

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
 * How a command reaches the service that says it, from another terminal: with the settings that are not the default.
 * None of them is a secret.
 */
export function commandHint(
  { FOLIO_DATA_DIR, PORT }: Pick<Config, 'FOLIO_DATA_DIR' | 'PORT'>,
  defaults: Record<'FOLIO_DATA_DIR' | 'PORT', string>,
): string {
  const set = Object.entries({ FOLIO_DATA_DIR, PORT: String(PORT) }).filter(
    ([name, value]) => value !== defaults[name as 'PORT'],
  );
  return [...set.map(([name, value]) => `${name}=${quoted(value)}`), 'npm run -s folio --'].join(' ');
}

/** As a shell takes it. */
function quoted(text: string): string {
  return /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
