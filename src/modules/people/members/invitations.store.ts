import type { Tx } from '../../../kernel/operation.ts';
import { type Columns, insertRows } from '../../../platform/rows.ts';
import type { Role } from '../rules/roles.ts';

export type InvitationRow = {
  id: string;
  email: string;
  role: Role;
  invited_by: string | null;
  token_hash: Buffer;
  created_at: Date;
  expires_at: Date;
};

const columns: Columns = {
  id: 'uuid',
  email: 'text',
  role: 'text',
  invited_by: 'uuid',
  token_hash: 'bytea',
  created_at: 'timestamptz',
  expires_at: 'timestamptz',
};

/** Newest first: a company has few. */
export function listInvitationRows(tx: Tx, company_id: string, now: Date): Promise<InvitationRow[]> {
  return tx<InvitationRow[]>`
    select id, email, role, invited_by, token_hash, created_at, expires_at from invitations
     where company_id = ${company_id} and expires_at > ${now} order by created_at desc, id desc`;
}

export async function insertInvitation(tx: Tx, company_id: string, row: InvitationRow): Promise<void> {
  const { token_hash, created_at, expires_at, ...rest } = row;
  const written = {
    ...rest,
    token_hash: `\\x${token_hash.toString('hex')}`,
    created_at: created_at.toISOString(),
    expires_at: expires_at.toISOString(),
  };
  await insertRows(tx, company_id, 'invitations', columns, [written], '');
}

/** By its id or its address. Its link opens no more. @returns what was there */
export async function takeInvitation(
  tx: Tx,
  company_id: string,
  by: { id: string } | { email: string },
): Promise<InvitationRow | undefined> {
  const which = 'id' in by ? tx`id = ${by.id}` : tx`email = ${by.email}`;
  const [row] = await tx<InvitationRow[]>`
    delete from invitations where company_id = ${company_id} and ${which}
    returning id, email, role, invited_by, token_hash, created_at, expires_at`;
  if (row) await tx`delete from account_links where token_hash = ${row.token_hash} and used_at is null`;
  return row;
}

/** Deletes all invitations of who came or was removed, so that none brings them in again, not even an operator's. */
export async function dropInvitationsOf(tx: Tx, company_id: string, email: string): Promise<void> {
  await takeInvitation(tx, company_id, { email });
  await tx`
    delete from account_links
     where kind = 'invitation' and company_id = ${company_id} and email = ${email} and used_at is null`;
}

/**
 * Deletes what somebody sent who decides no longer who belongs to the company. An address may be another one of their own.
 * @returns how many there were
 */
export async function dropInvitationsBy(tx: Tx, company_id: string, user_id: string): Promise<number> {
  const rows = await tx<{ token_hash: Buffer }[]>`
    delete from invitations where company_id = ${company_id} and invited_by = ${user_id} returning token_hash`;
  for (const { token_hash } of rows)
    await tx`delete from account_links where token_hash = ${token_hash} and used_at is null`;
  return rows.length;
}

/** Those that nobody took up in time make room for others. */
export async function dropLateInvitations(tx: Tx, company_id: string, now: Date): Promise<void> {
  await tx`delete from invitations where company_id = ${company_id} and expires_at <= ${now}`;
}
