/**
 * `/oauth/authorize`: checks what an application asks, has the person sign in, asks them, and sends the browser back. Nothing is
 * stored before they approve.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { OAuthRefusal } from '../../domain/oauth/refusal.ts';
import { isSensitive } from '../../domain/oauth/scopes.ts';
import { networkOf } from '../../kernel/ip-ranges.ts';
import type { Ports } from '../../kernel/ports.ts';
import { newId } from '../../kernel/uuid7.ts';
import type { Clock } from '../../platform/clock.ts';
import type { SharePort } from '../../platform/share-owners.ts';
import { countInWindow, type WindowCount } from '../../platform/window-count.ts';
import { type Guard, makeGuard, type Session, type Visitor } from '../people/guard.ts';
import { type BodyBounds, bodyBounds, formBodies, readBodiesAsBytes } from '../rest/read-body.ts';
import { problemHeaders, toProblem } from '../rest/respond.ts';
import { type AuthorizeAnswers, makeAuthorizeAnswers } from './authorize-answers.ts';
import {
  type AuthorizeRequest,
  readAuthorizeRequest,
  readPrompts,
  redirectOf,
  type ReturnAddress,
  stateOf,
} from './authorize-request.ts';
import type { OAuthClient } from './client-authentication.ts';
import { changedIn, choiceName, placeAsked, placeNames, queryMax, withChoice } from './consent-choice.ts';
import { consentPage, type Memberships } from './consent-page.ts';
import { readParameters } from './parameters.ts';
import { openChoice, openRequest, sealChoice, type SealedRequest, sealRequest } from './sealed-request.ts';

export type AuthorizeParts = {
  clock: Clock;
  ports: Pick<Ports, 'oauth' | 'people' | 'secrets'>;
  public_url: () => string;
  shares: SharePort;
  body_bounds?: Partial<BodyBounds> | undefined;
};

const formMax = 32_768;
/** Of one network in a minute. */
const visitsMax = 120;

const formNames = ['csrf', 'request', 'company', 'environment', 'decision'];

const denied = { error: 'access_denied', error_description: 'The person did not allow it.' } as const;

type Around = AuthorizeParts & { guard: Guard; answers: AuthorizeAnswers; visits: WindowCount };

type Asked = { client: OAuthClient; asked: AuthorizeRequest };
/** Where to tell the application what is wrong. */
type Refused = { client: OAuthClient; refused: OAuthRefusal; address: ReturnAddress };

/** @param app a plugin of its own: it reads forms and no JSON */
export function registerAuthorize(app: FastifyInstance, parts: AuthorizeParts): void {
  const { ports, public_url, shares, body_bounds } = parts;
  const guard = makeGuard({ people: ports.people, public_url });
  const answers = makeAuthorizeAnswers({ public_url, base: guard.base });
  const around: Around = { ...parts, guard, answers, visits: countInWindow(visitsMax) };
  const senderOf = (request: FastifyRequest) => `network ${networkOf(request.ip)}`;
  readBodiesAsBytes(app, { ...bodyBounds, ...body_bounds }, shares, formBodies, senderOf);
  app.setErrorHandler((error, request, reply) => {
    const problem = toProblem(error);
    const { status } = problem.def;
    if (status >= 500) request.log.error({ err: error }, 'authorize failed');
    const name = status === 429 ? 'wait' : status < 500 ? 'foreign' : 'unavailable';
    return answers.notice(request, reply.headers(problemHeaders(problem)), status, name);
  });
  app.get('/oauth/authorize', (request, reply) => ask(around, request, reply));
  app.post('/oauth/authorize', { bodyLimit: formMax }, (request, reply) => takeForm(around, request, reply));
}

