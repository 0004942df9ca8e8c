/**
 * `/oauth/authorize`: checks what an application asks, has the person sign in, asks them, and sends the browser back. Nothing is
 * stored before they approve: the form holds the request sealed, for their session and ten minutes.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '../../kernel/ip-ranges.ts';
import type { Environment } from '../../kernel/operation.ts';
import type { Ports } from '../../kernel/ports.ts';
import { newId } from '../../kernel/uuid7.ts';
import { withParameters } from '../../domain/oauth/redirect-uris.ts';
import { OAuthRefusal } from '../../domain/oauth/refusal.ts';
import { isSensitive } from '../../domain/oauth/scopes.ts';
import type { Clock } from '../../platform/clock.ts';
import type { SharePort } from '../../platform/share-owners.ts';
import { countInWindow } from '../../platform/window-count.ts';
import { makeGuard, type Session, type Visitor } from '../people/guard.ts';
import { languageOf, pageHeaders, type PageLanguage } from '../people/frame.ts';
import { type BodyBounds, bodyBounds, formBodies, readBodiesAsBytes } from '../rest/read-body.ts';
import { problemHeaders, toProblem } from '../rest/respond.ts';
import {
  type AuthorizeRequest,
  readAuthorizeRequest,
  redirectOf,
  type ReturnAddress,
  stateOf,
} from './authorize-request.ts';
import type { OAuthClient } from './client-authentication.ts';
import { consentPage, type Memberships, noticePage } from './consent-page.ts';
import type { NoticeName } from './consent-words.ts';
import { type Parameters, readParameters } from './parameters.ts';

export type AuthorizeParts = {
  clock: Clock;
  ports: Pick<Ports, 'oauth' | 'people' | 'secrets'>;
  public_url: () => string;
  shares: SharePort;
  body_bounds?: Partial<BodyBounds> | undefined;
};

const queryMax = 8000;
const formMax = 32_768;
/** Of one network in a minute. */
const visitsMax = 120;
/** How long a form may be answered, and how old a proof may be for what is sensitive. */
const formMs = 10 * 60_000;
const proofMs = 10 * 60_000;

const formNames = ['csrf', 'request', 'company', 'environment', 'decision'];

/** What the form carries sealed. */
type Sealed = {
  query: string;
  request_id: string;
  made_at: number;
  /** What the page showed. */
  company_id: string;
  environment: Environment;
};

type Asked = { client: OAuthClient; asked: AuthorizeRequest };

