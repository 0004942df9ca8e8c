import { parseSpanishTaxId } from '../../domain/spain/tax-id.ts';
import { findTenant } from '../../platform/company-row.ts';
import { commonErrors as c } from '../../kernel/common.errors.ts';
import { fail } from '../../kernel/problem.ts';
import { countAuthFailures } from '../../platform/auth-failures.ts';
import type { Database } from '../../platform/db.ts';
import { isCompanyName, listFewCompanies, prepareCompany } from '../companies/index.ts';
import { type AccountChange, queueAccountEmail } from './account-emails.ts';
import { type AccountMailParts, changeEmail, makeAccountMail } from './account-mail.ts';
import { makeFactors } from './factors.ts';
import { acceptInvitation, foundCompany, joinByInvitation, setUp, signUp } from './join.ts';
import { findLink, resetByLink } from './links.ts';
import { hashPassword } from './passwords.ts';
import { findPersonCaller, listMemberships } from './person-caller.ts';
import type { PeoplePort } from './ports.ts';
import { makePasskeys } from './passkeys.ts';
import { proofMs } from './rules/session-life.ts';
import { passwordFault } from './rules/password.ts';
import {
  endOtherSessions,
  endSession,
  endSessionById,
  listSessions,
  renewSession,
  sessionOf,
} from './sessions.ts';
import { makeSignIn } from './sign-in.ts';
import { spendTry } from './tries.ts';
import { changeProfile, findEmail, findUser, plainEmail, setPassword } from './users.store.ts';

/** More are not offered to take over. */
const companiesMax = 50;

export type PeopleParts = Omit<AccountMailParts, 'sql'> & {
  db: Database;
  form_keys: readonly Buffer[];
  opens_sign_up: boolean;
};

