import querystring from 'node:querystring';
import type { FastifyRequest } from 'fastify';
import { parseItem } from 'structured-headers';
import { commonErrors as c } from '../../kernel/common.errors.ts';
import { jsonInSteps, parseJson, requestBounds } from '../../kernel/json.ts';
import type { Caller, Operation } from '../../kernel/operation.ts';
import { fail, Problem } from '../../kernel/problem.ts';
import type { Arrival, Visit } from '../../platform/admission.ts';
import type { AnyInput, RefuseLost } from '../../platform/call.ts';
import { inTurns } from '../../platform/give-way.ts';
import { readExpectedTags } from '../shared/entity-tags.ts';
import { ArrivedInTurn, largeBytes } from './large-bodies.ts';
import type { LateRoute } from './late-routes.ts';
import { ArrivedUpload } from './upload-reader.ts';

/** What a path has for all methods: a route's own settings, but for its operation. */
export type KnownPath = {
  /** With the names of its parameters. */
  url: string;
  allowed: Set<string>;
  config: object;
  operation: Operation | undefined;
};

export type RequestState = {
  started_at: number;
  /** Null where no key is needed: pages, health. */
  visit: Visit | null;
  error_code: string | null;
  /** A small body that came with its head, read before the call is admitted. */
  at_hand?: { body: unknown } | undefined;
  /** Ends a body that still arrives, with this refusal. */
  refuseBody?: ((error: Error) => void) | undefined;
  /** A large body was read as JSON. */
  bodyIsRead?: (() => void) | undefined;
  /** Of somebody who changes their own account, in no company. */
  user_id?: string;
  /** Of a refusal that stands in an answer 200. */
  refused_status?: number;
  /** The code of JSON-RPC for a body that holds no message. */
  rpc_code?: number;
  /** Of a path that has another method. */
  known?: KnownPath | undefined;
  /** Of a route that was found late. */
  late?: LateRoute | undefined;
};

export function newRequestState(known?: KnownPath, late?: LateRoute): RequestState {
  return { started_at: performance.now(), visit: null, error_code: null, known, late };
}

/** Who a person is. */
export type PersonDoor = {
  /** @throws a refusal, before the body is read */
  callerOf(request: FastifyRequest): Promise<Caller>;
  /** @throws a refusal for a caller whose session or role has gone since (ADR 102) */
  refuseLost(request: FastifyRequest, caller: Caller, ...of: Parameters<RefuseLost>): Promise<void>;
};

export type RouteConfig = {
  operation?: Operation | undefined;
  resource?: Operation | null;
  door?: PersonDoor | undefined;
  address_is_secret?: boolean;
  /** For all that lies under its path: a table finds what it is called for (`late-routes.ts`). */
  is_late?: boolean;
};

/** Of its route, or of its path where another method has one. */
function configOf({ state, routeOptions }: FastifyRequest): RouteConfig {
  return (
    state?.known?.config ?? state?.late?.config ?? (routeOptions?.config as RouteConfig | undefined) ?? {}
  );
}

/** With the names of its parameters. */
export function urlOf({ state, routeOptions }: FastifyRequest): string | undefined {
  return state?.known?.url ?? state?.late?.url ?? routeOptions?.url;
}

export function operationOf(request: FastifyRequest): Operation | null {
  return configOf(request).operation ?? null;
}

/** In bytes. */
export function bodyLimitOf(request: FastifyRequest): number {
  return request.state.late?.config?.operation?.body_limit ?? request.routeOptions.bodyLimit;
}

/** Of a route for people. */
export function doorOf(request: FastifyRequest): PersonDoor | undefined {
  return configOf(request).door;
}

/** Only the operation's own: the company in a path for people is none of them. */
export function paramsOf(request: FastifyRequest): unknown {
  const { in_company: _, ...params } = request.params as Record<string, string>;
  return params;
}

export const jsonBodies = /^application\/json(\s*;.*)?$/i;

