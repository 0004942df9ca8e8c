/**
 * Reads FOLIO_SMTP_URL: `smtp://user:password@host:587?tls=required`, user and password percent-encoded. `smtps:` is
 * TLS from the first byte. `smtp:` uses STARTTLS where the server offers it, and insists on it with a password.
 */
import { signsToEncode } from '../../kernel/addresses.ts';

/** Never quotes the address, which may hold the password. */
export class SmtpUrlError extends Error {}

export type SmtpServer = {
  host: string;
  port: number;
  /** `required`: STARTTLS or no mail. `offered`: STARTTLS where it is offered. */
  tls: 'first' | 'required' | 'offered' | 'none';
  checks_certificate: boolean;
  /** A PEM file of authorities to trust in place of the usual ones. */
  ca_file: string | null;
  login: { user: string; password: string } | null;
  /** How this side greets; null for the name of the machine. */
  name: string | null;
  /** The most for one process. */
  connections: number;
  /** How long the server may be silent. */
  timeout_seconds: number;
};

const options = ['tls', 'certificate', 'ca', 'name', 'connections', 'timeout'];

/** @throws SmtpUrlError whose message follows the name of the setting */
export function readSmtpUrl(text: string): SmtpServer {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (isCutShort(text, url)) throw new SmtpUrlError(signsToEncode);
  if (!url || (url.protocol !== 'smtp:' && url.protocol !== 'smtps:') || url.hostname === '')
    throw new SmtpUrlError('must be an address such as smtp://user:password@host:587');
  if (url.pathname !== '' && url.pathname !== '/') throw new SmtpUrlError('must not have a path');
  const { searchParams: query } = url;
  const unknown = [...query.keys()].find((name) => !options.includes(name));
  if (unknown !== undefined)
    throw new SmtpUrlError(`has the unknown option "${unknown}"; options are: ${options.join(', ')}`);
  const login = readLogin(url);
  const is_secure = url.protocol === 'smtps:';
  if (is_secure && query.has('tls')) throw new SmtpUrlError('has TLS by smtps: already, and no option tls');
  const tls = readOption(query, 'tls', ['required', 'offered', 'none'], login ? 'required' : 'offered');
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (is_secure ? 465 : 587) : Number(url.port),
    tls: is_secure ? 'first' : tls,
    checks_certificate: readOption(query, 'certificate', ['check', 'any'], 'check') === 'check',
    ca_file: query.get('ca'),
    login,
    name: readName(query.get('name')),
    connections: readNumber(query, 'connections', 20, 4),
    timeout_seconds: readNumber(query, 'timeout', 600, 300),
  };
}

/** A sign # / or ? of a password ends the host for whoever reads the address, so its @ comes later. */
function isCutShort(text: string, url: URL | null): boolean {
  if (!/^smtps?:\/\/[^@]*[#/?][^@]*@/.test(text)) return false;
  if (url === null) return true;
  const { pathname, hash, searchParams: query } = url;
  const unknown = [...query].filter(([name]) => !options.includes(name));
  return `${pathname}${hash}${unknown.flat().join('')}`.includes('@');
}

function readLogin(url: URL): SmtpServer['login'] {
  if (url.username === '' && url.password === '') return null;
  try {
    const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
    if (user !== '' && password !== '') return { user, password };
  } catch {
    throw new SmtpUrlError('has a user or password that is not percent-encoded');
  }
  throw new SmtpUrlError('must have both user and password, or neither');
}

function readOption<const V extends string>(
  query: URLSearchParams,
  name: string,
  values: readonly V[],
  fallback: V,
): V {
  const given = query.get(name);
  const value = given === null ? fallback : values.find((one) => one === given);
  if (value === undefined)
    throw new SmtpUrlError(`has an option ${name} that is none of: ${values.join(', ')}`);
  return value;
}

function readName(given: string | null): string | null {
  if (given === null || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(given)) return given;
  throw new SmtpUrlError('has an option name that is no name of a machine');
}

function readNumber(query: URLSearchParams, name: string, max: number, fallback: number): number {
  const given = query.get(name) ?? String(fallback);
  if (/^\d{1,3}$/.test(given) && Number(given) >= 1 && Number(given) <= max) return Number(given);
  throw new SmtpUrlError(`has an option ${name} that is no whole number from 1 to ${max}`);
}
