/** Mail systems return addresses in other spellings than they were given. */
import { domainToASCII } from 'node:url';

/** One spelling for all those of an address: any case, international domains as Unicode or ASCII. */
export function spellingOf(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  return `${address.slice(0, at)}@${domainToASCII(domain) || domain}`.toLowerCase();
}
