/** The REST surface. A table finds the operations of `/v1`, for callers and once more for people. */
import type { Server } from 'node:http';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type onSendHookHandler,
} from 'fastify';
import type { Addresses } from '../../kernel/addresses.ts';
import { commonErrors as c } from '../../kernel/common.errors.ts';
import { isResource, type Operation, resourceOf, usualBody } from '../../kernel/operation.ts';
import { keepAliveMs } from '../../kernel/keep-alive.ts';
import { fail, type Problem } from '../../kernel/problem.ts';
import { newId } from '../../kernel/uuid7.ts';
import type { Engine } from '../../platform/engine.ts';
import { loggedError } from '../../platform/logged-error.ts';
import type { SharePort } from '../../platform/share-owners.ts';
import {
  arrivalOf,
  doorOf,
  isApiRequest,
  loggedPath,
  newRequestState,
  type PersonDoor,
  presentedSecret,
  readAtHand,
  readQuery,
  type RequestState,
} from './request.ts';
import { answerInOrder } from './answer-in-order.ts';
import { CountedRequest } from './counted-request.ts';
import { filePlaces } from './file-places.ts';
import { type AnswerBounds, answerBounds, HeldAnswers } from './held-answers.ts';
import { makeListCompression } from './list-compression.ts';
import { type BodyBounds, bodyBounds, readBodiesAsBytes } from './read-body.ts';
import { sendProblem, setCommonHeaders, toProblem } from './respond.ts';
import { foundFor, type LateRoutes, makeLateRoutes } from './late-routes.ts';
import { addLateRoutes, addRoute, type RouteParts } from './operation-routes.ts';
import { knowPaths, type OtherMethods, refuseMethod } from './other-methods.ts';
import { traceRequests } from './trace-requests.ts';
import { answerByOurselves, answerWireFault, refuseAborted, requireHost } from './wire-faults.ts';

declare module 'fastify' {
  interface FastifyRequest {
    state: RequestState;
  }
}

