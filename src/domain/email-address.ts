import { domainToASCII } from 'node:url';

/** RFC 5321, section 4.5.3.1.3, without the brackets. */
export const EMAIL_ADDRESS_MAX = 254;

const localPart = /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const label = /^[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?$/u;

/**
 * Accepts addresses as people write them, also of international domains. Deliberately less than RFC 5321
 * allows (no quotes, comments or address literals), and linear in time.
 */
export function isEmailAddress(text: string): boolean {
  if (text.length > EMAIL_ADDRESS_MAX) return false;
  const at = text.indexOf('@');
  if (at < 1 || at > 64 || at !== text.lastIndexOf('@')) return false;
  const labels = text.slice(at + 1).split('.');
  return (
    localPart.test(text.slice(0, at)) &&
    labels.length >= 2 &&
    labels.every((part) => part.length <= 63 && label.test(part)) &&
    (labels.at(-1)?.length ?? 0) >= 2
  );
}

/**
 * One spelling for any case, and for domains in Unicode or ASCII: people and mail systems spell one address in several
 * ways.
 */
export function spellingOf(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  return `${address.slice(0, at)}@${domainToASCII(domain) || domain}`.toLowerCase();
}
