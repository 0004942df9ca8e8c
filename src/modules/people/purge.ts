import type { Database } from '../../platform/db.ts';
import { dropLateInvitations } from './members/invitations.store.ts';
import { longestWindowMs } from './sign-in/tries.ts';

const rowsMax = 1000;
const batchesMax = 10;

/** Deletes what is over: sessions, invitations, links, messages, challenges and counts, so many of each at a time. */
export async function purgePeople(db: Database, now: Date): Promise<void> {
  const { index: sql } = db;
  await inBatches(
    () => sql`
    delete from sessions where token_hash = any (array(
      select token_hash from sessions where expires_at <= ${now} order by expires_at limit ${rowsMax}))`,
  );
  await dropInvitations(db, now);
  await inBatches(
    () => sql`
    delete from account_links where token_hash = any (array(
      select token_hash from account_links
       where expires_at <= ${now} and kind <> 'invitation' order by expires_at limit ${rowsMax}))`,
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
  const before = new Date(now.getTime() - longestWindowMs);
  await inBatches(
    () => sql`
    delete from sign_in_tries where since <= ${before} and email_hash = any (array(
      select email_hash from sign_in_tries where since <= ${before} order by since limit ${rowsMax}))`,
  );
}

/**
 * Old invitations hold addresses of people who never came. Their links say in which companies they are, so a link goes only after the
 * invitations of its company.
 */
function dropInvitations(db: Database, now: Date): Promise<void> {
  return inBatches(async () => {
    const late = await db.index<{ company_id: string }[]>`
      select company_id from account_links
       where expires_at <= ${now} and kind = 'invitation' order by expires_at limit ${rowsMax}`;
    const ids = [...new Set(late.map(({ company_id }) => company_id))];
    for (const company_id of ids)
      await db.transaction(company_id, (tx) => dropLateInvitations(tx, company_id, now));
    await db.index`
      delete from account_links
       where expires_at <= ${now} and kind = 'invitation' and company_id = any(${ids}::uuid[])`;
    return late;
  });
}

async function inBatches(deleteSome: () => Promise<{ count: number }>): Promise<void> {
  for (let batch = 0; batch < batchesMax; batch++) if ((await deleteSome()).count < rowsMax) return;
}