export type RestParts = Addresses & {
  catalog: readonly Operation[];
  engine: Engine;
  shares: SharePort;
  trusted_proxies: string[];
  log: { level: string; stream?: { write(line: string): void } };
  /** Answers a target that the router cannot read, if it was meant for a page for people. */
  answerUnreadable?(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined;
  observe(operation: string, status: number, seconds: number): void;
  /** For tests. */
  body_bounds?: Partial<BodyBounds> | undefined;
  answer_bounds?: Partial<AnswerBounds> | undefined;
};

/**
 * Every operation once more, for people, under a path that names the company as `:in_company`.
 * @param more beside `/v1`
 */
export type MountForPeople = (base: string, door: PersonDoor, more?: readonly Operation[]) => void;

/** Does not listen yet. `main/` adds pages and health routes, then calls `endRoutes`. */
export function makeRestServer(parts: RestParts): {
  app: FastifyInstance;
  mountForPeople: MountForPeople;
  held: HeldAnswers;
  endRoutes: () => void;
} {
  const app: FastifyInstance = Fastify(serverOptions(parts, () => app.log));
  const late_routes = makeLateRoutes(maxParamLength);
  traceRequests(app, late_routes);
  const bounds = { ...bodyBounds, ...parts.body_bounds };
  readBodiesAsBytes(app, bounds, parts.shares);
  const others = knowPaths(app, maxParamLength);
  answerInOrder(app.server);
  answerByOurselves(app.server, () => wireParts(parts, app.log));
  leaveLengthOut(app);
  if (parts.trusted_proxies.length === 0) warnOfProxy(app);
  admitRequests(app, parts.engine, others, late_routes);
  answerErrors(app, parts);
  logRequests(app, parts);
  const held = new HeldAnswers(parts.shares, { ...answerBounds, ...parts.answer_bounds });
  const route: RouteParts = {
    engine: parts.engine,
    takePlace: filePlaces(parts.shares, bounds.place_seconds),
    sendList: makeListCompression(parts.shares),
    held,
    public_url: parts.public_url,
  };
  const configOf = (operation: Operation, resources: readonly Operation[], door?: PersonDoor) => ({
    operation,
    resource: resourceOf(operation, resources),
    door,
  });
  const mount = (operations: readonly Operation[], base: string, door: PersonDoor) => {
    const resources = operations.filter(isResource);
    for (const operation of operations)
      addRoute(app, `${base}${operation.path}`, configOf(operation, resources, door), route);
  };
  const mountLate = (base: string, door?: PersonDoor) => {
    const under = `${base}${apiPath}*`;
    late_routes.add(under, () => {
      const resources = parts.catalog.filter(isResource);
      return parts.catalog.map((operation) => ({
        method: operation.method,
        url: `${base}${operation.path}`,
        config: configOf(operation, resources, door),
      }));
    });
    addLateRoutes(app, under, route);
  };
  refuseElsewhere(parts.catalog, true);
  refuseTwice(parts.catalog);
  mountLate('');
  return {
    app,
    mountForPeople(base, door, more = []) {
      refuseElsewhere(more, false);
      mount(more, base, door);
      mountLate(base, door);
    },
    held,
    endRoutes: others.endRoutes,
  };
}

const maxParamLength = 500;

const apiPath = '/v1/';

/** A stray operation is never reached, or hides another. */
function refuseElsewhere(operations: readonly Operation[], is_api: boolean): void {
  const stray = operations.find(({ path }) => path.startsWith(apiPath) !== is_api);
  if (stray) throw new Error(`${stray.name} cannot lie at ${stray.path}.`);
}

/** The table is made for the first request, and that would be too late to hear of it. */
function refuseTwice(operations: readonly Operation[]): void {
  const seen = new Map<string, Operation>();
  for (const operation of operations) {
    const { method, name, path } = operation;
    const shape = path.replaceAll(/:\w+/g, ':');
    const at = `${method} ${shape}`;
    if (seen.has(at)) throw new Error(`The address of ${name} is already declared by ${seen.get(at)!.name}.`);
    const other = seen.get(shape);
    if (other && other.path !== path)
      throw new Error(`${name} and ${other.name} name the parameters of one path differently.`);
    seen.set(at, operation).set(shape, operation);
  }
}

const newRequestId = () => `req_${newId().replaceAll('-', '')}`;

/** No route has a schema: the engine checks. Without these Fastify would load a compiler of each kind. */
const refuseSchema = () => {
  throw new Error('A route has no schema of its own.');
};
const withoutSchemas: NonNullable<FastifyHttpOptions<Server>['schemaController']> = {
  compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema },
};

const wireParts = ({ docs_url, observe }: RestParts, log: FastifyBaseLogger) => ({
  log,
  docs_url: docs_url(),
  newRequestId,
  observe,
});

function serverOptions(parts: RestParts, logOf: () => FastifyBaseLogger): FastifyHttpOptions<Server> {
  const { trusted_proxies, log } = parts;
  return {
    schemaController: withoutSchemas,
    logger: {
      level: log.level,
      ...(log.stream ? { stream: log.stream } : {}),
      serializers: { err: (error) => loggedError(error) as never },
      redact: ['req.headers', 'headers', '*.secret', '*.password'],
    },
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: newRequestId,
    requestIdHeader: false,
    trustProxy: trusted_proxies.length > 0 ? trusted_proxies : false,
    bodyLimit: usualBody,
    routerOptions: { querystringParser: readQuery, maxParamLength, ignoreTrailingSlash: false },
    forceCloseConnections: 'idle',
    requestTimeout: 60_000,
    keepAliveTimeout: keepAliveMs,
    return503OnClosing: false,
    http: { requireHostHeader: false, IncomingMessage: CountedRequest },
    clientErrorHandler: (fault, socket) => answerWireFault(fault, socket, wireParts(parts, logOf())),
    frameworkErrors: (error, request, reply) => {
      request.state ??= newRequestState();
      if (!parts.answerUnreadable?.(request, reply)) answerProblem(parts, request, reply, toProblem(error));
    },
  };
}

