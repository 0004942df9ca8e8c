import type { Sql } from 'postgres';
import { windowMs } from './tries.ts';

const rowsMax = 1000;
const batchesMax = 10;

/** Deletes what is over: sessions, links, messages, challenges and counts, so many of each at a time. */
export async function purgePeople(sql: Sql, now: Date): Promise<void> {
  await inBatches(
    () => sql`
    delete from sessions where token_hash = any (array(
      select token_hash from sessions where expires_at <= ${now} order by expires_at limit ${rowsMax}))`,
  );
  await inBatches(
    () => sql`
    delete from account_links where token_hash = any (array(
      select token_hash from account_links where expires_at <= ${now} order by expires_at limit ${rowsMax}))`,
  );
  await inBatches(
    () => sql`
    delete from account_emails where id = any (array(
      select id from account_emails where expires_at <= ${now} order by expires_at limit ${rowsMax}))`,
  );
  await inBatches(
    () => sql`
    delete from passkey_challenges where challenge_hash = any (array(
      select challenge_hash from passkey_challenges where expires_at <= ${now} order by expires_at limit ${rowsMax}))`,
  );
  const before = new Date(now.getTime() - windowMs);
  await inBatches(
    () => sql`
    delete from sign_in_tries where since <= ${before} and email_hash = any (array(
      select email_hash from sign_in_tries where since <= ${before} order by since limit ${rowsMax}))`,
  );
}

async function inBatches(deleteSome: () => Promise<{ count: number }>): Promise<void> {
  for (let batch = 0; batch < batchesMax; batch++) if ((await deleteSome()).count < rowsMax) return;
}
