/** `/oauth/token` and `/oauth/revoke`: forms in, JSON out, and nothing of it in a cache or a log. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Audience } from '../../kernel/operation.ts';
import { networkOf } from '../../kernel/ip-ranges.ts';
import type { Problem } from '../../kernel/problem.ts';
import { OAuthRefusal } from '../../domain/oauth/refusal.ts';
import { resourceOf } from '../../domain/oauth/resource.ts';
import type { Ports } from '../../kernel/ports.ts';
import { countAuthFailures } from '../../platform/auth-failures.ts';
import type { Clock } from '../../platform/clock.ts';
import type { SharePort } from '../../platform/share-owners.ts';
import { type BodyBounds, bodyBounds, formBodies, readBodiesAsBytes } from '../rest/read-body.ts';
import { singleHeader } from '../rest/request.ts';
import { problemHeaders, toProblem } from '../rest/respond.ts';
import { authenticateClient, readProof } from './client-authentication.ts';
import { answerPreflight, openToBrowsers } from './metadata.ts';
import { type Parameters as Form, readParameters } from './parameters.ts';

export type TokenParts = {
  clock: Clock;
  oauth: Ports['oauth'];
  public_url: () => string;
  shares: SharePort;
  body_bounds?: Partial<BodyBounds> | undefined;
};

type From = Parameters<Ports['oauth']['refresh']>[1];
type TokenAnswer = Awaited<ReturnType<Ports['oauth']['refresh']>>;

const formMax = 16_384;
/** How many forms of one network may arrive at a time. A server refreshes for many people at once, and its forms are small. */
const bodiesMax = 512;

const clientNames = ['client_id', 'client_secret'];
const tokenNames = [
  ...clientNames,
  'grant_type',
  'code',
  'redirect_uri',
  'code_verifier',
  'refresh_token',
  'scope',
  'resource',
];
const revokeNames = [...clientNames, 'token', 'token_type_hint'];

const noStore = { 'Cache-Control': 'no-store', Pragma: 'no-cache' } as const;

/** @param app takes forms alone from now on, so give it a plugin of its own */
export function registerTokenRoutes(app: FastifyInstance, parts: TokenParts): void {
  const failures = countAuthFailures();
  // Nobody is known before the form is read: each network has a share of the bodies on their way.
  const senderOf = (request: FastifyRequest) => `network ${networkOf(request.ip)}`;
  readBodiesAsBytes(
    app,
    { ...bodyBounds, bodies_max: bodiesMax, ...parts.body_bounds },
    parts.shares,
    formBodies,
    senderOf,
  );
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof OAuthRefusal) return sendRefusal(request, reply, error);
    const problem = toProblem(error);
    return sendRefusal(request, reply.headers(problemHeaders(problem)), refusalOf(error, problem, request));
  });

  async function readForm(
    request: FastifyRequest,
    reply: FastifyReply,
    names: readonly string[],
  ): Promise<{ form: Form; from: From }> {
    const form = readParameters(textOf(request.body));
    const repeated = form.repeated(names);
    if (repeated !== undefined)
      throw new OAuthRefusal('invalid_request', `The parameter ${repeated} came more than once.`);
    const proof = readProof(singleHeader(request.headers.authorization) ?? undefined, form);
    const now = parts.clock.now();
    const { client, secret_expires_at } = await authenticateClient(
      { ...parts, failures },
      proof,
      request.ip,
      now,
    );
    // Here, so that a refusal warns as well.
    if (secret_expires_at) warnOfSecret(reply, secret_expires_at, now);
    const { ip, id: request_id } = request;
    return { form, from: { client_id: client.client_id, ip, request_id } };
  }

  async function tokensFor(form: Form, from: From): Promise<TokenAnswer> {
    const grant_type = needed(form, 'grant_type');
    const audience = () => audienceOf(form, parts.public_url());
    if (grant_type === 'authorization_code') {
      const [code, code_verifier] = [needed(form, 'code'), form.get('code_verifier') ?? ''];
      const redirect_uri = form.get('redirect_uri');
      return parts.oauth.exchangeCode({ code, redirect_uri, code_verifier, audience: audience() }, from);
    }
    if (grant_type === 'refresh_token') {
      const refresh_token = needed(form, 'refresh_token');
      return parts.oauth.refresh({ refresh_token, scope: form.get('scope'), audience: audience() }, from);
    }
    throw new OAuthRefusal('unsupported_grant_type', 'Use authorization_code or refresh_token.');
  }

  const options = { bodyLimit: formMax };
  app.post('/oauth/token', options, async (request, reply) => {
    const { form, from } = await readForm(request, reply, tokenNames);
    return send(reply, 200, await tokensFor(form, from));
  });
  app.post('/oauth/revoke', options, async (request, reply) => {
    const { form, from } = await readForm(request, reply, revokeNames);
    await parts.oauth.revoke(needed(form, 'token'), from);
    return reply
      .code(200)
      .headers({ ...openToBrowsers, ...noStore })
      .send();
  });
  for (const path of ['/oauth/token', '/oauth/revoke']) answerPreflight(app, path, 'POST');
}

