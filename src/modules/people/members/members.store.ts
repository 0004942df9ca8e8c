import type { Sql } from 'postgres';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import type { Caller, Tx } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { type Columns, insertRows } from '../../../platform/rows.ts';
import type { Role } from '../rules/roles.ts';

/** In a transaction of the live company; a role counts in its sandbox too. It is sent at once, as `findTenant` is. */
export async function roleOf(tx: Tx, user_id: string, company_id: string): Promise<Role | undefined> {
  const [row] = await tx<{ role: Role }[]>`
    select role from members where company_id = ${company_id} and user_id = ${user_id}`.execute();
  return row?.role;
}

/** Undefined for a person who is no member now. */
export async function memberSince(tx: Tx, user_id: string, company_id: string): Promise<Date | undefined> {
  const [row] = await tx<{ created_at: Date }[]>`
    select created_at from members where company_id = ${company_id} and user_id = ${user_id}`;
  return row?.created_at;
}

/**
 * Only owners decide who belongs to a company. The role is read again under the lock of the company's row: a body may
 * come slowly, and its sender may have lost the role meanwhile.
 * @throws 403 insufficient_scope
 */
export async function onlyOwners(tx: Tx, { user_id, owner_company_id }: Caller): Promise<void> {
  const role = user_id === null ? undefined : await roleOf(tx, user_id, owner_company_id);
  if (role !== 'owner') throw fail(c.insufficient_scope, { values: { scope: 'de un propietario' } });
}

export async function hasOwner(tx: Tx, company_id: string): Promise<boolean> {
  const rows = await tx`select 1 from members where company_id = ${company_id} and role = 'owner' limit 1`;
  return rows.length > 0;
}

const columns: Columns = {
  user_id: 'uuid',
  role: 'text',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
};

/** @returns false when they are a member already */
export async function insertMember(
  tx: Tx,
  { company_id, user_id, role }: { company_id: string; user_id: string; role: Role },
  now: Date,
): Promise<boolean> {
  const row = { user_id, role, created_at: now.toISOString(), updated_at: now.toISOString() };
  const suffix = 'on conflict (company_id, user_id) do nothing returning user_id';
  const added = await insertRows(tx, company_id, 'members', columns, [row], suffix);
  if (added.length === 0) return false;
  await tx`
    insert into user_companies (user_id, company_id) values (${user_id}, ${company_id})
    on conflict (user_id, company_id) do nothing`;
  return true;
}

/** Ids of live companies, oldest first. */
export async function listCompanyIds(sql: Sql, user_id: string, most: number): Promise<string[]> {
  const rows = await sql<{ company_id: string }[]>`
    select company_id from user_companies where user_id = ${user_id} order by company_id limit ${most}`;
  return rows.map(({ company_id }) => company_id);
}

export type MemberRow = { user_id: string; role: Role; created_at: Date };

/** Oldest first: a company has few. */
export function listMemberRows(tx: Tx, company_id: string): Promise<MemberRow[]> {
  return tx<MemberRow[]>`
    select user_id, role, created_at from members where company_id = ${company_id} order by created_at, user_id`;
}

/** Whether the company keeps an owner without this person. The company's row is locked. */
export async function hasOtherOwner(tx: Tx, company_id: string, user_id: string): Promise<boolean> {
  const rows = await tx`
    select 1 from members where company_id = ${company_id} and role = 'owner' and user_id <> ${user_id} limit 1`;
  return rows.length > 0;
}

/** Whether nobody else belongs to the company. */
export async function isOnlyMember(tx: Tx, company_id: string, user_id: string): Promise<boolean> {
  const rows = await tx`
    select 1 from members where company_id = ${company_id} and user_id <> ${user_id} limit 1`;
  return rows.length === 0;
}

export async function setRole(
  tx: Tx,
  { company_id, user_id, role }: { company_id: string; user_id: string; role: Role },
  now: Date,
): Promise<void> {
  await tx`
    update members set role = ${role}, updated_at = ${now}
     where company_id = ${company_id} and user_id = ${user_id}`;
}

export async function deleteMember(tx: Tx, company_id: string, user_id: string): Promise<void> {
  await tx`delete from members where company_id = ${company_id} and user_id = ${user_id}`;
  await tx`delete from user_companies where user_id = ${user_id} and company_id = ${company_id}`;
}
