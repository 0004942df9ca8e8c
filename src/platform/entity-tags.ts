/**
 * Whether the caller has the content with this tag, by the weak comparison (RFC 9110, 13.1.2).
 * @param if_none_match as sent: `*`, or a list of tags
 */
export function holdsTag(if_none_match: string | null | undefined, tag: string | undefined): boolean {
  if (!if_none_match || tag === undefined) return false;
  const strong = (text: string) => text.trim().replace(/^W\//, '');
  return if_none_match.trim() === '*' || if_none_match.split(',').some((one) => strong(one) === strong(tag));
}
