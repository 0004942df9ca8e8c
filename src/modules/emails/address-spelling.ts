import { domainToASCII } from 'node:url';

/**
 * One spelling for any case, and for domains in Unicode or ASCII: mail systems return addresses spelt
 * otherwise.
 */
export function spellingOf(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  return `${address.slice(0, at)}@${domainToASCII(domain) || domain}`.toLowerCase();
}
