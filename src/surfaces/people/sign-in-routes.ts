/** Signing in and out, and the proof that somebody is still there. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Desk, goTo, placeOf, send, type Visit } from './desk.ts';
import { accountPage, confirmPage, signInPage } from './pages.ts';
import { readReturnTo } from './return-to.ts';
import { peopleWords } from './words.ts';

export function addSignIn(scope: FastifyInstance, desk: Desk): void {
  const offers = desk.people.features;
  desk.get(scope, '/sign-in', async ({ request, reply, visitor: { session }, around }) => {
    const { return_to: asked, done } = request.query as Record<string, string | undefined>;
    const return_to = readReturnTo(single(asked));
    if (session && return_to) return goTo(reply, return_to);
    if (session) {
      const memberships = await desk.people.listMemberships(session.user_id);
      return send(reply, 200, accountPage(around, session.name, memberships));
    }
    const told = done === 'reset' ? peopleWords[around.language].reset_done : undefined;
    return send(reply, 200, signInPage(around, { told, return_to, offers }));
  });

  desk.post(scope, '/sign-in', async ({ request, reply, visitor, around }, form) => {
    const email = form.text('email');
    const return_to = readReturnTo(form.text('return_to'));
    const proof = await desk.people.signIn({ ...placeOf(request), email, password: form.password });
    if ('token' in proof) {
      if (visitor.token !== undefined) await desk.people.endSession(visitor.token);
      desk.guard.keepSession(reply, proof.token);
      return goTo(reply, return_to ?? `${around.base}/sign-in`);
    }
    const words = peopleWords[around.language];
    const [status, refusal] = refusalOf(reply, proof, words.wrong, words.too_many);
    return send(reply, status, signInPage(around, { email, refusal, return_to, offers }));
  });

  desk.post(scope, '/sign-out', async ({ reply, visitor, around }) => {
    if (visitor.token !== undefined) await desk.people.endSession(visitor.token);
    desk.guard.dropSession(reply);
    return goTo(reply, `${around.base}/sign-in`);
  });
}

export function addConfirm(scope: FastifyInstance, desk: Desk): void {
  const toSignIn = ({ request, reply, around }: Visit) =>
    goTo(reply, `${around.base}/sign-in?return_to=${encodeURIComponent(`${around.base}${request.url}`)}`);

  desk.get(scope, '/confirm', async (visit) => {
    const { session } = visit.visitor;
    if (!session) return toSignIn(visit);
    const return_to = readReturnTo(single((visit.request.query as Record<string, string>).return_to));
    return send(visit.reply, 200, confirmPage(visit.around, { name: session.name, return_to }));
  });

  desk.post(scope, '/confirm', async (visit, { text, password }) => {
    const { request, reply, around } = visit;
    const { session, token } = visit.visitor;
    if (!session || token === undefined) return toSignIn(visit);
    const return_to = readReturnTo(text('return_to'));
    const proof = await desk.people.confirm(session, token, { ...placeOf(request), password });
    if ('token' in proof) {
      desk.guard.keepSession(reply, proof.token);
      return goTo(reply, return_to ?? `${around.base}/sign-in`);
    }
    const words = peopleWords[around.language];
    const [status, refusal] = refusalOf(reply, proof, words.wrong_password, words.too_many);
    return send(reply, status, confirmPage(around, { name: session.name, refusal, return_to }));
  });
}

/** Of a parameter that came once. */
const single = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** Status and text of a proof that failed. */
function refusalOf(
  reply: FastifyReply,
  proof: { wrong: true } | { wait_seconds: number },
  wrong: string,
  too_many: (minutes: number) => string,
): [status: number, text: string] {
  if ('wrong' in proof) return [422, wrong];
  reply.header('Retry-After', String(proof.wait_seconds));
  return [429, too_many(Math.ceil(proof.wait_seconds / 60))];
}