/** @param app a plugin of its own: it reads forms and no JSON */
export function registerAuthorize(app: FastifyInstance, parts: AuthorizeParts): void {
  const { clock, ports, public_url } = parts;
  const guard = makeGuard({ people: ports.people, public_url });
  const visits = countInWindow(visitsMax);
  const senderOf = (request: FastifyRequest) => `network ${networkOf(request.ip)}`;
  readBodiesAsBytes(app, { ...bodyBounds, ...parts.body_bounds }, parts.shares, formBodies, senderOf);

  const notice = (
    request: FastifyRequest,
    reply: FastifyReply,
    status: number,
    name: NoticeName,
    chosen?: PageLanguage,
  ) => {
    const page = noticePage(name, languageOf(chosen, request.headers['accept-language']), guard.base());
    return reply.code(status).headers(page.headers).send(page.text);
  };

  app.setErrorHandler((error, request, reply) => {
    const problem = toProblem(error);
    const { status } = problem.def;
    if (status >= 500) request.log.error({ err: error, request_id: request.id }, 'authorize failed');
    return notice(
      request,
      reply.headers(problemHeaders(problem)),
      status,
      status < 500 ? 'foreign' : 'unavailable',
    );
  });

  const isHeldBack = (request: FastifyRequest, reply: FastifyReply): boolean => {
    const [name, now] = [networkOf(request.ip), clock.now()];
    const seconds = visits.blockedFor(name, now);
    if (seconds > 0) reply.header('Retry-After', String(seconds));
    else visits.add(name, now);
    return seconds > 0;
  };

  /** @returns undefined after an answer was sent */
  async function readAsked(
    request: FastifyRequest,
    reply: FastifyReply,
    query: string,
  ): Promise<Asked | undefined> {
    const parameters = readParameters(query);
    const client = query.length > queryMax ? undefined : await clientOf(parameters, request.ip);
    if (!client) {
      notice(request, reply, 400, 'client');
      return undefined;
    }
    const redirect_uri = redirectOf(parameters, client);
    if (redirect_uri === undefined) {
      notice(request, reply, 400, 'redirect');
      return undefined;
    }
    const address = { redirect_uri, state: stateOf(parameters) };
    try {
      return { client, asked: readAuthorizeRequest(parameters, client, address, public_url()) };
    } catch (error) {
      if (!(error instanceof OAuthRefusal)) throw error;
      sendBack(reply, address, { error: error.error, error_description: error.description });
      return undefined;
    }
  }

  async function clientOf(parameters: Parameters, ip: string): Promise<OAuthClient | undefined> {
    const [client_id, another] = parameters.all('client_id');
    return client_id === undefined || another !== undefined
      ? undefined
      : ports.oauth.findClient(client_id, ip);
  }

  /** RFC 6749, 4.1.2, and RFC 9207: the answer says who gave it. */
  function sendBack(
    reply: FastifyReply,
    { redirect_uri, state }: ReturnAddress,
    answer: Record<string, string>,
  ): FastifyReply {
    const told = { ...answer, ...(state === null ? {} : { state }), iss: public_url() };
    return reply
      .code(303)
      .headers({ ...pageHeaders, Location: withParameters(redirect_uri, told) })
      .send();
  }

  const goTo = (reply: FastifyReply, page: string, query: string) => {
    const return_to = `/oauth/authorize?${query}`;
    return reply
      .code(303)
      .headers({ ...pageHeaders, Location: `${guard.base()}${page}?${new URLSearchParams({ return_to })}` })
      .send();
  };

  type Shown = Asked & { visitor: Visitor; session: Session; memberships: Memberships; sealed: Sealed };

  async function show(reply: FastifyReply, shown: Shown): Promise<FastifyReply | undefined> {
    const { client, asked, visitor, session, memberships, sealed } = shown;
    const { company_id, environment } = sealed;
    const place = { company_id, environment };
    const offers = await ports.oauth.findOffers(session.user_id, place, asked.scopes);
    if (!offers) return undefined;
    const page = consentPage({
      language: session.language,
      base: guard.base(),
      client,
      asked,
      person: session.name,
      memberships,
      place,
      offers,
      csrf: guard.csrfOf(visitor),
      request: ports.secrets.seal(JSON.stringify(sealed), placeOf(session)).toString('base64url'),
    });
    return reply.code(200).headers(page.headers).send(page.text);
  }

  app.get('/oauth/authorize', async (request, reply) => {
    if (isHeldBack(request, reply)) return notice(request, reply, 429, 'wait');
    const query = request.url.split('?').slice(1).join('?');
    const read = await readAsked(request, reply, query);
    if (!read) return reply;
    const visitor = await guard.visitorOf(request, reply);
    const { session } = visitor;
    if (!session) return goTo(reply, '/sign-in', query);
    if (read.asked.asks_login) return goTo(reply, '/confirm', without(query, 'prompt'));
    const memberships = await ports.people.listMemberships(session.user_id);
    const first = memberships[0];
    if (!first) return notice(request, reply, 403, 'no_company', session.language);
    const sealed: Sealed = {
      query,
      request_id: newId(),
      made_at: clock.now().getTime(),
      company_id: first.company.company_id,
      environment: 'live',
    };
    const sent = await show(reply, { ...read, visitor, session, memberships, sealed });
    return sent ?? notice(request, reply, 403, 'no_company', session.language);
  });

  app.post('/oauth/authorize', { bodyLimit: formMax }, async (request, reply) => {
    if (isHeldBack(request, reply)) return notice(request, reply, 429, 'wait');
    const form = readParameters(Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '');
    const visitor = await guard.visitorOf(request, reply);
    const { session } = visitor;
    if (!guard.isOurs(request, visitor, form.get('csrf'))) return notice(request, reply, 403, 'foreign');
    const sealed = session && openSealed(form.get('request'), session);
    if (!session || !sealed || form.repeated(formNames) !== undefined)
      return notice(request, reply, 400, 'expired', session?.language);
    const read = await readAsked(request, reply, sealed.query);
    if (!read) return reply;
    if (form.get('decision') === 'deny') return sendBack(reply, read.asked, denied);
    const memberships = await ports.people.listMemberships(session.user_id);
    const place = placeAsked(form, memberships);
    if (!place) return notice(request, reply, 400, 'beyond', session.language);
    const is_shown = place.company_id === sealed.company_id && place.environment === sealed.environment;
    if (form.get('decision') !== 'allow' || !is_shown) {
      const sent = await show(reply, {
        ...read,
        visitor,
        session,
        memberships,
        sealed: { ...sealed, ...place },
      });
      return sent ?? notice(request, reply, 400, 'beyond', session.language);
    }
    return allow(request, reply, { ...read, session, sealed, approved: form.all('scope') });
  });

  async function allow(
    request: FastifyRequest,
    reply: FastifyReply,
    given: Asked & { session: Session; sealed: Sealed; approved: readonly string[] },
  ): Promise<FastifyReply> {
    const { client, asked, session, sealed } = given;
    const now = clock.now();
    // Macros are not on the page, nor is anything that is unknown.
    const approved = given.approved.map((name) => name.replace('.', ':'));
    if (approved.length === 0) return sendBack(reply, asked, denied);
    const is_proved = now.getTime() - session.confirmed_at.getTime() <= proofMs;
    if (approved.some(isSensitive) && !is_proved) return goTo(reply, '/confirm', sealed.query);
    const { company_id, environment, request_id } = sealed;
    const { name, host, client_id } = client;
    const { redirect_uri, code_challenge, audience, scopes } = asked;
    const consent = {
      company_id,
      environment,
      request_id,
      user: { id: session.user_id, name: session.name },
      client: { client_id, name, host },
      audience,
      redirect_uri,
      code_challenge,
      asked: scopes,
      approved,
    };
    const made = await ports.oauth.approve(consent, { ip: request.ip, request_id: request.id });
    if ('refused' in made) return notice(request, reply, 400, made.refused, session.language);
    return sendBack(reply, asked, { code: made.code });
  }

  function openSealed(text: string | undefined, session: Session): Sealed | undefined {
    try {
      const sealed = JSON.parse(
        ports.secrets.open(Buffer.from(text ?? '', 'base64url'), placeOf(session)),
      ) as Sealed;
      return clock.now().getTime() - sealed.made_at <= formMs ? sealed : undefined;
    } catch {
      return undefined;
    }
  }
}

const denied = { error: 'access_denied', error_description: 'The person did not allow it.' } as const;

/** Binds what is sealed to the session that it was shown to. */
const placeOf = ({ id }: Session) => ({ table: 'oauth_requests', company_id: null, id });

function placeAsked(form: Parameters, memberships: Memberships) {
  const [company_id, environment] = [form.get('company'), form.get('environment')];
  const is_theirs = memberships.some(({ company }) => company.company_id === company_id);
  if (!is_theirs || company_id === undefined) return undefined;
  return environment === 'live' || environment === 'test'
    ? ({ company_id, environment } as const)
    : undefined;
}

function without(query: string, name: string): string {
  const parameters = new URLSearchParams(query);
  parameters.delete(name);
  return parameters.toString();
}
