import { parseSpanishTaxId } from '../../domain/spain/tax-id.ts';
import type { Clock } from '../../platform/clock.ts';
import { findTenant } from '../../platform/company-row.ts';
import type { Database } from '../../platform/db.ts';
import { isCompanyName, listFewCompanies, prepareCompany } from '../companies/index.ts';
import { acceptInvitation, setUp } from './join.ts';
import { findLink, resetByLink } from './links.ts';
import { hashPassword } from './passwords.ts';
import { listMemberships } from './person-caller.ts';
import type { PeoplePort } from './ports.ts';
import { passwordFault } from './rules/password.ts';
import { endSession, sessionOf } from './sessions.ts';
import { makeSignIn } from './sign-in.ts';
import { findEmail, findUser } from './users.store.ts';

/** More are not offered to take over. */
const companiesMax = 50;

export function makePeople(db: Database, clock: Clock, form_keys: readonly Buffer[]): PeoplePort {
  const sql = db.index;
  const { signIn, confirm } = makeSignIn(sql);
  return {
    form_keys,
    sessionOf: (token) => sessionOf(sql, token, clock.now()),
    endSession: (token) => endSession(sql, token),
    signIn: (typed) => signIn(typed, clock.now()),
    confirm: (session, token, typed) => confirm(session, token, typed, clock.now()),
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
    async resetPassword(token, password) {
      const link = await findLink(sql, 'reset', token, clock.now());
      const user = link?.user_id ? await findUser(sql, link.user_id) : undefined;
      if (!user) return 'gone';
      const fault = passwordFault(password, { name: user.name, email: await findEmail(sql, user.id) });
      if (fault) return fault;
      const done = await resetByLink(sql, token, await hashPassword(password), clock.now());
      return done === undefined ? 'gone' : 'done';
    },
    listCompanies: () => listFewCompanies(db, companiesMax),
    listMemberships: (user_id) => listMemberships(db, user_id),
  };
}
