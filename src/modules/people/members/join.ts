/** How somebody becomes a person with a role: by the first set-up, an invitation, an account of their own, or whoever runs the service. */
import { type AuditActor, insertAudit, operator } from '../../../platform/audit.ts';
import { findTenant, lockCompanyRow } from '../../../platform/company-row.ts';
import type { Database } from '../../../platform/db.ts';
import type { IdempotencyClaim, Tx } from '../../../kernel/operation.ts';
import { newId } from '../../../kernel/uuid7.ts';
import { latestVersion } from '../../../kernel/versions.ts';
import {
  claimKey,
  findAnswerAmong,
  hashRequest,
  readyAnswers,
  storeAnswer,
} from '../../../platform/idempotency.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import { storedFrom } from '../../../platform/stored-answers.ts';
import { insertPrepared, type PreparedCompany } from '../../companies/index.ts';
import { queueAccountEmail } from '../mail/account-emails.ts';
import { queueEntries } from '../account/account-entries.ts';
import type { InSession } from '../account/change-account.ts';
import { changeEmail } from '../mail/account-mail.ts';
import { dropFactors } from '../factors/factors.store.ts';
import { dropInvitationsOf } from './invitations.store.ts';
import { findLink, makeLink, useLink, useSetupLink } from '../links.ts';
import { hasOwner, insertMember, listCompanyIds, roleOf } from './members.store.ts';
import type { Membership } from './person-caller.ts';
import { hashPassword } from '../sign-in/passwords.ts';
import type { Role } from '../rules/roles.ts';
import { hasSession, openSession, type Place } from '../sign-in/sessions.ts';
import {
  dropPassword,
  findEmail,
  findUserByEmail,
  insertUser,
  type Language,
  lockName,
  lockUser,
  plainEmail,
} from '../users.store.ts';

export type Newcomer = Place & {
  name: string;
  email: string;
  language: Language;
  password: string;
  request_id: string;
};

/** `gone`: the link does not open, or the company is not there; `taken`: the address is somebody's. */
export type Joined = { token: string; company_id: string } | { refused: 'gone' | 'taken' };

/** Rolls back. */
class Refused extends Error {
  readonly why: 'gone' | 'taken';
  constructor(why: 'gone' | 'taken') {
    super(why);
    this.why = why;
  }
}

type Joining = {
  company_id: string;
  role: Role;
  /** Uses the link. */
  use(tx: Tx): Promise<boolean>;
  prepared?: PreparedCompany;
};

async function join(db: Database, newcomer: Newcomer, joining: Joining, now: Date): Promise<Joined> {
  const { password, ...rest } = newcomer;
  return joinHashed(db, { ...rest, password_hash: await hashPassword(password) }, joining, now);
}

/** Apart, so that tests hash a password once for all persons. */
export async function joinHashed(
  db: Database,
  newcomer: Omit<Newcomer, 'password'> & { password_hash: string },
  joining: Joining,
  now: Date,
): Promise<Joined> {
  const { company_id, role, prepared } = joining;
  const { name, language, ip, user_agent, request_id, password_hash } = newcomer;
  const user = { id: newId(), name, language, email: plainEmail(newcomer.email), password_hash };
  const actor: AuditActor = {
    kind: 'user',
    id: user.id,
    name,
    key_id: null,
    user_id: user.id,
    ip,
    request_id,
  };
  try {
    const token = await db.transaction(company_id, async (tx) => {
      if (!(await joining.use(tx))) throw new Refused('gone');
      if (!(await insertUser(tx, user, now))) throw new Refused('taken');
      if (prepared) await insertPrepared(tx, prepared, actor, now);
      else if ((await findTenant(tx, company_id))?.environment !== 'live') throw new Refused('gone');
      await addMember(tx, { company_id, user_id: user.id, role }, actor, now);
      const who = { user_id: user.id, password_set_at: now, amr: ['pwd'], ip, user_agent };
      const opened = await openSession(tx, who, now);
      if (opened === undefined) throw new Error('A new person could not be signed in.');
      return opened;
    });
    return { token, company_id };
  } catch (error) {
    if (error instanceof Refused) return { refused: error.why };
    throw error;
  }
}

