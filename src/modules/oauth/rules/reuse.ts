/** What becomes of a refresh token that is shown again (RFC 9700, 4.14.2). */

/** An answer may be lost, and two processes of one application may refresh at once. */
const graceMs = 30_000;
const repeatsMax = 5;

export type Use = { first_used_at: Date | null; uses: number };

/**
 * `answer`: new tokens. `refuse`: nothing, for now. `end`: it was stolen, or the application has kept an old one: nobody
 * can tell, so all that the person granted ends.
 */
export function ruleOfUse({ first_used_at, uses }: Use, now: Date): 'answer' | 'refuse' | 'end' {
  if (first_used_at === null) return 'answer';
  if (now.getTime() - first_used_at.getTime() > graceMs) return 'end';
  return uses <= repeatsMax ? 'answer' : 'refuse';
}
