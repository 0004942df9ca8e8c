/** What every page for people needs: who asks, whether a form is ours, and how to answer. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Addresses } from '../../kernel/addresses.ts';
import type { Ports } from '../../kernel/ports.ts';
import { countAuthFailures } from '../../platform/auth-failures.ts';
import type { Clock } from '../../platform/clock.ts';
import { referenceLink } from '../shared/base-path.ts';
import { type Form, readForm } from './forms.ts';
import { languageOf, type PeoplePage } from './frame.ts';
import { type Guard, makeGuard, type Visitor } from './guard.ts';
import { type Around, firstKeyPath, noticePage } from './pages.ts';
import type { NoticeName } from './words.ts';

export type DeskParts = Addresses & {
  people: Ports['people'];
  clock: Clock;
  /** How a command of this service is begun in a terminal. */
  command: string;
};

/** What a handler knows of who asks. */
export type Visit = {
  request: FastifyRequest;
  reply: FastifyReply;
  visitor: Visitor;
  around: Around;
};

export type Show = (visit: Visit) => Promise<FastifyReply> | FastifyReply;
export type Take = (visit: Visit, form: Form) => Promise<FastifyReply>;
export type Stray = (visit: Visit, form: Form) => Promise<FastifyReply> | FastifyReply;

const formMax = 16_384;

/** The address opens something, so the log holds the route instead. */
export const secretAddress = { address_is_secret: true };

export type Desk = {
  people: Ports['people'];
  guard: Guard;
  public_url(): string;
  get(scope: FastifyInstance, path: string, show: Show): void;
  /**
   * A form of a page of ours.
   * @param more.stray answers one that a page of ours sent, but for another visitor or session: it is not taken
   */
  post(scope: FastifyInstance, path: string, take: Take, more?: { stray?: Stray }): void;
  /** The page and the form of a link that opens once: `path` ends with its token, and whoever tries tokens has to wait. */
  link(scope: FastifyInstance, path: string, handlers: { kind: LinkKind; show: Show; take: Take }): void;
  notice(request: FastifyRequest, reply: FastifyReply, status: number, name: NoticeName): FastifyReply;
  /** For a link that does not open. A visitor who tries many has to wait. */
  gone(visit: Pick<Visit, 'request' | 'reply'>): FastifyReply;
  /** For the form of a link that opens no more. Whoever is in by an earlier press goes where that one led. */
  over(visit: Visit, kind: LinkKind): Promise<FastifyReply>;
};

type LinkKind = Parameters<Ports['people']['findLink']>[0];

export function makeDesk({ people, clock, public_url, docs_url, command }: DeskParts): Desk {
  const guard = makeGuard({ people, public_url });
  // A separate count: whoever tries links must wait, but may still sign in.
  const failures = countAuthFailures();

  function notice(request: FastifyRequest, reply: FastifyReply, status: number, name: NoticeName) {
    const language = languageOf(undefined, request.headers['accept-language']);
    return send(reply, status, noticePage({ language, base: guard.base() }, name));
  }

  async function visitOf(request: FastifyRequest, reply: FastifyReply): Promise<Visit> {
    const visitor = await guard.visitorOf(request, reply);
    const language = languageOf(visitor.session?.language, request.headers['accept-language']);
    const reference = referenceLink({ public_url, docs_url });
    const around = { language, base: guard.base(), reference, csrf: guard.csrfOf(visitor), command };
    return { request, reply, visitor, around };
  }

  function get(scope: FastifyInstance, url: string, show: Show, config: object = {}): void {
    scope.get(url, { config }, async (request, reply) => show(await visitOf(request, reply)));
  }

  const refuse: Show = ({ request, reply }) => notice(request, reply, 403, 'foreign');

  function post(
    scope: FastifyInstance,
    url: string,
    take: Take,
    { config = {}, stray = refuse }: { config?: object; stray?: Stray } = {},
  ): void {
    // Before the body. Not asynchronous: such a hook never ends once it has answered.
    const onRequest = (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
      if (guard.isFromHere(request)) done();
      else notice(request, reply, 403, 'foreign');
    };
    scope.post(url, { config, bodyLimit: formMax, onRequest }, async (request, reply) => {
      const visit = await visitOf(request, reply);
      const form = readForm(request.body);
      if (!guard.isOurs(request, visit.visitor, form.text('csrf'))) return stray(visit, form);
      return take(visit, form);
    });
  }

  /** Called only for a link that does not open: a true link opens whatever its neighbours do. */
  function gone({ request, reply }: Pick<Visit, 'request' | 'reply'>): FastifyReply {
    const now = clock.now();
    const seconds = failures.blockedFor(request.ip, now);
    if (seconds > 0) return notice(request, reply.header('Retry-After', String(seconds)), 429, 'too_many');
    failures.failed(request.ip, now);
    return notice(request, reply, 404, 'gone');
  }

  async function over(visit: Visit, kind: LinkKind): Promise<FastifyReply> {
    const { request, reply, around, visitor } = visit;
    const { session } = visitor;
    if (!session || kind === 'reset' || !(await people.isUsedLink(kind, tokenOf(request))))
      return gone(visit);
    const [only, another] = await people.listMemberships(session.user_id);
    // Keys of a new company were on the page of the first answer alone.
    const made_keys = kind !== 'invitation' && only && !another;
    return goTo(reply, `${around.base}/dashboard${made_keys ? firstKeyPath(only.company.company_id) : ''}`);
  }

  const link: Desk['link'] = (scope, path, { kind, show, take }) => {
    // A button was pressed twice, and the first press began a session or ended one; or the person signed in in another tab.
    const stray: Stray = async (visit) => {
      const { request, reply, visitor, around } = visit;
      if (!(await people.findLink(kind, tokenOf(request)))) return over(visit, kind);
      return visitor.session ? goTo(reply, `${around.base}${request.url}`) : refuse(visit);
    };
    get(scope, `${path}/:token`, show, secretAddress);
    post(scope, `${path}/:token`, take, { config: secretAddress, stray });
    for (const other of [path, `${path}/*`]) get(scope, other, gone, secretAddress);
  };

  return { people, guard, public_url, get, post, link, notice, gone, over };
}

export const send = (reply: FastifyReply, status: number, { text, headers }: PeoplePage): FastifyReply =>
  reply.code(status).headers(headers).send(text);

export const goTo = (reply: FastifyReply, path: string): FastifyReply =>
  reply.code(303).headers({ Location: path, 'Cache-Control': 'no-store' }).send();

export const tokenOf = ({ params }: FastifyRequest): string => (params as { token: string }).token;

/** From where somebody comes, as a session keeps it. */
export const placeOf = ({ ip, headers }: FastifyRequest) => ({
  ip,
  user_agent: headers['user-agent']?.slice(0, 500) ?? null,
});
