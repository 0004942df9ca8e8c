/** An application that describes itself by a document at its own address (OAuth Client ID Metadata Document, draft 02). */
import { canBeRead } from '../../../kernel/readable-name.ts';
import { isLoopback, redirectFault } from '../../../domain/oauth/redirect-uris.ts';

export type ClientDocument = { name: string; redirect_uris: string[] };

const addressMax = 2000;
const redirectsMax = 50;
const nameMax = 120;

/** In the one spelling that an address has: so it has no dot segments, and its host is in lower case. */
export function isDocumentAddress(text: string): boolean {
  if (!text.startsWith('https://') || text.length > addressMax || /[#\\*\s]/.test(text)) return false;
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && url.href === text && url.pathname !== '/' && url.username + url.password === '';
}

/** @returns undefined for what is no description of the application at that address */
export function readClientDocument(bytes: Buffer, address: string): ClientDocument | undefined {
  const read = parsed(bytes);
  if (!read || read.client_id !== address || read.token_endpoint_auth_method !== 'none') return undefined;
  if (Object.keys(read).some((name) => name.startsWith('client_secret'))) return undefined;
  if (!Array.isArray(read.redirect_uris)) return undefined;
  const redirect_uris = read.redirect_uris.slice(0, redirectsMax).filter(isRedirect);
  if (redirect_uris.length === 0) return undefined;
  return { name: nameOf(read.client_name) ?? new URL(address).host, redirect_uris };
}

function parsed(bytes: Buffer): Record<string, unknown> | undefined {
  try {
    const read: unknown = JSON.parse(bytes.toString('utf8'));
    return read !== null && typeof read === 'object' && !Array.isArray(read)
      ? (read as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** A scheme of its own proves nothing about an unregistered application. */
function isRedirect(uri: unknown): uri is string {
  return (
    typeof uri === 'string' &&
    redirectFault(uri, 'public') === null &&
    (uri.startsWith('https://') || isLoopback(uri))
  );
}

/** A line of text, without signs that change how others are shown. */
function nameOf(name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined;
  const plain = name.replace(/[\p{C}\u2028\u2029]/gu, '').trim();
  return canBeRead(plain) ? Array.from(plain).slice(0, nameMax).join('') : undefined;
}

const minuteMs = 60_000;

/** How long a document is remembered: as its headers say, from five minutes to a day. */
export function documentLife(cache_control: string): number {
  const seconds = /(?:^|[\s,])max-age="?(\d{1,9})/i.exec(cache_control)?.[1];
  const told = /(?:^|[\s,])no-(?:store|cache)(?:[\s,]|$)/i.test(cache_control)
    ? 0
    : Number(seconds ?? 0) * 1000;
  return Math.min(Math.max(told, 5 * minuteMs), 24 * 60 * minuteMs);
}

/** How long an address without a description is remembered as such. */
export const failureLife = minuteMs;
