/** How often somebody may try a password, or have a message sent: of one address over all processes. */
import { createHash } from 'node:crypto';
import type { Sql } from 'postgres';

/** In a quarter of an hour. */
const triesMax = {
  'sign-in': 10,
  'second factor': 10,
  message: 3,
  invitation: 3,
  'invitations of a company': 20,
} as const;

/** `email`: or the id of a person whose password is known, or of a company. */
export type Tried = { what: keyof typeof triesMax; email: string };
export const windowMs = 15 * 60_000;

const hashOf = ({ what, email }: Tried) => createHash('sha256').update(`folio ${what}\n${email}`).digest();

/**
 * Counts a try before it is made, so that many at once are not more than the limit.
 * @returns seconds to wait, or 0
 */
export async function spendTry(sql: Sql, tried: Tried, now: Date): Promise<number> {
  const most = triesMax[tried.what];
  const ended = new Date(now.getTime() - windowMs);
  const [row] = await sql<{ since: Date; used: number }[]>`
    insert into sign_in_tries as t (email_hash, since, used) values (${hashOf(tried)}, ${now}, 1)
    on conflict (email_hash) do update
       set used = case when t.since <= ${ended} then 1 else least(t.used, ${most}) + 1 end,
           since = case when t.since <= ${ended} then excluded.since else t.since end
    returning since, used`;
  if (!row || row.used <= most) return 0;
  return Math.max(1, Math.ceil((row.since.getTime() + windowMs - now.getTime()) / 1000));
}

/** Of a right password. */
export async function returnTry(sql: Sql, tried: Tried): Promise<void> {
  await sql`update sign_in_tries set used = greatest(used - 1, 0) where email_hash = ${hashOf(tried)}`;
}