function textOf(body: unknown): string {
  return Buffer.isBuffer(body) ? body.toString('utf8') : '';
}

function needed(form: Form, name: string): string {
  const value = form.get(name);
  if (value === undefined) throw new OAuthRefusal('invalid_request', `The parameter ${name} is missing.`);
  return value;
}

/** @throws OAuthRefusal for a resource that is none of ours */
function audienceOf(form: Form, issuer: string): Audience | null {
  const resource = form.get('resource');
  return resource === undefined ? null : resourceOf(resource, issuer);
}

/** A fault of the request itself, or of ours. */
function refusalOf(error: unknown, { def, details }: Problem, request: FastifyRequest): OAuthRefusal {
  request.state.error_code = def.code;
  if (def.status < 500 && def.status !== 429)
    return new OAuthRefusal('invalid_request', 'The request is no form, too large, or cut short.');
  if (def.status !== 500)
    return new OAuthRefusal('temporarily_unavailable', 'Try again.', details.retry_after_seconds ?? 2);
  request.log.error({ err: error }, 'token request failed');
  return new OAuthRefusal('server_error', 'The server failed.');
}

function statusOf({ error, retry_after_seconds }: OAuthRefusal): number {
  if (error === 'invalid_client') return 401;
  if (error === 'server_error') return 500;
  return error === 'temporarily_unavailable' && retry_after_seconds !== undefined ? 429 : 400;
}

function sendRefusal(request: FastifyRequest, reply: FastifyReply, refusal: OAuthRefusal): FastifyReply {
  const { error, description: error_description, retry_after_seconds: seconds } = refusal;
  const status = statusOf(refusal);
  request.state.error_code ??= error;
  if (seconds !== undefined) reply.header('Retry-After', String(seconds));
  if (status === 401 && request.headers.authorization !== undefined)
    reply.header('WWW-Authenticate', `Basic realm="folio", error="${error}"`);
  return send(reply, status, { error, error_description });
}

function send(reply: FastifyReply, status: number, body: object): FastifyReply {
  return reply
    .code(status)
    .headers({ ...openToBrowsers, ...noStore, 'Content-Type': 'application/json; charset=utf-8' })
    .send(JSON.stringify(body));
}

function warnOfSecret(reply: FastifyReply, expires_at: Date, now: Date): void {
  const hours_left = Math.ceil((expires_at.getTime() - now.getTime()) / 3_600_000);
  const hours = hours_left === 1 ? '1 hour' : `${hours_left} hours`;
  reply.header('Warning', `199 svc "This secret was rotated and stops working in ${hours}"`);
  reply.header('Service-Client-Secret-Expires', expires_at.toISOString());
}
