/** How often somebody may try a password, have a message sent, or change their account: over all processes. */
import { createHash } from 'node:crypto';
import type { Sql } from 'postgres';

const quarterMs = 15 * 60_000;

const limits = {
  'sign-in': { most: 10, window_ms: quarterMs },
  'second factor': { most: 10, window_ms: quarterMs },
  message: { most: 3, window_ms: quarterMs },
  // Apart: a stranger who types somebody's address there must not keep them from a new password.
  'message of a sign-up': { most: 3, window_ms: quarterMs },
  // Both: of one company alone, it could keep all others from inviting somebody.
  'invitation of a company to an address': { most: 3, window_ms: quarterMs },
  'invitations to an address': { most: 10, window_ms: quarterMs },
  'invitations of a company': { most: 20, window_ms: quarterMs },
  'changes of an account': { most: 30, window_ms: 4 * quarterMs },
} as const;

/** `email`: an address, or the id of a person whose password is known, or of a company, or such an id and an address. */
export type Tried = { what: keyof typeof limits; email: string };

/** What is older counts no more. */
export const longestWindowMs = Math.max(...Object.values(limits).map(({ window_ms }) => window_ms));

const hashOf = ({ what, email }: Tried) => createHash('sha256').update(`folio ${what}\n${email}`).digest();

/**
 * Counts a try before it is made, so that many at once are not more than the limit.
 * @returns seconds to wait, or 0
 */
export async function spendTry(sql: Sql, tried: Tried, now: Date): Promise<number> {
  const { most, window_ms } = limits[tried.what];
  const ended = new Date(now.getTime() - window_ms);
  const [row] = await sql<{ since: Date; used: number }[]>`
    insert into sign_in_tries as t (email_hash, since, used) values (${hashOf(tried)}, ${now}, 1)
    on conflict (email_hash) do update
       set used = case when t.since <= ${ended} then 1 else least(t.used, ${most}) + 1 end,
           since = case when t.since <= ${ended} then excluded.since else t.since end
    returning since, used`;
  if (!row || row.used <= most) return 0;
  return Math.max(1, Math.ceil((row.since.getTime() + window_ms - now.getTime()) / 1000));
}

/** Undoes `spendTry`. */
export async function returnTry(sql: Sql, tried: Tried): Promise<void> {
  await sql`update sign_in_tries set used = greatest(used - 1, 0) where email_hash = ${hashOf(tried)}`;
}