async function addMember(
  tx: Tx,
  member: { company_id: string; user_id: string; role: Role },
  actor: AuditActor,
  now: Date,
): Promise<boolean> {
  const is_new = await insertMember(tx, member, now);
  const { company_id, user_id, role } = member;
  const entry = { action: 'member.added', object: 'user', object_id: user_id, details: { role } };
  if (is_new) await insertAudit(tx, company_id, actor, [entry], now);
  return is_new;
}

/**
 * The first person of the installation, and owner.
 * @param company a new one, or the id of a live one
 * @throws 503 service_unavailable
 */
export function setUp(
  db: Database,
  link: string,
  newcomer: Newcomer,
  company: PreparedCompany | string,
  now: Date,
): Promise<Joined> {
  const use = (tx: Tx) => useSetupLink(tx, link, now);
  const joining =
    typeof company === 'string'
      ? { company_id: company }
      : { company_id: company.company_id, prepared: company };
  return join(db, newcomer, { ...joining, role: 'owner', use }, now);
}

/** @throws 503 service_unavailable */
export async function acceptInvitation(
  db: Database,
  link: string,
  typed: Omit<Newcomer, 'email'>,
  now: Date,
): Promise<Joined> {
  const found = await findLink(db.index, 'invitation', link, now);
  if (!found?.company_id || !found.email || !found.role) return { refused: 'gone' };
  const { company_id, role, email } = found;
  // Asked before hashing: the link of a taken address stays open, so a form could be sent without end.
  if (await findUserByEmail(db.index, email)) return { refused: 'taken' };
  const use = (tx: Tx) => useInvitation(tx, { company_id, email }, link, now);
  return join(db, { ...typed, email }, { company_id, role, use }, now);
}

/**
 * Somebody whom nobody invited, with a company of their own.
 * @throws 503 service_unavailable
 */
export async function signUp(
  db: Database,
  link: string,
  typed: Omit<Newcomer, 'email'>,
  prepared: PreparedCompany,
  now: Date,
): Promise<Joined> {
  const found = await findLink(db.index, 'sign_up', link, now);
  if (!found?.email) return { refused: 'gone' };
  const { company_id } = prepared;
  if (await findUserByEmail(db.index, found.email)) return { refused: 'taken' };
  const use = (tx: Tx) => useLink(tx, 'sign_up', link, now);
  return join(db, { ...typed, email: found.email }, { company_id, prepared, role: 'owner', use }, now);
}

/**
 * Any other invitation of the address goes as well: an owner and whoever runs the service may both have invited it. The company's row is
 * locked first, as in every change of who belongs to it.
 */
async function useInvitation(
  tx: Tx,
  { company_id, email }: { company_id: string; email: string },
  link: string,
  now: Date,
): Promise<boolean> {
  await lockCompanyRow(tx, company_id);
  if (!(await useLink(tx, 'invitation', link, now))) return false;
  await dropInvitationsOf(tx, company_id, email);
  return true;
}

/**
 * For somebody who is signed in with an account.
 * @returns false when the link does not open for them
 */
export async function joinByInvitation(
  db: Database,
  link: string,
  person: { user_id: string; name: string; ip: string; request_id: string },
  now: Date,
): Promise<boolean> {
  const found = await findLink(db.index, 'invitation', link, now);
  if (!found?.company_id || !found.email || !found.role) return false;
  const { company_id, role, email } = found;
  const { user_id, name, ip, request_id } = person;
  if ((await findUserByEmail(db.index, email))?.id !== user_id) return false;
  const actor: AuditActor = { kind: 'user', id: user_id, name, key_id: null, user_id, ip, request_id };
  return db.transaction(company_id, async (tx) => {
    if ((await findTenant(tx, company_id))?.environment !== 'live') return false;
    // The company first, as in `inviteByOperator`.
    await lockCompanyRow(tx, company_id);
    if (!(await lockUser(tx, user_id))) return false;
    if (!(await useInvitation(tx, { company_id, email }, link, now))) return false;
    await addMember(tx, { company_id, user_id, role }, actor, now);
    return true;
  });
}

