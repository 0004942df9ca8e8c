/** The dashboard (ADR 60): its page and assets, who is signed in, and every operation once more for people in a session. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Addresses } from '../../kernel/addresses.ts';
import type { Operation } from '../../kernel/operation.ts';
import type { Ports } from '../../kernel/ports.ts';
import type { Clock } from '../../platform/clock.ts';
import { goTo } from '../people/desk.ts';
import { makeGuard } from '../people/guard.ts';
import { urlOf } from '../rest/request.ts';
import type { MountForPeople } from '../rest/server.ts';
import { referenceLink } from '../shared/base-path.ts';
import { chooseCoding } from '../shared/content-coding.ts';
import { dashboardErrors as e } from './dashboard.errors.ts';
import { makeDoor, type Signed } from './door.ts';
import { addMe } from './me-routes.ts';
import type { Asset, Shell } from './shell.ts';

export type DashboardParts = Addresses & {
  people: Ports['people'];
  oauth: Ports['oauth'];
  clock: Clock;
  /** Every operation under `/dashboard/api/{company}`. */
  mount: MountForPeople;
  /** Of persons alone. */
  more: readonly Operation[];
  /** Of what a person asks beside operations. @throws 429 rate_limit_exceeded */
  spend(user_id: string, rate_class: 'read' | 'write'): Promise<unknown>;
  shell: () => Shell;
  version: string;
};

export const companyPath = '/dashboard/api/:in_company';

export function registerDashboard(app: FastifyInstance, parts: DashboardParts): void {
  const { people, public_url, shell } = parts;
  const guard = makeGuard({ people, public_url });
  const door = makeDoor({ guard, people, clock: parts.clock, spend: parts.spend });
  parts.mount(companyPath, door, parts.more);
  allowFrames(app);
  leadToSignIn(app, guard.base);
  addMe(app, { people, oauth: parts.oauth, guard, door, spend: parts.spend });
  addShell(app, shell, { base: guard.base, reference: () => referenceLink(parts) });

  app.get('/dashboard/api/session', async (request, reply) => {
    const signed = await door.personOf(request);
    await parts.spend(signed.session.user_id, 'read');
    reply.header('Cache-Control', 'no-store');
    return reply.send({ data: await sessionView(parts, signed, guard.csrfOf(signed), request) });
  });
}

/** A page shows the paper beside its data. Nothing else of the API is shown as a page, in a frame or alone. */
function allowFrames(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply) => {
    if (!urlOf(request)?.startsWith('/dashboard/api/')) return;
    // Headers of a 304 would replace those of the answer that the browser keeps (RFC 9111, 4.3.4).
    if (reply.statusCode === 304) return;
    const is_paper = String(reply.getHeader('content-type')).startsWith('application/pdf');
    reply.header(
      'Content-Security-Policy',
      is_paper ? "frame-ancestors 'self'" : "default-src 'none'; frame-ancestors 'none'",
    );
  });
}

/** Whoever opens an address of the API as a page, such as that of a PDF, and is not signed in, signs in first. */
function leadToSignIn(app: FastifyInstance, base: () => string): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const is_page = request.method === 'GET' && request.headers['sec-fetch-dest'] === 'document';
    if (reply.statusCode !== e.session_required.status || !is_page) return payload;
    if (!urlOf(request)?.startsWith('/dashboard/api/')) return payload;
    const query = new URLSearchParams({ return_to: `${base()}${request.url}` });
    reply.code(303).headers({ Location: `${base()}/sign-in?${query}`, 'Content-Length': 0 });
    reply.removeHeader('Content-Type');
    return '';
  });
}

async function sessionView(
  { people, public_url, docs_url, version }: DashboardParts,
  { session }: Signed,
  csrf: string,
  request: FastifyRequest,
) {
  const [memberships, email] = await Promise.all([
    people.listMemberships(session.user_id),
    people.emailOf(session.user_id),
  ]);
  const { user_id: id, name, language, confirmed_at, expires_at } = session;
  return {
    object: 'session',
    user: { id, name, email, language },
    csrf,
    confirmed_at: confirmed_at.toISOString(),
    expires_at: expires_at.toISOString(),
    companies: memberships.map(({ company, role }) => ({
      id: company.company_id,
      name: company.name,
      tax_id: company.tax_id,
      role,
      sandbox_id: company.sandbox_company_id,
    })),
    public_url: public_url(),
    docs_url: docs_url(),
    version,
    features: {
      ...people.features,
      mcp: true,
      passkeys: people.passkeys.isOffered({ bound_to: '', host: request.headers.host }),
    },
  };
}

type ShellLinks = { base(): string; reference(): string };

function addShell(app: FastifyInstance, shell: () => Shell, { base, reference }: ShellLinks): void {
  const show = (_request: FastifyRequest, reply: FastifyReply) => {
    const { text, headers } = shell().page(base(), reference());
    return reply.headers(headers).send(text);
  };
  // People without a dashboard find the reference.
  app.get('/', (_request, reply) => goTo(reply, shell().is_built ? `${base()}/dashboard` : reference()));
  app.get('/dashboard', show);
  // The page itself finds out whether the address exists.
  app.get('/dashboard/*', show);
  app.get('/dashboard/assets/:name', (request, reply) => {
    const asset = shell().assets.get((request.params as { name: string }).name);
    return asset ? sendAsset(request, reply, asset) : reply.callNotFound();
  });
  // An address that no route of the API answers must not show the page.
  app.get('/dashboard/api/*', (_request, reply) => reply.callNotFound());
}

function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, bytes, br, gz }: Asset,
): FastifyReply {
  const packed = { br, gzip: gz };
  const offered = (['br', 'gzip'] as const).filter((one) => packed[one] !== null);
  const coding = chooseCoding(request.headers['accept-encoding'], offered);
  if (coding) reply.header('Content-Encoding', coding);
  return reply
    .headers({
      'Content-Type': type,
      // Its name tells its content.
      'Cache-Control': 'public, max-age=31536000, immutable',
      'X-Content-Type-Options': 'nosniff',
      Vary: 'Accept-Encoding',
    })
    .send(coding === null ? bytes : packed[coding]);
}
