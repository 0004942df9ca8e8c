/**
 * E-mail addresses as people write them: local part, one @, a domain with a dot. Deliberately less than RFC
 * 5321 allows (no quotes, comments or address literals), and checked in linear time.
 */

/** Longest address that mail servers take (RFC 5321, section 4.5.3.1.3, without the brackets). */
export const EMAIL_ADDRESS_MAX = 254;

const localPart = /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const label = /^[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?$/u;

/** Whether the text has the form of one e-mail address. International domains are accepted. */
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
