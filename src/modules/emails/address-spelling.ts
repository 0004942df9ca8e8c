/** Addresses come back from mail systems in other spellings than they were given in. */
import { domainToASCII } from 'node:url';

/** The same for all spellings of an address: of any case, an international domain in its own letters or in ASCII. */
export function spellingOf(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  return `${address.slice(0, at)}@${domainToASCII(domain) || domain}`.toLowerCase();
}
