/** Tags of contents, as callers name those that they have already (RFC 9110, 13.1.2). */

/**
 * Whether the caller has the content with this tag. The comparison is the weak one, as the header asks for.
 * @param if_none_match the header as it was sent: `*`, or a list of tags
 */
export function holdsTag(if_none_match: string | null | undefined, tag: string | undefined): boolean {
  if (!if_none_match || tag === undefined) return false;
  const strong = (text: string) => text.trim().replace(/^W\//, '');
  return if_none_match.trim() === '*' || if_none_match.split(',').some((one) => strong(one) === strong(tag));
}
