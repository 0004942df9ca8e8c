/** Messages about accounts, kept until the mail server has them (ADR 62). They open accounts, so their rows are sealed. */
import type { Sql } from 'postgres';
import { newId } from '../../../kernel/uuid7.ts';
import type { QueueDepth } from '../../../platform/due-depth.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import type { Role } from '../rules/roles.ts';
import type { Language } from '../users.store.ts';

export type AccountEmail = { to: string; language: Language } & (
  | { kind: 'forgotten' }
  | { kind: 'sign_up' }
  | { kind: 'invitation'; link: string; company_name: string; role: Role; invited_by: string }
  | { kind: 'changed'; change: AccountChange }
);

export type AccountEmailKind = AccountEmail['kind'];

/** What a person is told of, in case it was somebody else. */
export type AccountChange =
  | 'password'
  | 'totp_added'
  | 'totp_removed'
  | 'passkey_added'
  | 'passkey_removed'
  | 'recovery_codes'
  | 'recovery_code_used'
  | 'factors_reset';

export type WaitingEmail = { id: string; email: AccountEmail; attempts: number; created_at: Date };

/**
 * A message of a kind is refused while this many messages wait, of all kinds together. So strangers cannot fill the
 * disk. Messages that strangers ask for have the lowest limit, which leaves room for invitations and for news of a
 * changed account.
 */
const waitingMax: Record<AccountEmailKind, number> = {
  forgotten: 10_000,
  sign_up: 10_000,
  invitation: 20_000,
  changed: 100_000,
};
/** After this another process takes a message whose sender ended in the middle. */
const leaseMs = 5 * 60_000;

const hourMs = 3_600_000;
/** After this nobody waits for it any more. */
const lifeMs: Record<AccountEmailKind, number> = {
  forgotten: hourMs,
  sign_up: hourMs,
  invitation: 48 * hourMs,
  changed: 48 * hourMs,
};

const placeOf = (id: string) => ({ table: 'account_emails', company_id: null, id });

/** @returns false when too many wait already */
export async function queueAccountEmail(
  sql: Sql,
  box: SecretBox,
  email: AccountEmail,
  now: Date,
): Promise<boolean> {
  const id = newId();
  const expires_at = new Date(now.getTime() + lifeMs[email.kind]);
  const sealed = box.seal(JSON.stringify(email), placeOf(id));
  const most = waitingMax[email.kind];
  const added = await sql`
    insert into account_emails (id, sealed, created_at, due_at, expires_at)
    select ${id}, ${sealed}, ${now}, ${now}, ${expires_at}
     where (select count(*) from (select 1 from account_emails limit ${most}) as waiting) < ${most}
    returning id`;
  return added.length > 0;
}

/**
 * The message that has been due longest, which no other process takes for the next minutes.
 * @returns `unreadable` for one that no configured key opens
 */
export async function takeAccountEmail(
  sql: Sql,
  box: SecretBox,
  now: Date,
): Promise<WaitingEmail | { id: string; unreadable: true } | undefined> {
  const [row] = await sql<{ id: string; sealed: Buffer; attempts: number; created_at: Date }[]>`
    update account_emails set due_at = ${new Date(now.getTime() + leaseMs)}, attempts = attempts + 1
     where id = (select id from account_emails where due_at <= ${now} and expires_at > ${now}
                  order by due_at limit 1 for update skip locked)
    returning id, sealed, attempts, created_at`;
  if (!row) return undefined;
  const { id, sealed, attempts, created_at } = row;
  try {
    return { id, attempts, created_at, email: JSON.parse(box.open(sealed, placeOf(id))) as AccountEmail };
  } catch {
    return { id, unreadable: true };
  }
}

/** Also where another process has taken it since: what was sent is not sent once more. */
export async function dropAccountEmail(sql: Sql, id: string): Promise<void> {
  await sql`delete from account_emails where id = ${id}`;
}

/** @param attempts as the caller took it. Whoever has taken it since decides when it is due. */
export async function delayAccountEmail(
  sql: Sql,
  { id, attempts }: Pick<WaitingEmail, 'id' | 'attempts'>,
  due_at: Date,
): Promise<void> {
  await sql`update account_emails set due_at = ${due_at} where id = ${id} and attempts = ${attempts}`;
}

/** For monitors; 10,000 at most are counted. */
export async function readAccountMailQueue(sql: Sql): Promise<QueueDepth> {
  const [row] = await sql<QueueDepth[]>`
    select count(*)::integer as waiting, min(w.created_at) as oldest_at
      from (select created_at from account_emails order by id limit 10000) w`;
  return row ?? { waiting: 0, oldest_at: null };
}
