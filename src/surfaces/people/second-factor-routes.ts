/** The second proof after the password, and signing in by passkey alone. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Ports } from '../../kernel/ports.ts';
import { type Desk, goTo, placeOf, send, type Stray, type Take, type Visit } from './desk.ts';
import { type Form, refusalOf } from './forms.ts';
import { secondFactorPage, signInPage } from './pages.ts';
import { leadingOn, readReturnTo } from './return-to.ts';
import { peopleWords } from './words.ts';

type PasskeyAnswer = Parameters<Ports['people']['signInByPasskey']>[0];

/** As the script of the page sends it; the module checks what it says. */
export function readPasskey(form: Form): PasskeyAnswer | undefined {
  try {
    const read: unknown = JSON.parse(form.text('response'));
    return typeof read === 'object' && read !== null ? (read as PasskeyAnswer) : undefined;
  } catch {
    return undefined;
  }
}

/** Which page asks for a passkey. */
export const pageOf = ({ request, visitor }: Visit) => ({
  bound_to: visitor.bound_to,
  host: request.headers.host,
});

/** Options for the script; null where browsers know no passkeys of this address. */
export async function passkeyOptions(desk: Desk, visit: Visit, user_id?: string): Promise<string | null> {
  const { passkeys } = desk.people;
  const page = pageOf(visit);
  if (!passkeys.isOffered(page)) return null;
  return JSON.stringify(await passkeys.requestOptions(page, user_id));
}

export const returnToOf = (_visit: Visit, form: Form) => readReturnTo(form.text('return_to'));

/**
 * For a form to sign in that was sent from before a session: its button was pressed twice, and a browser shows the second answer; or
 * somebody signed in in another tab. Where they go on, the page says who it is.
 */
export const leadOn =
  (desk: Desk, returnTo: (visit: Visit, form: Form) => string | undefined): Stray =>
  (visit, form) =>
    visit.visitor.session
      ? goTo(visit.reply, `${visit.around.base}/sign-in${leadingOn(returnTo(visit, form))}`)
      : desk.notice(visit.request, visit.reply, 403, 'foreign');

export function addSecondFactor(scope: FastifyInstance, desk: Desk): void {
  const { people, guard } = desk;
  const toSignIn = ({ reply, around }: Visit) => goTo(reply, `${around.base}/sign-in`);
  const query = ({ request }: Visit, name: string) => {
    const value = (request.query as Record<string, unknown>)[name];
    return typeof value === 'string' ? value : undefined;
  };

  async function show(visit: Visit, status: number, refusal?: string): Promise<FastifyReply> {
    const half = guard.halfOf(visit.request);
    const user_id = half === undefined ? undefined : people.halfOwner(half);
    if (user_id === undefined) return toSignIn(visit);
    const factors = await people.factors.view(user_id);
    const options = factors.passkeys.length > 0 ? await passkeyOptions(desk, visit, user_id) : null;
    return send(visit.reply, status, secondFactorPage(visit.around, { refusal, options }));
  }

  desk.get(scope, '/sign-in/second-factor', (visit) => show(visit, 200));

  const takeSecond: Take = async (visit, form) => {
    const { request, reply, around } = visit;
    const half = guard.halfOf(request);
    if (half === undefined) return toSignIn(visit);
    const passkey = readPasskey(form);
    const second = passkey ? { passkey, page: pageOf(visit) } : { code: form.text('code') };
    const proof = await people.finishSignIn(half, second, placeOf(request));
    if ('over' in proof || 'half' in proof) {
      guard.dropHalf(reply);
      return toSignIn(visit);
    }
    if ('token' in proof) return enter(visit, proof.token, readReturnTo(query(visit, 'return_to')));
    const words = peopleWords[around.language];
    const [status, refusal] = refusalOf(reply, proof, words.wrong_code, words.too_many);
    return show(visit, status, refusal);
  };
  desk.post(scope, '/sign-in/second-factor', takeSecond, {
    stray: leadOn(desk, (visit) => readReturnTo(query(visit, 'return_to'))),
  });

  const takePasskey: Take = async (visit, form) => {
    const { request, reply, around } = visit;
    const passkey = readPasskey(form);
    const return_to = readReturnTo(form.text('return_to'));
    const words = peopleWords[around.language];
    const proof = passkey
      ? await people.signInByPasskey(passkey, pageOf(visit), placeOf(request))
      : ({ wrong: true } as const);
    if ('token' in proof) return enter(visit, proof.token, return_to);
    const [status, refusal] = refusalOf(reply, proof, words.wrong_passkey, words.too_many);
    const options = await passkeyOptions(desk, visit);
    return send(reply, status, signInPage(around, { refusal, return_to, options, offers: people.features }));
  };
  desk.post(scope, '/sign-in/passkey', takePasskey, { stray: leadOn(desk, returnToOf) });

  async function enter(visit: Visit, token: string, return_to: string | undefined): Promise<FastifyReply> {
    const { reply, visitor, around } = visit;
    if (visitor.token !== undefined) await people.endSession(visitor.token);
    guard.dropHalf(reply);
    guard.keepSession(reply, token);
    return goTo(reply, return_to ?? `${around.base}/dashboard`);
  }
}
