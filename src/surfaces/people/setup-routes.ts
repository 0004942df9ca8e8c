/** The first set-up: person and company together, or a person for a company that the command line made. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Desk, goTo, placeOf, send, tokenOf, type Visit } from './desk.ts';
import { type Faults, type Form, passwordFaults, personFaults } from './forms.ts';
import { firstKeyPath, readyPage, type SetupTyped, setupPage } from './pages.ts';

type Companies = Awaited<ReturnType<Desk['people']['listCompanies']>>;
type Chosen = Exclude<ReturnType<Desk['people']['prepareCompany']>, unknown[]> | string;

export function addSetup(scope: FastifyInstance, desk: Desk): void {
  const { people, guard } = desk;

  async function show(visit: Visit): Promise<FastifyReply> {
    const { request, reply, around } = visit;
    if (!(await people.findLink('setup', tokenOf(request)))) return desk.gone(visit);
    return send(reply, 200, setupPage(around, await people.listCompanies(), { faults: [] }));
  }

  async function take(visit: Visit, form: Form): Promise<FastifyReply> {
    const { request, reply, around } = visit;
    const link = tokenOf(request);
    if (!(await people.findLink('setup', link))) return desk.over(visit, 'setup');
    const companies = await people.listCompanies();
    const typed = typedIn(form);
    const { password } = form;
    const again = (faults: Faults) => send(reply, 422, setupPage(around, companies, { typed, faults }));
    const chosen = choose(desk, typed, companies);
    const about = { ...typed, company_name: chosen.name };
    const faults = [...personFaults(typed), ...passwordFaults(people, password, about), ...chosen.faults];
    const { company } = chosen;
    if (faults.length > 0 || company === undefined) return again(faults);
    const { language } = around;
    const newcomer = { ...typed, ...placeOf(request), language, password, request_id: request.id };
    const joined = await people.setUp(link, newcomer, company);
    if ('refused' in joined)
      return joined.refused === 'gone' ? desk.over(visit, 'setup') : again(['email_taken']);
    guard.keepSession(reply, joined.token);
    const { company_id } = joined;
    if (typeof company === 'string')
      return goTo(reply, `${around.base}/dashboard${firstKeyPath(company_id)}`);
    const keys = { live: company.live_key, test: company.test_key };
    const ready = { name: chosen.name, company_id, keys, public_url: desk.public_url() };
    return send(reply, 200, readyPage(around, ready));
  }

  desk.link(scope, '/setup', { kind: 'setup', show, take });
}

function typedIn({ text }: Form): SetupTyped {
  return {
    name: text('name'),
    email: text('email'),
    company: text('company') || 'new',
    company_name: text('company_name'),
    tax_id: text('tax_id'),
  };
}

function choose(
  { people }: Desk,
  { company, company_name, tax_id }: SetupTyped,
  companies: Companies,
): { name: string; company?: Chosen | undefined; faults: Faults } {
  if (company !== 'new') {
    const known = companies.find(({ company_id }) => company_id === company);
    return { name: known?.name ?? '', company: known?.company_id, faults: known ? [] : ['company'] };
  }
  const prepared = people.prepareCompany({ name: company_name, tax_id });
  if (Array.isArray(prepared)) return { name: company_name, faults: prepared };
  // Two companies of one tax id have two chains of records at the authority, which is seldom meant.
  const is_taken = companies.some((known) => known.tax_id === prepared.request.tax_id);
  return is_taken
    ? { name: company_name, faults: ['tax_id_taken'] }
    : { name: company_name, company: prepared, faults: [] };
}
