/**
 * What a company's audit log says of its people's accounts (ADR 78). The change of an account leaves a row for each company of the
 * person, and `writeEntry` makes an entry of it in a transaction of that company.
 */
import type { Sql } from 'postgres';
import type { Tx } from '../../../kernel/operation.ts';
import { newId } from '../../../kernel/uuid7.ts';
import { type AuditActor, insertAudit, operator } from '../../../platform/audit.ts';
import { viewOf } from '../factors/factors-view.ts';
import { memberSince } from '../members/members.store.ts';
import { type AccountAct, accountActions } from '../rules/account-actions.ts';

export type WaitingEntry = {
  company_id: string;
  id: string;
  user_id: string;
  actor: 'user' | 'operator';
  user_name: string;
  action: string;
  details: Record<string, unknown>;
  created_at: Date;
};

/**
 * In the transaction of the change, for each company where the person may have a role by now. It says neither from where the
 * person did it nor what their passkeys are called: that is theirs.
 */
export async function queueEntries(
  tx: Sql,
  {
    user_id,
    user_name,
    act,
    actor,
  }: Pick<WaitingEntry, 'user_id' | 'user_name' | 'actor'> & { act: AccountAct },
  now: Date,
): Promise<void> {
  const { totp, passkeys } = await viewOf(tx, user_id);
  const details = JSON.stringify({ has_second_factor: totp || passkeys.length > 0 });
  await tx`
    insert into account_entries (company_id, id, user_id, actor, user_name, action, details, created_at, due_at)
    select company_id, ${newId()}::uuid, ${user_id}::uuid, ${actor}::text, ${user_name}::text, ${accountActions[act]}::text,
           ${details}::text::jsonb, ${now}::timestamptz, ${now}::timestamptz
      from user_companies where user_id = ${user_id}`;
}

/** The rows that are read to let people take turns. A person of 50 companies leaves some 2,600 in an hour, by 52 changes. */
const candidatesMax = 10_000;

/**
 * People take turns, each with the longest due entry first, so that a person of many companies does not hold up others.
 * Nothing is locked: `writeEntry` decides who writes.
 */
export function listDueEntries(sql: Sql, now: Date, most: number): Promise<WaitingEntry[]> {
  return sql<WaitingEntry[]>`
    select company_id, id, user_id, actor, user_name, action, details, created_at
      from (select *, row_number() over (partition by user_id order by due_at, company_id, id) as turn
              from (select * from account_entries where due_at <= ${now}
                     order by due_at, company_id, id limit ${candidatesMax}) due) turns
     order by turn, due_at, company_id, id limit ${most}`;
}

/**
 * Writes the entry once, however many try: the row goes with it. A company that the person has left, or joined again
 * since, is told nothing.
 */
export async function writeEntry(tx: Tx, waiting: WaitingEntry): Promise<void> {
  const { company_id, id, user_id, created_at, action, details } = waiting;
  const taken = await tx`
    delete from account_entries where company_id = ${company_id} and id = ${id} returning id`;
  if (taken.length === 0) return;
  const since = await memberSince(tx, user_id, company_id);
  if (since === undefined || since > created_at) return;
  const entry = { action, object: 'user', object_id: user_id, details };
  await insertAudit(tx, company_id, actorOfEntry(waiting), [entry], created_at);
}

function actorOfEntry({ actor, user_id, user_name }: WaitingEntry): AuditActor {
  if (actor === 'operator') return operator;
  return { kind: 'user', id: user_id, name: user_name, key_id: null, user_id, ip: null, request_id: null };
}

/** Lets others go first. */
export async function delayEntry(
  sql: Sql,
  { company_id, id }: Pick<WaitingEntry, 'company_id' | 'id'>,
  due_at: Date,
): Promise<void> {
  await sql`update account_entries set due_at = ${due_at} where company_id = ${company_id} and id = ${id}`;
}