export function makePeople({ db, form_keys, opens_sign_up, ...parts }: PeopleParts): PeoplePort {
  const { clock, secrets, mailer } = parts;
  const sql = db.index;
  const mail = makeAccountMail({ ...parts, sql });
  // Each message asked for counts, whoever has the address.
  const asked_from = countAuthFailures();
  const passkeys = makePasskeys({ sql, clock, form_keys, public_url: parts.public_url });
  const factors = makeFactors({ sql, secrets, clock, form_keys, passkeys, tell });
  const { signIn, halfOwner, finishSignIn, signInByPasskey, confirm } = makeSignIn({
    sql,
    factors,
    passkeys,
    form_keys,
  });

  /** Somebody else may have done it. */
  async function tell(user_id: string, change: AccountChange): Promise<void> {
    if (!mailer.is_configured) return;
    const email = await changeEmail(sql, user_id, await findEmail(sql, user_id), change);
    if (email) await queueAccountEmail(sql, secrets, email, clock.now());
    mail.wake();
  }

  return {
    form_keys,
    sessionOf: (token) => sessionOf(sql, token, clock.now()),
    endSession: (token) => endSession(sql, token),
    signIn: (typed) => signIn(typed, clock.now()),
    confirm: (session, token, typed) => confirm(session, token, typed, clock.now()),
    halfOwner: (half) => halfOwner(half, clock.now()),
    finishSignIn: (half, second, place) => finishSignIn(half, second, place, clock.now()),
    signInByPasskey: (answer, page, place) => signInByPasskey(answer, page, place, clock.now()),
    factors,
    passkeys,
    isProved: ({ confirmed_at }) => clock.now().getTime() - confirmed_at.getTime() <= proofMs,
    async findLink(kind, token) {
      const link = await findLink(sql, kind, token, clock.now());
      if (!link) return undefined;
      const { company_id } = link;
      const company = company_id && (await db.read(company_id, (tx) => findTenant(tx, company_id)));
      return { ...link, company_name: company ? company.name : null };
    },
    passwordFault,
    prepareCompany({ name, tax_id }) {
      const faults = [
        ...(isCompanyName(name) ? [] : ['company_name' as const]),
        ...(parseSpanishTaxId(tax_id) ? [] : ['tax_id' as const]),
      ];
      if (faults.length > 0) return faults;
      return prepareCompany({ name, tax_id, plan: 'free', parent_id: null, api_version: null });
    },
    setUp: (link, newcomer, company) => setUp(db, link, newcomer, company, clock.now()),
    acceptInvitation: (link, typed) => acceptInvitation(db, link, typed, clock.now()),
    foundCompany: (company, person) => foundCompany(db, company, person, clock.now()),
    joinByInvitation: (link, person) => joinByInvitation(db, link, person, clock.now()),
    async resetPassword(token, password) {
      const link = await findLink(sql, 'reset', token, clock.now());
      const user = link?.user_id ? await findUser(sql, link.user_id) : undefined;
      if (!user) return 'gone';
      const fault = passwordFault(password, { name: user.name, email: await findEmail(sql, user.id) });
      if (fault) return fault;
      const done = await resetByLink(sql, token, await hashPassword(password), clock.now());
      if (done === undefined) return 'gone';
      await tell(done, 'password');
      return 'done';
    },
    features: { mail: mailer.is_configured, sign_up: opens_sign_up && mailer.is_configured },
    mail,
    invitationAddress: (token) => `${parts.public_url()}/invitation/${token}`,
    async queueInvitation(tx, invitation) {
      if (!mailer.is_configured) return false;
      const now = clock.now();
      const tried = { what: 'message', email: invitation.to } as const;
      if ((await spendTry(tx, tried, now)) > 0) return false;
      return queueAccountEmail(tx, secrets, { kind: 'invitation', ...invitation }, now);
    },
    async askByMail({ kind, email, language, ip }) {
      const now = clock.now();
      const here = asked_from.blockedFor(ip, now);
      if (here > 0) return { wait_seconds: here };
      asked_from.failed(ip, now);
      const to = plainEmail(email);
      // Who asked too often gets the same answer: it would tell who else asks for the address.
      if ((await spendTry(sql, { what: 'message', email: to }, now)) > 0) return 'sent';
      if (!(await queueAccountEmail(sql, secrets, { kind, to, language }, now)))
        throw fail(c.service_unavailable, { retry_after_seconds: 60 });
      mail.wake();
      return 'sent';
    },
    signUp: (link, typed, company) => signUp(db, link, typed, company, clock.now()),
    listCompanies: () => listFewCompanies(db, companiesMax),
    changeProfile: (user_id, to) => changeProfile(sql, user_id, to, clock.now()),
    async changePassword({ user_id, name }, token, password) {
      const fault = passwordFault(password, { name, email: await findEmail(sql, user_id) });
      if (fault) return fault;
      const password_hash = await hashPassword(password);
      const now = clock.now();
      // First: whatever ends after it, no session of before counts.
      await setPassword(sql, user_id, password_hash, now);
      const renewed = await renewSession(sql, token, now);
      const session = renewed === undefined ? undefined : await sessionOf(sql, renewed, now);
      if (session) await endOtherSessions(sql, user_id, session.id);
      await tell(user_id, 'password');
      return renewed === undefined ? 'gone' : { token: renewed };
    },
    listSessions: (user_id, this_id) => listSessions(sql, user_id, this_id, clock.now()),
    endSessionById: (user_id, id) => endSessionById(sql, user_id, id),
    endOtherSessions: (user_id, this_id) => endOtherSessions(sql, user_id, this_id),
    async spendCodeTry(user_id) {
      const seconds = await spendTry(sql, { what: 'second factor', email: user_id }, clock.now());
      if (seconds > 0)
        throw fail(c.too_many_auth_failures, { retry_after_seconds: seconds, values: { seconds } });
    },
    listMemberships: (user_id) => listMemberships(db, user_id),
    emailOf: (user_id) => findEmail(sql, user_id),
    callerIn: (person, company_id) => findPersonCaller(db, person, company_id, clock.now()),
  };
}