/** A person with this many companies makes no other. */
export const companiesOfPersonMax = 50;

/** With its first keys, which are shown to its founder alone. */
export type MadeCompany = Pick<PreparedCompany, 'company_id' | 'live_key' | 'test_key'>;

export type Founded = 'too_many' | 'duplicate' | { made: MadeCompany; is_replay: boolean };

/** What of it was said beside the company. */
export type Founding = { allow_duplicate: boolean; idempotency_key: string | null };

type FoundingParts = {
  db: Database;
  secrets: SecretBox;
  listMemberships(user_id: string): Promise<Membership[]>;
};

/**
 * A person with an account makes another company and owns it. Of companies made at once with one tax id, or one idempotency key, one is
 * made: what came since the person's companies were read has them read again.
 * @throws 409 idempotency_key_reused
 */
export async function foundCompany(
  { db, secrets, listMemberships }: FoundingParts,
  prepared: PreparedCompany,
  person: Founder,
  { allow_duplicate, idempotency_key }: Founding,
  now: Date,
): Promise<Founded> {
  const { user_id } = person;
  const { name, tax_id } = prepared.request;
  const claim =
    idempotency_key === null ? null : claimOf(user_id, idempotency_key, { name, tax_id, allow_duplicate });
  const is_compared = claim !== null || !allow_duplicate;
  for (;;) {
    const seen = new Set(await listCompanyIds(db.index, user_id, companiesOfPersonMax));
    const known = is_compared ? await listMemberships(user_id) : [];
    const before = claim && (await findMade({ db, secrets }, user_id, known, claim, now));
    if (before) return { made: before, is_replay: true };
    if (!allow_duplicate && known.some(({ company }) => company.tax_id === tax_id)) return 'duplicate';
    const insert = async (tx: Tx) => {
      const founded = await insertFounded(tx, prepared, person, is_compared ? seen : null, now);
      if (founded === 'made' && claim) await keepMade(tx, prepared, claim, secrets, now);
      return founded;
    };
    // A new company has a share of the connections, and whoever makes fifty at once would have fifty.
    const founded = await db.transaction(prepared.company_id, insert, { of_person: user_id });
    if (founded === 'made') return { made: madeOf(prepared), is_replay: false };
    if (founded !== 'seen_too_early') return founded;
  }
}

/**
 * It lies among the keys of the company that was made, which may have other owners by now with the same key. No key of a caller on the
 * wire has a line feed.
 */
const claimOf = (user_id: string, key: string, body: object): IdempotencyClaim => ({
  key: `founding\n${user_id}\n${key}`,
  operation: 'found_company',
  body_hash: hashRequest(`found_company of user ${user_id}`, { params: null, query: null, body }),
  version: latestVersion,
});

const madeOf = ({ company_id, live_key, test_key }: PreparedCompany): MadeCompany => ({
  company_id,
  live_key,
  test_key,
});

/** A refusal is kept nowhere: it has no company, and made nothing. */
async function keepMade(
  tx: Tx,
  prepared: PreparedCompany,
  claim: IdempotencyClaim,
  secrets: SecretBox,
  now: Date,
): Promise<void> {
  const { company_id } = prepared;
  await claimKey(tx, company_id, claim, secrets, now);
  const [ready] = await readyAnswers(tx, [storedFrom({ status: 200, body: madeOf(prepared) })]);
  await storeAnswer(tx, company_id, claim.key, ready!, secrets, true);
}

/** Among those of which they are an owner: somebody with a lesser role is shown no keys. */
async function findMade(
  { db, secrets }: Pick<FoundingParts, 'db' | 'secrets'>,
  user_id: string,
  known: readonly Membership[],
  claim: IdempotencyClaim,
  now: Date,
): Promise<MadeCompany | null> {
  const owned = known.filter(({ role }) => role === 'owner').map(({ company }) => company.company_id);
  // Whoever has more makes none.
  const ids = owned.slice(-companiesOfPersonMax);
  if (ids.length === 0) return null;
  const read = (tx: Tx) => findAnswerAmong(tx, ids, claim, secrets, now);
  const stored = await db.read(ids[0]!, read, { of_person: user_id });
  return stored?.kind === 'answer' ? (stored.body as MadeCompany) : null;
}

