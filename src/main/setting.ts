/** How the text of a setting is read, and why it is refused. config.ts has the settings. */
import { isEmailAddress } from '../domain/email-address.ts';
import { BlobUrlError, readBlobUrl } from '../integrations/blobs/blob-place.ts';
import { readSmtpUrl, SmtpUrlError } from '../integrations/smtp/smtp-url.ts';
import { parseRange } from '../kernel/ip-ranges.ts';
import { type PlanName, planNames, plans } from '../kernel/plans.ts';
import type { RateTable } from '../platform/rate-limit.ts';
import { addressFault } from './database-address.ts';
import { ConfigError } from './environment.ts';

export type Setting<T> = {
  default: string | null;
  help: string;
  /** It holds a password or key, and may be in a file. */
  is_secret?: true;
  read(text: string): T;
};

export function secret<T>(setting: Setting<T>): Setting<T> & { is_secret: true } {
  return { ...setting, is_secret: true };
}

export function refuse(message: string): never {
  throw new ConfigError(message);
}

export const text: (help: string, fallback?: string | null) => Setting<string> = (help, fallback = null) => ({
  default: fallback,
  help,
  read: (value) => value,
});

/** IPv6 may stand in brackets, as in an address of the web. */
export const host: typeof text = (help, fallback) => ({
  ...text(help, fallback),
  read: (value) => value.replace(/^\[(.+)\]$/, '$1'),
});

/** A space that nobody sees would name another folder, and an empty database would be made there. */
export const folder: typeof text = (help, fallback) => ({
  ...text(help, fallback),
  read: (value) =>
    /^\s|\s$|\p{Cc}/u.test(value)
      ? refuse('must neither begin nor end with a space, nor hold a line break or tabulator')
      : value,
});

export function oneOf<const V extends string>(values: readonly V[], fallback: V, help: string): Setting<V> {
  return {
    default: fallback,
    help: `${help} One of: ${values.join(', ')}.`,
    read: (value) => values.find((v) => v === value) ?? refuse(`must be one of ${values.join(', ')}`),
  };
}

export function integer(min: number, max: number, fallback: string, help: string): Setting<number> {
  return {
    default: fallback,
    help,
    read: (value) => {
      const number = Number(value);
      return /^\d+$/.test(value) && number >= min && number <= max
        ? number
        : refuse(`must be a whole number from ${min} to ${max}`);
    },
  };
}

export function address(protocols: readonly string[], help: string): Setting<string> {
  return {
    default: null,
    help,
    read: (value) => {
      const url = URL.canParse(value) ? new URL(value) : null;
      return url && protocols.includes(url.protocol)
        ? value
        : refuse(`must be an address that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`);
    },
  };
}

/** Of a PostgreSQL. */
export function databaseAddress(help: string): Setting<string> {
  const { read, ...setting } = address(['postgres:', 'postgresql:'], help);
  return {
    ...setting,
    read: (value) => {
      const fault = addressFault(value);
      return fault === null ? read(value) : refuse(fault);
    },
  };
}

/** Public links begin with it. @returns the address without a slash at its end */
export function publicAddress(help: string): Setting<string> {
  const { read, ...setting } = address(['http:', 'https:'], help);
  return {
    ...setting,
    read: (value) => {
      const { origin, pathname, username, password, search, hash } = new URL(read(value));
      if (`${username}${password}${search}${hash}` !== '')
        refuse('must hold no user, password, query or fragment: addresses are made from it');
      return `${origin}${pathname}`.replace(/\/+$/, '');
    },
  };
}

export function readOrigins(value: string): string[] {
  const list = listed(value);
  const wrong = list.find((v) => !URL.canParse(v) || new URL(v).origin !== v);
  return wrong === undefined
    ? list
    : refuse(`holds "${wrong}", which is no origin such as https://agent.example`);
}

function listed(value: string): string[] {
  return value
    .split(',')
    .map((v) => v.trim())
    .filter((v) => v !== '');
}

export function addresses(help: string): Setting<string[]> {
  return {
    default: '',
    help,
    read: (value) => {
      const list = listed(value);
      const wrong = list.find((v) => parseRange(v) === undefined);
      return wrong === undefined
        ? list
        : refuse(`holds "${wrong}", which is neither an address nor a CIDR range`);
    },
  };
}

/** A `Told` error says what the setting must be. */
const toldBy =
  <T>(read: (value: string) => T, Told: new () => Error) =>
  (value: string): T => {
    try {
      return read(value);
    } catch (error) {
      if (error instanceof Told) refuse(error.message);
      throw error;
    }
  };

export const readBlobs = toldBy(readBlobUrl, BlobUrlError);
export const readSmtp = toldBy(readSmtpUrl, SmtpUrlError);

export function readRates(value: string): RateTable {
  const standard = Object.fromEntries(
    planNames.map((p) => [p, [plans[p].reads_per_minute, plans[p].writes_per_minute] as const]),
  );
  if (value === 'default') return standard;
  if (value === 'off') return null;
  const wrong = 'must be default, off, or JSON such as {"scale":[6000,3000]}';
  let given: unknown;
  try {
    given = JSON.parse(value);
  } catch {
    refuse(wrong);
  }
  if (given === null || typeof given !== 'object' || Array.isArray(given)) refuse(wrong);
  for (const [tier, pair] of Object.entries(given)) {
    const is_pair =
      Array.isArray(pair) &&
      pair.length === 2 &&
      pair.every((n) => Number.isSafeInteger(n) && n > 0 && n <= 1e9);
    if (!planNames.includes(tier as PlanName) || !is_pair) refuse(wrong);
  }
  return { ...standard, ...(given as Record<string, [number, number]>) };
}

export function readContacts(value: string): string[] {
  const list = listed(value);
  const wrong = list.find((v) => {
    const url = /^[\x21-\x7e]+$/.test(v) && URL.canParse(v) ? new URL(v) : null;
    if (url?.protocol === 'mailto:') return !isEmailAddress(url.pathname);
    return url?.protocol !== 'https:';
  });
  return wrong === undefined
    ? list
    : refuse(`holds "${wrong}", which begins with neither mailto: nor https:// or is no address`);
}
