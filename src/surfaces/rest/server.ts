/**
 * The REST surface: one route per operation of the catalogue, on Fastify. It authenticates, reads the
 * version and the body, calls the engine and writes the answer. No resource logic.
 */
import querystring from 'node:querystring';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { parseItem } from 'structured-headers';
import { commonErrors as c } from '../../kernel/common.errors.ts';
import { parseJson } from '../../kernel/json.ts';
import { jsonMedia, type Operation } from '../../kernel/operation.ts';
import { fail, type Problem } from '../../kernel/problem.ts';
import { newId } from '../../kernel/uuid7.ts';
import { isApiVersion, latestVersion, readVersion } from '../../kernel/versions.ts';
import type { Authenticator } from '../../platform/authenticator.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Engine } from '../../platform/engine.ts';
import type { RequestLog } from '../../platform/request-log.ts';
import {
  newRequestState,
  nextLink,
  type RequestState,
  sendProblem,
  setCommonHeaders,
  toBytes,
  toProblem,
} from './respond.ts';

declare module 'fastify' {
  interface FastifyRequest {
    state: RequestState;
  }
}

export type RestParts = {
  catalog: readonly Operation[];
  engine: Engine;
  authenticator: Authenticator;
  request_log: RequestLog;
  clock: Clock;
  public_url: () => string;
  trusted_proxies: string[];
  log: { level: string; stream?: { write(line: string): void } };
  /** Answers a target that the router cannot read, where it was meant for a page for people; undefined for any other. */
  answerUnreadable?(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined;
  /** Told of each finished request, for the metrics. */
  observe(operation: string, status: number, seconds: number): void;
};

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Makes the server without listening; pages and health routes are registered by main. */
export function makeRestServer(parts: RestParts): FastifyInstance {
  const app = Fastify({
    logger: {
      level: parts.log.level,
      ...(parts.log.stream ? { stream: parts.log.stream } : {}),
      redact: ['req.headers', 'headers', '*.secret', '*.password'],
    },
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => `req_${newId().replaceAll('-', '')}`,
    requestIdHeader: false,
    trustProxy: parts.trusted_proxies.length > 0 ? parts.trusted_proxies : false,
    bodyLimit: 1_048_576,
    routerOptions: {
      querystringParser: (text) => querystring.parse(text) as Record<string, string>,
      maxParamLength: 500,
      ignoreTrailingSlash: false,
    },
    forceCloseConnections: 'idle',
    requestTimeout: 60_000,
    keepAliveTimeout: 72_000,
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      request.state ??= newRequestState();
      const [asked, answer] = [request as FastifyRequest, reply as FastifyReply];
      if (!parts.answerUnreadable?.(asked, answer)) answerProblem(asked, answer, toProblem(error));
    },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(/^application\/json(\s*;.*)?$/i, { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
  app.addContentTypeParser('*', (_request, payload, done) => {
    payload.resume();
    done(fail(c.unsupported_media_type, { param: 'Content-Type' }), undefined);
  });

  function answerProblem(request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply {
    request.state.error_code = problem.def.code;
    request.state.early?.release();
    reply.header('X-Request-Id', request.id);
    if (isApiRequest(request)) setCommonHeaders(reply, request.state);
    return sendProblem(request, reply, problem, parts.public_url());
  }

  app.decorateRequest('state', null as unknown as RequestState);
  app.addHook('onRequest', async (request, reply) => {
    request.state = newRequestState();
    reply.header('X-Request-Id', request.id);
    reply.header('X-Content-Type-Options', 'nosniff');
    if (isApiRequest(request)) await admit(request);
  });

  /** Credential, rate, version and profile, before a body is read. The version is in effect for refusals too. */
  async function admit(request: FastifyRequest): Promise<void> {
    const { state, headers } = request;
    const operation = operationOf(request);
    state.operation = operation?.name ?? null;
    state.rate_class =
      operation?.rate ?? (request.method === 'GET' || request.method === 'HEAD' ? 'read' : 'write');
    const version = single(headers['service-version']);
    if (version !== null && isApiVersion(version)) state.version = version;
    const profile = single(headers['x-active-profile']);
    const may_begin = operation !== null && profile === null && parts.engine.mayBeginEarly(operation);
    state.caller = await parts.authenticator.authenticate({
      secret: presentedSecret(request),
      ip: request.ip,
      request_id: request.id,
      lookUp: may_begin
        ? (secret, company_id) => beginEarly(request, operation, secret, company_id)
        : undefined,
    });
    if (version === null || !isApiVersion(version)) state.version = state.caller.api_version ?? latestVersion;
    if (!operation?.rate_of) await spend(state, state.rate_class);
    if (version !== null) readVersion(version);
    if (profile !== null) state.caller = await parts.authenticator.actFor(state.caller, profile);
  }

  /** Spends one request of the caller's window. @throws 429 rate_limit_exceeded */
  async function spend(state: RequestState, rate_class: RequestState['rate_class']): Promise<void> {
    state.rate_class = rate_class;
    state.rate = await parts.engine.spendRate(state.caller!, rate_class);
    if (!state.rate || state.rate.allowed) return;
    const { limit, reset_seconds: seconds } = state.rate;
    throw fail(c.rate_limit_exceeded, {
      headers: { 'Retry-After': String(seconds) },
      values: { limit, seconds },
    });
  }

  /** A request whose body decides its class counts, too, when its body was never read. */
  async function spendUnread(request: FastifyRequest, problem: Problem): Promise<Problem> {
    const { state } = request;
    const operation = operationOf(request);
    if (!operation?.rate_of || !state.caller || state.rate) return problem;
    try {
      await spend(state, operation.rate);
      return problem;
    } catch (error) {
      return toProblem(error);
    }
  }

  /** A read of a secret seen before begins with the look-up of its credential, in one pipeline. */
  function beginEarly(request: FastifyRequest, operation: Operation, secret: string, company_id: string) {
    const input = { params: request.params, query: { ...(request.query as object) }, body: undefined };
    request.state.early = parts.engine.beginEarly(operation, input, secret, company_id);
    return request.state.early.credential;
  }

  app.setErrorHandler(async (error, request, reply) => {
    const problem = await spendUnread(request, toProblem(error));
    if (problem.def.status >= 500)
      request.log.error({ err: error, request_id: request.id }, 'request failed');
    return answerProblem(request, reply, problem);
  });
  app.setNotFoundHandler((request, reply) => answerProblem(request, reply, fail(c.resource_not_found)));

  app.addHook('onResponse', async (request, reply) => {
    const { state } = request;
    state.early?.release();
    const took = performance.now() - state.started_at;
    const route = state.operation ?? (isApiRequest(request) ? 'unknown' : 'page');
    parts.observe(route, reply.statusCode, took / 1000);
    const path = loggedPath(request);
    const line = {
      request_id: request.id,
      method: request.method,
      path,
      status: reply.statusCode,
      ms: Math.round(took * 10) / 10,
      operation: state.operation,
      code: state.error_code,
    };
    request.log.info(line, 'request');
    if (!state.caller) return;
    parts.request_log.add({
      company_id: state.caller.company_id,
      id: newId(),
      request_id: request.id,
      principal: state.caller.principal,
      operation: state.operation,
      method: request.method,
      path,
      status: reply.statusCode,
      error_code: state.error_code,
      duration_ms: took.toFixed(3),
      ip: state.caller.ip,
      api_version: state.version,
      idempotency_key: state.idempotency_key,
      created_at: parts.clock.now().toISOString(),
    });
  });

  for (const operation of parts.catalog) {
    app.route({
      method: operation.method,
      url: operation.path,
      bodyLimit: operation.body_limit,
      config: { operation },
      exposeHeadRoute: false,
      handler: async (request, reply) => {
        const { state } = request;
        if (operation.rate_of) await spend(state, operation.rate_of(inputOf(request)));
        state.idempotency_key = readIdempotencyKey(single(request.headers['idempotency-key']));
        const answer = await parts.engine.run({
          operation,
          caller: state.caller!,
          input: inputOf(request),
          idempotency_key: state.idempotency_key,
          version: state.version,
          request_id: request.id,
          if_none_match: single(request.headers['if-none-match']),
          early: state.early,
        });
        setCommonHeaders(reply, state);
        for (const [name, value] of Object.entries(answer.headers)) reply.header(name, value);
        const link = nextLink(request.url, answer.body);
        if (link) reply.header('Link', link);
        reply.code(answer.status);
        if (answer.status === 304) return reply.send();
        if (operation.output_media_type === jsonMedia)
          return reply
            .header('Content-Type', 'application/json; charset=utf-8')
            .send(JSON.stringify(answer.body));
        return reply.header('Content-Type', operation.output_media_type).send(toBytes(answer.body));
      },
    });
  }
  return app;
}

function operationOf(request: FastifyRequest): Operation | null {
  return (request.routeOptions?.config as { operation?: Operation } | undefined)?.operation ?? null;
}

/**
 * Whether the request needs a key: it found an operation, or lies under /v1. The router reads a target in more
 * spellings than one (percent signs, an absolute address), so what it found counts first.
 */
function isApiRequest(request: FastifyRequest): boolean {
  if (operationOf(request) !== null) return true;
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

/**
 * The path as it is logged: no query, no secret that somebody put where the id of a key belongs, and of an address that
 * opens a document no more than its route.
 */
function loggedPath({ url, routeOptions }: FastifyRequest): string {
  const { address_is_secret } = (routeOptions?.config ?? {}) as { address_is_secret?: boolean };
  if (address_is_secret) return routeOptions.url ?? '';
  return withoutNeedlessEscapes(url.split('?', 1)[0] ?? '')
    .replace(/(svc_(?:live|test)_[0-9A-Za-z]{4})[0-9A-Za-z]+/gi, '$1…')
    .replace(tokenText, '$1…')
    .slice(0, 500);
}

/** Letters and digits as such (RFC 3986, 6.2.2.2), so that a secret is known in any spelling. */
function withoutNeedlessEscapes(path: string): string {
  return path.replace(/%[2-7][\da-f]/gi, (escaped) => {
    const sign = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
    return /[\w.~-]/.test(sign) ? sign : escaped;
  });
}

/** As long as the shortest token of an address, and longer than anything else that stands in a path. */
const tokenText = /([\w-]{4})[\w-]{62,}/g;

function single(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  return Array.isArray(header) ? header.join(', ') : header;
}

/** The secret sent: Authorization wins, even when it is not a Bearer. */
function presentedSecret(request: FastifyRequest): string | null | undefined {
  const authorization = request.headers.authorization;
  if (authorization !== undefined) return /^bearer +(\S+) *$/i.exec(authorization)?.[1];
  return single(request.headers['x-api-key']);
}

/** @throws 400 parameter_invalid_format */
function inputOf(request: FastifyRequest) {
  request.state.input ??= {
    params: request.params,
    query: { ...(request.query as object) },
    body: readBody(request),
  };
  return request.state.input;
}

/** The body as a value; undefined when none was sent. @throws 400 parameter_invalid_format */
function readBody(request: FastifyRequest): unknown {
  const raw = request.body as Buffer | undefined;
  if (raw === undefined || raw === null || raw.length === 0) return undefined;
  try {
    return parseJson(strictUtf8.decode(raw));
  } catch {
    throw fail(c.parameter_invalid_format, { param: 'body' });
  }
}

/** The key, from the quoted form of the draft standard or as it stands. */
function readIdempotencyKey(header: string | null): string | null {
  if (header === null || !header.startsWith('"')) return header;
  try {
    const [value] = parseItem(header);
    return typeof value === 'string' ? value : header;
  } catch {
    return header;
  }
}