async function ask(around: Around, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { answers, guard, ports, clock } = around;
  if (isHeldBack(around, request, reply)) return answers.notice(request, reply, 429, 'wait');
  const query = request.url.split('?').slice(1).join('?');
  const visitor = await guard.visitorOf(request, reply);
  const { session } = visitor;
  // Only who has signed in may have a document fetched.
  const toSignIn = () => answers.goTo(reply, '/sign-in', asksLogin(query) ? without(query, 'prompt') : query);
  if (!session && namesDocument(query)) return toSignIn();
  const read = await readAsked(around, request, reply, query);
  if (!read) return reply;
  // Anybody can write a client's document and choose its address, so only a person who has signed in is sent there (RFC
  // 9700, 4.11.2).
  if ('refused' in read)
    return session || read.client.host === null ? tell(answers, reply, read) : toSignIn();
  if (!session) return toSignIn();
  if (read.asked.asks_login) return answers.goTo(reply, '/confirm', without(query, 'prompt'));
  const memberships = await ports.people.listMemberships(session.user_id);
  const parameters = readParameters(query);
  const place = placeAsked(parameters, memberships, placeNames);
  const choice = openChoice(ports.secrets, parameters.get(choiceName), session, clock.now());
  const company_id = place?.company_id ?? memberships[0]?.company.company_id;
  const none = () => answers.notice(request, reply, 403, 'no_company', session.language);
  if (company_id === undefined) return none();
  const made_at = clock.now().getTime();
  const environment = place?.environment ?? 'live';
  const sealed = { query, request_id: newId(), made_at, company_id, environment } as const;
  const changed = choice?.changed ?? [];
  const is_shown = await show(around, reply, { ...read, visitor, session, memberships, sealed, changed });
  return is_shown ? reply : none();
}

async function takeForm(around: Around, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { answers, guard, ports, clock } = around;
  if (isHeldBack(around, request, reply)) return answers.notice(request, reply, 429, 'wait');
  const form = readParameters(Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '');
  const visitor = await guard.visitorOf(request, reply);
  const { session } = visitor;
  if (!guard.isOurs(request, visitor, form.get('csrf')))
    return answers.notice(request, reply, 403, 'foreign');
  const sealed = session && openRequest(ports.secrets, form.get('request'), session, clock.now());
  if (!session || !sealed || form.repeated(formNames) !== undefined)
    return answers.notice(request, reply, 400, 'expired', session?.language);
  const read = await readAsked(around, request, reply, sealed.query);
  if (!read) return reply;
  if ('refused' in read) return tell(answers, reply, read);
  if (form.get('decision') === 'deny') return deny(around, request, reply, { ...read, session, sealed });
  const memberships = await ports.people.listMemberships(session.user_id);
  const place = placeAsked(form, memberships);
  const beyond = () => answers.notice(request, reply, 400, 'beyond', session.language);
  if (!place) return beyond();
  const is_shown = place.company_id === sealed.company_id && place.environment === sealed.environment;
  // A macro is not on the page.
  const approved = form.all('scope').map((name) => name.replace('.', ':'));
  if (form.get('decision') === 'allow' && is_shown)
    return allow(around, request, reply, { ...read, session, sealed, approved });
  // The answered page did not show what can be granted in this company.
  const offered = (await ports.oauth.findOffers(session.user_id, sealed, read.asked.scopes)) ?? [];
  const could_tick = offered.filter(({ refusal }) => refusal === null).map(({ scope }) => scope);
  const changed = changedIn(could_tick, approved);
  const shown = { ...read, visitor, session, memberships, sealed: { ...sealed, ...place }, changed };
  return (await show(around, reply, shown)) ? reply : beyond();
}

function isHeldBack({ clock, visits }: Around, request: FastifyRequest, reply: FastifyReply): boolean {
  const [name, now] = [networkOf(request.ip), clock.now()];
  const seconds = visits.blockedFor(name, now);
  if (seconds > 0) reply.header('Retry-After', String(seconds));
  else visits.add(name, now);
  return seconds > 0;
}

function tell(answers: AuthorizeAnswers, reply: FastifyReply, { refused, address }: Refused): FastifyReply {
  return answers.sendBack(reply, address, { error: refused.error, error_description: refused.description });
}

/** Whoever signs in proves themselves by that: they are not asked twice. */
function asksLogin(query: string): boolean {
  const prompts = readPrompts(readParameters(query));
  return prompts.includes('login') && !prompts.includes('none');
}

function namesDocument(query: string): boolean {
  const [client_id, another] = readParameters(query).all('client_id');
  return another === undefined && query.length <= queryMax && client_id?.startsWith('https://') === true;
}