/** Of a 304, whose length is that of the 200 or none (RFC 9110, 8.6): Fastify writes 0 to HEAD. */
function leaveLengthOut(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD') return;
    const removeLengthOf304: onSendHookHandler = (_request, reply, payload, done) => {
      if (reply.statusCode === 304) reply.removeHeader('content-length');
      done(null, payload);
    };
    route.onSend = [...[route.onSend ?? []].flat(), removeLengthOf304];
  });
}

/** Behind a proxy that nobody trusts all callers have one address: its own. */
function warnOfProxy(app: FastifyInstance): void {
  let has_warned = false;
  app.addHook('onRequest', async (request) => {
    if (has_warned || request.headers['x-forwarded-for'] === undefined) return;
    has_warned = true;
    app.log.warn(
      'X-Forwarded-For came and FOLIO_TRUSTED_PROXIES is empty: every caller behind that proxy counts as one address. Set it to the address of the proxy.',
    );
  });
}

/** Admits each call before its body is read, but for a small one that came with its head. */
function admitRequests(
  app: FastifyInstance,
  engine: Engine,
  others: OtherMethods,
  late_routes: LateRoutes,
): void {
  app.decorateRequest('state', null as unknown as RequestState);
  app.addHook('onRequest', async (request, reply) => {
    const { known, late, is_missing } = foundFor(request, others, late_routes);
    request.state = newRequestState(known, late);
    reply.header('X-Request-Id', request.id);
    reply.header('X-Content-Type-Options', 'nosniff');
    requireHost(request, reply);
    if (isApiRequest(request)) {
      const door = doorOf(request);
      const person = await door?.callerOf(request);
      if (!person && engine.hasSeen(presentedSecret(request))) await readAtHand(request);
      const visit = engine.open(
        door && person
          ? {
              ...arrivalOf(request),
              secret: null,
              person,
              findPerson: () => door.callerOf(request),
              refuseLostPerson: (...of) => door.refuseLost(request, ...of),
            }
          : arrivalOf(request),
      );
      request.state.visit = visit;
      await engine.admit(visit);
    }
    refuseAborted(request);
    if (known) refuseMethod(request, reply, known);
    if (is_missing) throw fail(c.resource_not_found);
  });
}

function answerErrors(app: FastifyInstance, parts: RestParts): void {
  app.setErrorHandler(async (error, request, reply) => {
    const { visit } = request.state;
    const thrown = toProblem(error);
    const problem = visit ? await parts.engine.countRefused(visit, thrown) : thrown;
    if (problem.def.status >= 500) request.log.error({ err: error }, 'request failed');
    return answerProblem(parts, request, reply, problem);
  });
  app.setNotFoundHandler((request, reply) =>
    answerProblem(parts, request, reply, fail(c.resource_not_found)),
  );
}

function answerProblem(
  addresses: Addresses,
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
): FastifyReply {
  request.state.error_code = problem.def.code;
  reply.header('X-Request-Id', request.id);
  if (isApiRequest(request)) setCommonHeaders(reply, request.state.visit);
  return sendProblem(request, reply, problem, addresses);
}

/** Reports to metrics, log and request log. */
function logRequests(app: FastifyInstance, { engine, observe }: RestParts): void {
  const report = (request: FastifyRequest, sent: number) => {
    const { started_at, visit, error_code, refused_status } = request.state;
    const { method } = request;
    const status = refused_status ?? sent;
    const took = performance.now() - started_at;
    const operation = visit?.arrival.operation?.name ?? null;
    observe(operation ?? (visit || isApiRequest(request) ? 'unknown' : 'page'), status, took / 1000);
    const path = loggedPath(request);
    const ms = Math.round(took * 10) / 10;
    // The logger of a request adds its id.
    request.log.info({ method, path, status, ms, operation, code: error_code }, 'request');
    if (visit) engine.close(visit, { status, error_code, address: { method, path } });
  };
  app.addHook('onResponse', async (request, reply) => report(request, reply.statusCode));
  // The caller closed the connection while it sent: no answer goes out.
  app.addHook('onRequestAbort', async (request) => {
    const { status, code } = c.request_aborted;
    request.state.error_code = code;
    report(request, status);
  });
}
