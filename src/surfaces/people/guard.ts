/**
 * Who comes with a request, and whether a form is our own: its origin, what the browser says of the site, and a field that only a
 * page for this very visitor holds (ADR 55).
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Ports } from '../../kernel/ports.ts';
import { basePath } from '../shared/base-path.ts';

export type Session = NonNullable<Awaited<ReturnType<Ports['people']['sessionOf']>>>;

export type Visitor = {
  session: Session | undefined;
  /** What forms are bound to: the session, which keeps its id at a proof, or the cookie before one. */
  bound_to: string;
  /** The value of the session's cookie. */
  token: string | undefined;
};

export type GuardParts = { people: Pick<Ports['people'], 'form_keys' | 'sessionOf'>; public_url(): string };

export type Guard = ReturnType<typeof makeGuard>;

/** Of a session, of a visitor before one, and of half a sign-in. */
const tokenForm = /^[\w-]{43,80}$/;

export function makeGuard({ people, public_url }: GuardParts) {
  const is_secure = () => public_url().startsWith('https:');
  const prefix = () => (is_secure() ? '__Host-' : '');
  const cookieOf = (request: FastifyRequest, name: string) => readCookie(request, `${prefix()}${name}`);

  function setCookie(reply: FastifyReply, name: string, value: string, max_age: number): void {
    const parts = [`${prefix()}${name}=${value}`, 'Path=/', 'HttpOnly', 'SameSite=Lax', `Max-Age=${max_age}`];
    appendCookie(reply, [...parts, ...(is_secure() ? ['Secure'] : [])].join('; '));
  }

  const codeOf = (key: Buffer, bound_to: string) =>
    createHmac('sha256', key).update('folio form\n').update(bound_to).digest();

  return {
    /** Someone unknown gets a cookie, which binds the forms of the answer. */
    async visitorOf(request: FastifyRequest, reply: FastifyReply): Promise<Visitor> {
      const token = cookieOf(request, 'folio_session');
      const session = token === undefined ? undefined : await people.sessionOf(token);
      if (token !== undefined && session) return { session, bound_to: `session ${session.id}`, token };
      const known = cookieOf(request, 'folio_pre');
      if (known !== undefined) return { session: undefined, bound_to: `pre ${known}`, token: undefined };
      const made = randomBytes(32).toString('base64url');
      setCookie(reply, 'folio_pre', made, 24 * 3600);
      return { session: undefined, bound_to: `pre ${made}`, token: undefined };
    },

    /** For pages that need a session: an unknown visitor gets no cookie. */
    async sessionVisitor(request: FastifyRequest): Promise<Visitor | undefined> {
      const token = cookieOf(request, 'folio_session');
      const session = token === undefined ? undefined : await people.sessionOf(token);
      return session && { session, bound_to: `session ${session.id}`, token };
    },

    hasSessionCookie: (request: FastifyRequest): boolean => cookieOf(request, 'folio_session') !== undefined,

    /** The hidden field `csrf` of a page for this visitor. */
    csrfOf: ({ bound_to }: Visitor): string => codeOf(people.form_keys[0]!, bound_to).toString('base64url'),

    /** Of an unsafe request. A page of ours sends no header, so `field` is the form's. */
    isOurs(request: FastifyRequest, visitor: Visitor, field: string | null | undefined): boolean {
      return isFromHere(request, public_url()) && isFieldOf(visitor, field);
    },

    /** Before the body is read. */
    isFromHere: (request: FastifyRequest): boolean => isFromHere(request, public_url()),

    keepSession(reply: FastifyReply, token: string): void {
      setCookie(reply, 'folio_session', token, 30 * 24 * 3600);
      setCookie(reply, 'folio_pre', '', 0);
    },

    /** Between the password and the second proof. */
    keepHalf(reply: FastifyReply, half: string): void {
      setCookie(reply, 'folio_half', half, 10 * 60);
    },

    halfOf: (request: FastifyRequest): string | undefined => cookieOf(request, 'folio_half'),

    dropHalf(reply: FastifyReply): void {
      setCookie(reply, 'folio_half', '', 0);
    },

    dropSession(reply: FastifyReply): void {
      setCookie(reply, 'folio_session', '', 0);
    },

    base: (): string => basePath(public_url()),
  };

  function isFieldOf({ bound_to }: Visitor, field: string | null | undefined): boolean {
    const sent = Buffer.from(field ?? '', 'base64url');
    return people.form_keys.some((key) => {
      const code = codeOf(key, bound_to);
      return sent.length === code.length && timingSafeEqual(sent, code);
    });
  }
}

/** Browsers tell the origin of every form. A form with no origin, or another, is not from our page. */
function isFromHere({ headers, host }: FastifyRequest, public_url: string): boolean {
  const { origin } = headers;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  const from = origin === undefined ? null : URL.parse(origin);
  if (!from) return false;
  return (
    from.origin === new URL(public_url).origin || (from.protocol.startsWith('http') && from.host === host)
  );
}

/** Undefined for none, for one that we do not make, and for two of the name. */
function readCookie({ headers }: FastifyRequest, name: string): string | undefined {
  const found = (headers.cookie ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1));
  const [value, ...others] = found;
  return value !== undefined && others.length === 0 && tokenForm.test(value) ? value : undefined;
}

/** Fastify appends to this header alone, so earlier cookies are kept. */
function appendCookie(reply: FastifyReply, cookie: string): void {
  reply.header('set-cookie', cookie);
}
