/** Where an invitation leads, and the link for a new password. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Desk, goTo, placeOf, send, tokenOf, type Visit } from './desk.ts';
import { type Faults, type Form, passwordFaults, personFaults } from './forms.ts';
import type { Visitor } from './guard.ts';
import { invitationPage, joinPage, resetPage } from './pages.ts';

export function addInvitation(scope: FastifyInstance, desk: Desk): void {
  const { people, guard } = desk;

  async function find(token: string) {
    const link = await people.findLink('invitation', token);
    if (!link?.email || !link.role) return undefined;
    const { email, role, company_id, company_name } = link;
    return { email, role, company_id, company: company_name ?? company_id ?? '' };
  }

  async function show(visit: Visit): Promise<FastifyReply> {
    const link = await find(tokenOf(visit.request));
    if (!link) return desk.gone(visit);
    const { around, reply, visitor } = visit;
    if (await isTheirs(visitor, link.email)) return send(reply, 200, joinPage(around, link));
    return send(reply, 200, invitationPage(around, link, { faults: [], ...wayOn(visit) }));
  }

  /** For somebody who has another account than that of this session, or a session of none. */
  const wayOn = ({ around, request, visitor }: Visit) => ({
    return_to: `${around.base}${request.url}`,
    signed_in: visitor.session?.name,
  });

  /** Whether who is signed in has the address of the invitation. */
  async function isTheirs({ session }: Visitor, email: string): Promise<boolean> {
    return session !== undefined && (await people.emailOf(session.user_id)) === email;
  }

  async function joinAs(
    visit: Visit,
    { user_id, name }: { user_id: string; name: string },
    company_id: string | null,
  ) {
    const { request, reply, around } = visit;
    const person = { user_id, name, ip: request.ip, request_id: request.id };
    const is_in = await people.joinByInvitation(tokenOf(request), person);
    // Without its id the dashboard opens the company that they had open last.
    return is_in
      ? goTo(reply, `${around.base}/dashboard/${company_id ?? ''}`)
      : desk.over(visit, 'invitation');
  }

  async function take(visit: Visit, { text, password }: Form): Promise<FastifyReply> {
    const { request, reply, visitor, around } = visit;
    const link = await find(tokenOf(request));
    if (!link) return desk.over(visit, 'invitation');
    if (await isTheirs(visitor, link.email)) return joinAs(visit, visitor.session!, link.company_id);
    const about = { name: text('name'), email: link.email, company_name: link.company };
    const again = (faults: Faults) =>
      send(reply, 422, invitationPage(around, link, { name: about.name, faults, ...wayOn(visit) }));
    const faults = [...personFaults(about), ...passwordFaults(people, password, about)];
    if (faults.length > 0) return again(faults);
    const { language } = around;
    const typed = { name: about.name, password, language, ...placeOf(request), request_id: request.id };
    const joined = await people.acceptInvitation(tokenOf(request), typed);
    if ('refused' in joined)
      return joined.refused === 'gone' ? desk.over(visit, 'invitation') : again(['email_taken']);
    if (visitor.token !== undefined) await people.endSession(visitor.token);
    guard.keepSession(reply, joined.token);
    return goTo(reply, `${around.base}/dashboard`);
  }

  desk.link(scope, '/invitation', { kind: 'invitation', show, take });
}

export function addReset(scope: FastifyInstance, desk: Desk): void {
  const { people, guard } = desk;

  /** @returns undefined where the link opens nothing */
  async function emailBehind(token: string): Promise<string | undefined> {
    const link = await people.findLink('reset', token);
    return link?.user_id ? people.emailOf(link.user_id) : undefined;
  }

  async function show(visit: Visit): Promise<FastifyReply> {
    const email = await emailBehind(tokenOf(visit.request));
    return email ? send(visit.reply, 200, resetPage(visit.around, email, [])) : desk.gone(visit);
  }

  async function take(visit: Visit, { password }: Form): Promise<FastifyReply> {
    const { request, reply, around } = visit;
    const token = tokenOf(request);
    const email = await emailBehind(token);
    const outcome = email ? await people.resetPassword(token, password) : 'gone';
    if (!email || outcome === 'gone') return desk.gone(visit);
    if (outcome !== 'done') return send(reply, 422, resetPage(around, email, [`password_${outcome}`]));
    guard.dropSession(reply);
    return goTo(reply, `${around.base}/sign-in?done=reset`);
  }

  desk.link(scope, '/reset', { kind: 'reset', show, take });
}
