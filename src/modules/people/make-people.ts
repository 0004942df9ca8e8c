import { parseSpanishTaxId } from '../../domain/spain/tax-id.ts';
import { findTenant } from '../../platform/company-row.ts';
import type { Database } from '../../platform/db.ts';
import { isCompanyName, listFewCompanies, prepareCompany } from '../companies/index.ts';
import { makeAccountLog } from './account/account-log.ts';
import { type AccountMailParts, makeAccountMail } from './mail/account-mail.ts';
import { makeChangeAccount } from './account/change-account.ts';
import { makeFactors } from './factors/factors.ts';
import { acceptInvitation, foundCompany, joinByInvitation, setUp, signUp } from './members/join.ts';
import { findLink, isUsedLink } from './links.ts';
import { makeMessages } from './mail/messages.ts';
import { makeOwnAccount } from './account/own-account.ts';
import { makePasskeys } from './factors/passkeys.ts';
import { findPersonCaller, lostBy, makeListMemberships } from './members/person-caller.ts';
import type { PeoplePort } from './ports.ts';
import { passwordFault } from './rules/password.ts';
import { proofMs } from './rules/session-life.ts';
import { endSession, sessionOf } from './sign-in/sessions.ts';
import { makeSignIn } from './sign-in/sign-in.ts';
import { findEmail } from './users.store.ts';

/** With more, none can be taken over. */
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
  const messages = makeMessages({ ...parts, sql, mail });
  const account_log = makeAccountLog({ db, ...parts });
  const change = makeChangeAccount({ db, clock, tellByMail: messages.tell, mail, account_log });
  const passkeys = makePasskeys({ sql, clock, form_keys, public_url: parts.public_url });
  const factors = makeFactors({ sql, secrets, clock, form_keys, passkeys, change });
  const { signIn, halfOwner, finishSignIn, signInByPasskey, confirm } = makeSignIn({
    sql,
    factors,
    passkeys,
    form_keys,
  });

  const listMemberships = makeListMemberships(db);

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
    isUsedLink: (kind, token) => isUsedLink(sql, kind, token),
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
    foundCompany: (company, person, said) =>
      foundCompany({ db, secrets, listMemberships }, company, person, said, clock.now()),
    joinByInvitation: (link, person) => joinByInvitation(db, link, person, clock.now()),
    features: { mail: mailer.is_configured, sign_up: opens_sign_up && mailer.is_configured },
    mail,
    account_log,
    ...messages.asked,
    ...makeOwnAccount({ sql, clock, change }),
    signUp: (link, typed, company) => signUp(db, link, typed, company, clock.now()),
    listCompanies: () => listFewCompanies(db, companiesMax),
    listMemberships,
    emailOf: (user_id) => findEmail(sql, user_id),
    callerIn: (person, company_id) => findPersonCaller(db, person, company_id, clock.now()),
    lostBy: (tx, company_id, who) => lostBy(tx, company_id, who, clock.now()),
  };
}
