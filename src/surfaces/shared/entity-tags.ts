/** Tags of contents as HTTP writes them (RFC 9110, 8.8.3 and 13.1). */
import type { ExpectedTags } from '../../platform/call.ts';

/**
 * Whether the caller has the content with this tag, by the weak comparison.
 * @param if_none_match as sent: `*`, or a list of tags
 */
export function holdsTag(if_none_match: string | null | undefined, tag: string | undefined): boolean {
  if (!if_none_match || tag === undefined) return false;
  const strong = (text: string) => text.trim().replace(/^W\//, '');
  return if_none_match.trim() === '*' || if_none_match.split(',').some((one) => strong(one) === strong(tag));
}

/** @param if_match as sent; null or empty: the call has no condition */
export function readExpectedTags(if_match: string | null): ExpectedTags | null {
  if (!if_match) return null;
  return if_match.trim() === '*' ? 'any' : if_match.split(',').map((one) => one.trim());
}