/** RFC 9112, 6.3. */
function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** The bytes that a refused caller may cost: a fraction of a millisecond. */
const atHandMax = 16_384;

/** Of all callers: before they are admitted nobody is known. */
const atHand = new ArrivedInTurn();

/**
 * Reads a small JSON body that came in one piece with its head, and leaves it to be read again. A body that is not whole yet, or is
 * faulty, is read after the admission.
 */
export async function readAtHand(request: FastifyRequest): Promise<void> {
  const { raw, headers, state } = request;
  const announced = Number(headers['content-length'] ?? 0);
  if (!(announced > 0 && announced <= atHandMax) || operationOf(request)?.upload !== null) return;
  if (headers['content-encoding'] !== undefined || !jsonBodies.test(headers['content-type'] ?? '')) return;
  // What came with the head is handed over after this turn.
  await undefined;
  if (raw.readableLength !== announced || atHand.isTooMuch('all', announced)) return;
  const bytes = raw.read() as Buffer;
  raw.unshift(bytes);
  try {
    state.at_hand = { body: readJson(bytes) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
}

/** Made before the body is read, unless it is at hand. */
export function arrivalOf(request: FastifyRequest): Arrival {
  const { headers, method } = request;
  return {
    operation: operationOf(request),
    request_id: request.id,
    ip: request.ip,
    user_agent: singleHeader(headers['user-agent']),
    secret: presentedSecret(request),
    audience: 'v1',
    active_profile: singleHeader(headers['x-active-profile']),
    version: singleHeader(headers['service-version']),
    idempotency_key: idempotencyKeyOf(request),
    expected_tags: readExpectedTags(singleHeader(headers['if-match'])),
    resource: configOf(request).resource ?? null,
    input: {
      params: paramsOf(request),
      query: { ...(request.query as object) },
      body: request.state.at_hand?.body,
    },
    has_input_later: hasBody(request) && !request.state.at_hand,
    rate_class: method === 'GET' || method === 'HEAD' ? 'read' : 'write',
  };
}

/**
 * Whether the request needs a key: it found an operation or its path, or lies under /v1. The route comes first, because the
 * router accepts several spellings of a target (percent signs, an absolute address).
 */
export function isApiRequest(request: FastifyRequest): boolean {
  if (operationOf(request) !== null || doorOf(request) || urlOf(request)?.startsWith('/v1/')) return true;
  const path = request.url.replace(/^https?:\/\/[^/?]*/i, '').split(/[?#]/, 1)[0] ?? '';
  return /^\/+v1(\/|$)/.test(decoded(path));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

export function singleHeader(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  return Array.isArray(header) ? header.join(', ') : header;
}

/** `Authorization` wins, even without Bearer. */
export function presentedSecret(request: FastifyRequest): string | null | undefined {
  const authorization = request.headers.authorization;
  if (authorization !== undefined) return /^bearer +(\S+) *$/i.exec(authorization)?.[1];
  return singleHeader(request.headers['x-api-key']);
}

export function readQuery(text: string): Record<string, string> {
  return querystring.parse(text) as Record<string, string>;
}

/** Waits for nothing but while a large body is read. @throws 400 parameter_invalid_format */
export function inputOf(request: FastifyRequest): AnyInput | Promise<AnyInput> {
  const said = { params: paramsOf(request), query: { ...(request.query as object) } };
  const body = readBody(request);
  return body instanceof Promise ? body.then((read) => ({ ...said, body: read })) : { ...said, body };
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * @returns undefined without a body
 * @throws 400 parameter_invalid_format
 */
function readBody(request: FastifyRequest): unknown {
  if (request.state.at_hand) return request.state.at_hand.body;
  const arrived = request.body as Buffer | ArrivedUpload | undefined;
  const raw = arrived instanceof ArrivedUpload ? arrived.rest : arrived;
  const read = isLarge(raw) ? readLargeJson(request, raw) : readJson(raw);
  if (!(arrived instanceof ArrivedUpload)) return read;
  return read instanceof Promise ? read.then((body) => withFile(body, arrived)) : withFile(read, arrived);
}

/** In the place of the empty text that was left of it. Of two members of the name the last counts, as in any object. */
function withFile(read: unknown, { member, file }: ArrivedUpload): unknown {
  const body = read as Record<string, unknown> | null | undefined;
  if (file && body?.[member] === '') body[member] = file;
  return body;
}

export const isLarge = (raw: Buffer | undefined): raw is Buffer =>
  Buffer.isBuffer(raw) && raw.length > largeBytes;

/**
 * @returns undefined without a body
 * @throws 400 parameter_invalid_format
 */
export function readJson(raw: Buffer | undefined): unknown {
  if (raw === undefined || raw === null || raw.length === 0) return undefined;
  try {
    return parseJson(strictUtf8.decode(raw), requestBounds);
  } catch (error) {
    throw unreadBody(error, raw);
  }
}

/** An editor does not show it (RFC 8259, 8.1). */
const byteOrderMark = Buffer.from('\ufeff');

function unreadBody(error: unknown, raw: Buffer): Problem {
  const { code } = c.parameter_invalid_format;
  const message = bodyFault(error, raw);
  return fail(c.parameter_invalid_format, { param: 'body', errors: [{ param: 'body', code, message }] });
}

function bodyFault(error: unknown, raw: Buffer): string {
  if (raw.subarray(0, byteOrderMark.length).equals(byteOrderMark))
    return 'Empieza por una marca de orden de bytes (BOM), que JSON no lleva: envíelo en UTF-8 sin ella.';
  return error instanceof RangeError
    ? 'El JSON es demasiado hondo o tiene demasiados valores.'
    : 'No es JSON bien formado en UTF-8.';
}

/** As `readJson`, and others have their turn meanwhile. The next large body of its company waits until then. */
export async function readLargeJson({ state }: FastifyRequest, raw: Buffer): Promise<unknown> {
  try {
    return await inTurns(jsonInSteps(strictUtf8.decode(raw), requestBounds));
  } catch (error) {
    throw unreadBody(error, raw);
  } finally {
    state.bodyIsRead?.();
  }
}

/** The key may be quoted, as in the draft standard, or bare. */
export function idempotencyKeyOf(request: FastifyRequest): string | null {
  const header = singleHeader(request.headers['idempotency-key']);
  if (header === null || !header.startsWith('"')) return header;
  try {
    const [value] = parseItem(header);
    return typeof value === 'string' ? value : header;
  } catch {
    return header;
  }
}

/** For the log: without query and secrets. For an address that opens a document, only the route. */
export function loggedPath(request: FastifyRequest): string {
  if (configOf(request).address_is_secret) return urlOf(request) ?? '';
  return withoutNeedlessEscapes(request.url.split('?', 1)[0] ?? '')
    .replace(/(svc_(?:live|test)_[0-9A-Za-z]{4})[0-9A-Za-z]+/gi, '$1…')
    .replace(/(svc_(?:ac|at|rt|cs)_)[\w-]+/gi, '$1…')
    .replace(webhookSecretText, '$1…')
    .replace(tokenText, '$1…')
    .replace(/[^\x20-\x7e…]/g, encodeURIComponent)
    .slice(0, 500);
}

/** Base64, whose signs may be escaped. */
const webhookSecretText = /(whsec_)[\w+/=%-]+/gi;

/** As long as the shortest token of an address, and longer than anything else in a path. */
const tokenText = /([\w-]{4})[\w-]{39,}/g;

/** Unescapes letters and digits (RFC 3986, 6.2.2.2), so that a secret is found in any spelling. */
function withoutNeedlessEscapes(path: string): string {
  return path.replace(/%[2-7][\da-f]/gi, (escaped) => {
    const sign = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
    return /[\w.~-]/.test(sign) ? sign : escaped;
  });
}
