import { hash } from 'node:crypto';

/**
 * Whether the caller has the content with this tag, by the weak comparison (RFC 9110, 13.1.2).
 * @param if_none_match as sent: `*`, or a list of tags
 */
export function holdsTag(if_none_match: string | null | undefined, tag: string | undefined): boolean {
  if (!if_none_match || tag === undefined) return false;
  const strong = (text: string) => text.trim().replace(/^W\//, '');
  return if_none_match.trim() === '*' || if_none_match.split(',').some((one) => strong(one) === strong(tag));
}

/** Of a representation: the version shapes it, and what the caller may see is in the text. */
export function tagOf(version: string, text: string): string {
  return `"${hash('sha256', `${version} ${text}`, 'base64url').slice(0, 27)}"`;
}

/** Whether `If-Match` lets a call pass, by the strong comparison (RFC 9110, 13.1.1). @param tag undefined: nothing is there */
export function matchesTag(if_match: string, tag: string | undefined): boolean {
  if (tag === undefined) return false;
  return if_match.trim() === '*' || if_match.split(',').some((one) => one.trim() === tag);
}
