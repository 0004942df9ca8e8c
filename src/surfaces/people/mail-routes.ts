/** Pages that end with a message: a forgotten password, and an account of one's own. They say the same for every address. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { isEmailAddress } from '../../domain/email-address.ts';
import { type Desk, placeOf, send, tokenOf, type Visit } from './desk.ts';
import { type Faults, type Form, passwordFaults, personFaults } from './forms.ts';
import { askPage, readyPage, signUpPage } from './pages.ts';
import { peopleWords } from './words.ts';

type Kind = 'forgotten' | 'sign_up';

export function addForgotten(scope: FastifyInstance, desk: Desk): void {
  addAsking(scope, desk, '/sign-in/forgot', 'forgotten', () => desk.people.features.mail);
}

export function addSignUp(scope: FastifyInstance, desk: Desk): void {
  const { people, guard } = desk;
  addAsking(scope, desk, '/sign-up', 'sign_up', () => people.features.sign_up);

  const find = async ({ request }: Visit) => {
    if (!people.features.sign_up) return undefined;
    const link = await people.findLink('sign_up', tokenOf(request));
    return link?.email ?? undefined;
  };

  async function show(visit: Visit): Promise<FastifyReply> {
    const email = await find(visit);
    return email ? send(visit.reply, 200, signUpPage(visit.around, { email, faults: [] })) : desk.gone(visit);
  }

  async function take(visit: Visit, { text, password }: Form): Promise<FastifyReply> {
    const { request, reply, visitor, around } = visit;
    const email = await find(visit);
    if (!email) return desk.over(visit, 'sign_up');
    const typed = { name: text('name'), company_name: text('company_name'), tax_id: text('tax_id') };
    const again = (faults: Faults) => send(reply, 422, signUpPage(around, { email, typed, faults }));
    const company = people.prepareCompany({ name: typed.company_name, tax_id: typed.tax_id });
    const faults = [
      ...personFaults({ name: typed.name, email }),
      ...passwordFaults(people, password, { ...typed, email }),
      ...(Array.isArray(company) ? company : []),
    ];
    if (faults.length > 0 || Array.isArray(company)) return again(faults);
    const { language } = around;
    const newcomer = { name: typed.name, password, language, ...placeOf(request), request_id: request.id };
    const joined = await people.signUp(tokenOf(request), newcomer, company);
    if ('refused' in joined)
      return joined.refused === 'gone' ? desk.over(visit, 'sign_up') : again(['email_taken']);
    if (visitor.token !== undefined) await people.endSession(visitor.token);
    guard.keepSession(reply, joined.token);
    const keys = { live: company.live_key, test: company.test_key };
    const { company_id } = joined;
    const ready = { name: typed.company_name, company_id, keys, public_url: desk.public_url() };
    return send(reply, 200, readyPage(around, ready));
  }

  desk.link(scope, '/sign-up/confirm', { kind: 'sign_up', show, take });
}

/** A page that asks for an address. */
function addAsking(
  scope: FastifyInstance,
  desk: Desk,
  path: string,
  kind: Kind,
  isOpen: () => boolean,
): void {
  const closed = ({ request, reply }: Visit) => desk.notice(request, reply, 404, `${kind}_closed`);

  desk.get(scope, path, (visit) =>
    isOpen() ? send(visit.reply, 200, askPage(visit.around, kind, {})) : closed(visit),
  );

  desk.post(scope, path, async (visit, { text }) => {
    if (!isOpen()) return closed(visit);
    const { request, reply, around } = visit;
    const email = text('email');
    const words = peopleWords[around.language];
    const again = (status: number, refusal: string) =>
      send(reply, status, askPage(around, kind, { email, refusal }));
    if (!isEmailAddress(email)) return again(422, words.faults.email);
    const { language } = around;
    const asked = await desk.people.askByMail({ kind, email, language, ip: request.ip });
    if (asked === 'sent') return desk.notice(request, reply, 200, `${kind}_sent`);
    reply.header('Retry-After', String(asked.wait_seconds));
    return again(429, words.too_many(Math.ceil(asked.wait_seconds / 60)));
  });
}