/** They may wait for their account while somebody ends their session. */
type Founder = InSession & { name: string; ip: string; request_id: string };

async function insertFounded(
  tx: Tx,
  prepared: PreparedCompany,
  { user_id, session_id, gone, name, ip, request_id }: Founder,
  seen: ReadonlySet<string> | null,
  now: Date,
): Promise<'made' | 'too_many' | 'seen_too_early'> {
  const actor: AuditActor = { kind: 'user', id: user_id, name, key_id: null, user_id, ip, request_id };
  // Companies made at once are counted one after the other.
  await tx`select 1 from users where id = ${user_id} for update`;
  if (!(await hasSession(tx, { user_id, id: session_id }, now))) throw gone();
  const known = await listCompanyIds(tx, user_id, companiesOfPersonMax);
  if (known.length >= companiesOfPersonMax) return 'too_many';
  if (seen && known.some((id) => !seen.has(id))) return 'seen_too_early';
  await insertPrepared(tx, prepared, actor, now);
  await addMember(tx, { company_id: prepared.company_id, user_id, role: 'owner' }, actor, now);
  return 'made';
}

export type Invited = { link: string } | { added: true } | { refused: 'no company' | 'member' | 'no owner' };

/** Somebody with an account becomes a member at once. The first member must be an owner: there is always one. */
export async function inviteByOperator(
  db: Database,
  invited: { company_id: string; email: string; role: Role },
  now: Date,
): Promise<Invited> {
  const { company_id, role } = invited;
  const email = plainEmail(invited.email);
  const company = await db.read(company_id, (tx) => findTenant(tx, company_id));
  if (company?.environment !== 'live') return { refused: 'no company' };
  if (role !== 'owner' && !(await db.read(company_id, (tx) => hasOwner(tx, company_id))))
    return { refused: 'no owner' };
  const user = await findUserByEmail(db.index, email);
  if (!user) return { link: await makeLink(db.index, { kind: 'invitation', company_id, email, role }, now) };
  const added = await db.transaction(company_id, async (tx) => {
    await lockCompanyRow(tx, company_id);
    if (!(await lockUser(tx, user.id))) return 'erased';
    if (await roleOf(tx, user.id, company_id)) return { refused: 'member' as const };
    await dropInvitationsOf(tx, company_id, email);
    await addMember(tx, { company_id, user_id: user.id, role }, operator, now);
    return { added: true as const };
  });
  // Nobody has the address any more.
  return added === 'erased' ? inviteByOperator(db, invited, now) : added;
}

/**
 * @param options.drops_factors also forgets the application of codes, the passkeys and the recovery codes, for somebody who lost them all, and the
 *   password, which would be enough by itself until the link is used
 * @param options.mail seals the message that tells the person of it; null where no mail server is configured
 * @returns undefined when nobody has the address
 */
export async function resetByOperator(
  db: Database,
  email: string,
  now: Date,
  { drops_factors = false, mail = null }: { drops_factors?: boolean; mail?: SecretBox | null } = {},
): Promise<string | undefined> {
  const user = await findUserByEmail(db.index, plainEmail(email));
  if (!user) return undefined;
  return db.indexTransaction(async (tx) => {
    if (drops_factors) {
      const user_name = await lockName(tx, user.id);
      await dropFactors(tx, user.id, now);
      // Somebody else may have the password, and the factors alone kept them out.
      await dropPassword(tx, user.id, now);
      const wanted = { user_id: user.id, user_name, act: 'factors_reset', actor: 'operator' } as const;
      await queueEntries(tx, wanted, now);
      const told = await changeEmail(tx, user.id, await findEmail(tx, user.id), 'factors_reset');
      if (mail && told) await queueAccountEmail(tx, mail, told, now);
    }
    return makeLink(tx, { kind: 'reset', user_id: user.id }, now);
  });
}
