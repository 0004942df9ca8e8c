/** Erases an account for good, as its person may ask (Regulation (EU) 2016/679, art. 17). */
import type { Sql } from 'postgres';
import type { Tx } from '../../../kernel/operation.ts';
import { insertAudit, operator } from '../../../platform/audit.ts';
import { lockCompanyRow } from '../../../platform/company-row.ts';
import type { Database } from '../../../platform/db.ts';
import { deleteUser, findUserByEmail, lockUser, plainEmail } from '../users.store.ts';
import { type EndGrants, leaveCompany } from './leave-company.ts';
import { hasOtherOwner, isOnlyMember, listCompanyIds, roleOf } from './members.store.ts';

/** How many companies are read at a time. */
const batch = 100;

export type Erased =
  | { user_id: string; left_companies: number }
  | { refused: 'nobody' }
  /** `company_ids`: they have other people, and no other owner. */
  | { refused: 'last owner'; company_ids: string[] };

/**
 * Takes the person out of their companies, one after another, and then deletes who they are: name, address, password, factors,
 * sessions and links. Whoever runs it again after it broke off goes on where it was. A company whose only person this was
 * stays, without people. What companies have written down stays too: their audit logs, and keys that the person made.
 */
export async function eraseByOperator(
  db: Database,
  address: string,
  endGrants: EndGrants,
  now: Date,
): Promise<Erased> {
  const user = await findUserByEmail(db.index, plainEmail(address));
  if (!user) return { refused: 'nobody' };
  const kept = await companiesKept(db, user.id);
  if (kept.length > 0) return { refused: 'last owner', company_ids: kept };
  let left_companies = 0;
  while (!(await eraseWithoutCompanies(db, user.id)))
    for (const company_id of await listCompanyIds(db.index, user.id, batch)) {
      const is_out = await db.transaction(company_id, (tx) =>
        leave(tx, { company_id, user_id: user.id }, endGrants, now),
      );
      // Another owner left meanwhile.
      if (!is_out) return { refused: 'last owner', company_ids: [company_id] };
      left_companies += 1;
    }
  return { user_id: user.id, left_companies };
}

/** Companies that would have people and no owner. */
async function companiesKept(db: Database, user_id: string): Promise<string[]> {
  const kept: string[] = [];
  for (const company_id of await listCompanyIds(db.index, user_id, Number.MAX_SAFE_INTEGER))
    if (await db.read(company_id, (tx) => isLastOwner(tx, company_id, user_id))) kept.push(company_id);
  return kept;
}

async function isLastOwner(tx: Tx, company_id: string, user_id: string): Promise<boolean> {
  if ((await roleOf(tx, user_id, company_id)) !== 'owner') return false;
  return !(await hasOtherOwner(tx, company_id, user_id)) && !(await isOnlyMember(tx, company_id, user_id));
}

/** @returns false, and changes nothing, where the company would have people and no owner */
async function leave(
  tx: Tx,
  { company_id, user_id }: { company_id: string; user_id: string },
  endGrants: EndGrants,
  now: Date,
): Promise<boolean> {
  await lockCompanyRow(tx, company_id);
  if (await isLastOwner(tx, company_id, user_id)) return false;
  const role = await roleOf(tx, user_id, company_id);
  const ended = await leaveCompany(tx, { company_id, user_id }, endGrants, now);
  // Without a role, only the note of where to look for one was left.
  if (role === undefined) return true;
  const details = { role, ...ended, reason: 'account_erased' };
  const entry = { action: 'member.removed', object: 'user', object_id: user_id, details };
  await insertAudit(tx, company_id, operator, [entry], now);
  return true;
}

/** Whoever joins or founds a company meanwhile waits for the account. @returns false while there is a company */
function eraseWithoutCompanies(db: Database, user_id: string): Promise<boolean> {
  return db.indexTransaction(async (tx: Sql) => {
    await lockUser(tx, user_id);
    if ((await listCompanyIds(tx, user_id, 1)).length > 0) return false;
    await deleteUser(tx, user_id);
    return true;
  });
}