/** @returns undefined after an answer was sent */
async function readAsked(
  { answers, ports, public_url }: Around,
  request: FastifyRequest,
  reply: FastifyReply,
  query: string,
): Promise<Asked | Refused | undefined> {
  const parameters = readParameters(query);
  const [client_id, another] = parameters.all('client_id');
  const is_one = client_id !== undefined && another === undefined && query.length <= queryMax;
  const client = is_one ? await ports.oauth.findClient(client_id, request.ip) : undefined;
  const redirect_uri = client && redirectOf(parameters, client);
  if (!client || redirect_uri === undefined) {
    const is_document = client_id?.startsWith('https://');
    answers.notice(request, reply, 400, client ? 'redirect' : is_document ? 'document' : 'client');
    return undefined;
  }
  const address = { redirect_uri, state: stateOf(parameters) };
  try {
    return { client, asked: readAuthorizeRequest(parameters, client, address, public_url()) };
  } catch (error) {
    if (!(error instanceof OAuthRefusal)) throw error;
    return { client, refused: error, address };
  }
}

type Shown = Asked & {
  visitor: Visitor;
  session: Session;
  memberships: Memberships;
  sealed: SealedRequest;
  /** Scopes whose box is not as the page first shows it. */
  changed: readonly string[];
};

/** @returns false, and sends nothing, where the person has no role any more */
async function show(around: Around, reply: FastifyReply, shown: Shown): Promise<boolean> {
  const { guard, ports } = around;
  const { client, asked, visitor, session, memberships, sealed, changed } = shown;
  const { company_id, environment } = sealed;
  const place = { company_id, environment };
  const offers = await ports.oauth.findOffers(session.user_id, place, asked.scopes);
  if (!offers) return false;
  const page = consentPage({
    language: session.language,
    base: guard.base(),
    client,
    asked,
    person: session.name,
    memberships,
    place,
    offers,
    changed,
    csrf: guard.csrfOf(visitor),
    request: sealRequest(ports.secrets, sealed, session),
  });
  reply.code(200).headers(page.headers).send(page.text);
  return true;
}

type Allowed = Asked & { session: Session; sealed: SealedRequest; approved: readonly string[] };

async function deny(
  { answers, ports }: Around,
  request: FastifyRequest,
  reply: FastifyReply,
  { asked, session, sealed }: Omit<Allowed, 'approved'>,
): Promise<FastifyReply> {
  const denial = { request_id: sealed.request_id, user: { id: session.user_id, name: session.name } };
  await ports.oauth.deny(denial, { ip: request.ip, request_id: request.id });
  return answers.sendBack(reply, asked, denied);
}

async function allow(
  around: Around,
  request: FastifyRequest,
  reply: FastifyReply,
  { client, asked, session, sealed, approved }: Allowed,
): Promise<FastifyReply> {
  const { answers, clock, ports } = around;
  if (approved.length === 0) return deny(around, request, reply, { client, asked, session, sealed });
  if (approved.some(isSensitive) && !ports.people.isProved(session)) {
    const choice = { made_at: clock.now().getTime(), changed: changedIn(asked.scopes, approved) };
    return answers.goTo(reply, '/confirm', withChoice(sealed, sealChoice(ports.secrets, choice, session)));
  }
  const { company_id, environment, request_id } = sealed;
  const consent = {
    company_id,
    environment,
    request_id,
    user: { id: session.user_id, name: session.name },
    session_id: session.id,
    client: { client_id: client.client_id, name: client.name, host: client.host },
    audience: asked.audience,
    redirect_uri: asked.redirect_uri,
    code_challenge: asked.code_challenge,
    asked: asked.scopes,
    approved,
  };
  const made = await ports.oauth.approve(consent, { ip: request.ip, request_id: request.id });
  if ('code' in made) return answers.sendBack(reply, asked, { code: made.code });
  return answers.notice(request, reply, 400, made.refused, session.language);
}

function without(query: string, name: string): string {
  const parameters = new URLSearchParams(query);
  parameters.delete(name);
  return parameters.toString();
}
