/** Signing in and out, and the proof that somebody is still there. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Form, refusalOf } from './forms.ts';
import { leadOn, pageOf, passkeyOptions, readPasskey, returnToOf } from './second-factor-routes.ts';
import { type Desk, goTo, placeOf, send, type Stray, type Take, type Visit } from './desk.ts';
import { accountPage, confirmPage, signInPage } from './pages.ts';
import { leadingOn, readReturnTo } from './return-to.ts';
import type { Session } from './guard.ts';
import { peopleWords } from './words.ts';

export function addSignIn(scope: FastifyInstance, desk: Desk): void {
  const offers = desk.people.features;
  desk.get(scope, '/sign-in', async (visit) => {
    const { request, reply, around } = visit;
    const { session } = visit.visitor;
    const { return_to: asked, done } = request.query as Record<string, string | undefined>;
    const return_to = readReturnTo(single(asked));
    if (session && return_to) return goTo(reply, return_to);
    if (session) {
      const memberships = await desk.people.listMemberships(session.user_id);
      return send(reply, 200, accountPage(around, session.name, memberships));
    }
    const told = done === 'reset' ? peopleWords[around.language].reset_done : undefined;
    const options = await passkeyOptions(desk, visit);
    return send(reply, 200, signInPage(around, { told, return_to, options, offers }));
  });

  const take: Take = async (visit, form) => {
    const { request, reply, visitor, around } = visit;
    const email = form.text('email');
    const return_to = readReturnTo(form.text('return_to'));
    const proof = await desk.people.signIn({ ...placeOf(request), email, password: form.password });
    if ('token' in proof) {
      if (visitor.token !== undefined) await desk.people.endSession(visitor.token);
      desk.guard.keepSession(reply, proof.token);
      return goTo(reply, return_to ?? `${around.base}/dashboard`);
    }
    if ('half' in proof) {
      desk.guard.keepHalf(reply, proof.half);
      return goTo(reply, `${around.base}/sign-in/second-factor${leadingOn(return_to)}`);
    }
    const words = peopleWords[around.language];
    const options = await passkeyOptions(desk, visit);
    const [status, refusal] = refusalOf(reply, proof, words.wrong, words.too_many);
    return send(reply, status, signInPage(around, { email, refusal, return_to, options, offers }));
  };
  desk.post(scope, '/sign-in', take, { stray: leadOn(desk, returnToOf) });

  const signOut: Take = async (visit, form) => {
    if (visit.visitor.token !== undefined) await desk.people.endSession(visit.visitor.token);
    desk.guard.dropSession(visit.reply);
    return toSignIn(visit, form);
  };
  desk.post(scope, '/sign-out', signOut, { stray: orForeign(desk, signOut) });
}

export function addConfirm(scope: FastifyInstance, desk: Desk): void {
  const toSignInFirst = ({ request, reply, around }: Visit) =>
    goTo(reply, `${around.base}/sign-in?return_to=${encodeURIComponent(`${around.base}${request.url}`)}`);

  /** What somebody must show, beside the password or in place of it. */
  async function asked(visit: Visit, { user_id, name, confirmed_at }: Session) {
    const { totp, passkeys } = await desk.people.factors.view(user_id);
    const options = passkeys.length > 0 ? await passkeyOptions(desk, visit, user_id) : null;
    const email = await desk.people.emailOf(user_id);
    const proved_at = String(confirmed_at.getTime());
    return { name, email, proved_at, asks_code: totp || passkeys.length > 0, options };
  }

  /** Whether the session was proved after the page of this form was made, and not long ago. */
  const isProvedSince = (form: Form, session: Session) => {
    const text = form.text('proved_at');
    return (
      /^\d{1,15}$/.test(text) &&
      session.confirmed_at.getTime() > Number(text) &&
      desk.people.isProved(session)
    );
  };

  desk.get(scope, '/confirm', async (visit) => {
    const { session } = visit.visitor;
    if (!session) return toSignInFirst(visit);
    const return_to = readReturnTo(single((visit.request.query as Record<string, string>).return_to));
    return send(visit.reply, 200, confirmPage(visit.around, { ...(await asked(visit, session)), return_to }));
  });

  const take: Take = async (visit, form) => {
    const { request, reply, around } = visit;
    const { session, token } = visit.visitor;
    if (!session || token === undefined) return toSignIn(visit, form);
    const return_to = readReturnTo(form.text('return_to'));
    const onward = () => goTo(reply, return_to ?? `${around.base}/dashboard`);
    // The button was pressed twice. A code or passkey counts once, and the first press has shown it.
    if (isProvedSince(form, session)) return onward();
    const passkey = readPasskey(form);
    const typed = passkey
      ? { passkey, page: pageOf(visit) }
      : { password: form.password, code: form.text('code') };
    const proof = await desk.people.confirm(session, token, { ...placeOf(request), ...typed });
    if ('token' in proof) {
      desk.guard.keepSession(reply, proof.token);
      return onward();
    }
    // Both were under way: the first has given the session another value, which the browser knows by now.
    if ('wrong' in proof && !(await desk.people.sessionOf(token))) return toSignIn(visit, form);
    const words = peopleWords[around.language];
    const page = await asked(visit, session);
    const wrong = page.asks_code ? words.wrong_proof : words.wrong_password;
    const [status, refusal] = refusalOf(reply, proof, wrong, words.too_many);
    return send(reply, status, confirmPage(around, { ...page, refusal, return_to }));
  };
  desk.post(scope, '/confirm', take, { stray: orForeign(desk, take) });
}

/**
 * A form of a session that has ended: a button was pressed twice, and a browser shows the second answer; or the page was open for longer.
 * @param take does nothing for who is not in, but leads them on
 */
const orForeign =
  (desk: Desk, take: Take): Stray =>
  (visit, form) =>
    visit.visitor.session ? desk.notice(visit.request, visit.reply, 403, 'foreign') : take(visit, form);

const toSignIn = ({ reply, around }: Visit, form: Form): FastifyReply =>
  goTo(reply, `${around.base}/sign-in${leadingOn(readReturnTo(form.text('return_to')))}`);

/** Of a parameter that came once. */
const single = (value: unknown) => (typeof value === 'string' ? value : undefined);
