/** The routes of operations: one for all of a path, or one for each where a path has few. */
import type { FastifyInstance, FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify';
import type { Operation } from '../../kernel/operation.ts';
import type { Engine } from '../../platform/engine.ts';
import { holdsTag } from '../shared/entity-tags.ts';
import type { TakePlace } from './file-places.ts';
import { methods as allMethods } from './other-methods.ts';
import { inputOf, operationOf, type RouteConfig, singleHeader } from './request.ts';
import { deprecatedHeaders, type Sending, sendAnswer, setCommonHeaders } from './respond.ts';
import { ArrivedUpload } from './upload-reader.ts';

type OperationConfig = RouteConfig & { operation: Operation };

export type RouteParts = Sending & { engine: Engine; takePlace: TakePlace };

export function addRoute(
  app: FastifyInstance,
  url: string,
  config: OperationConfig,
  parts: RouteParts,
): void {
  const { operation } = config;
  app.route({
    method: operation.method,
    url,
    bodyLimit: operation.body_limit,
    config,
    ...(operation.moves_file ? { preParsing: openThenPlace(parts) } : {}),
    handler: (request, reply) => answerCall(operation, request, reply, parts),
  });
}

/** Of every method. Which operation is called was found before. */
export function addLateRoutes(app: FastifyInstance, url: string, parts: RouteParts): void {
  const config: RouteConfig = { is_late: true };
  const takeOpenPlace = openThenPlace(parts);
  const takePlace: preParsingHookHandler = (request, reply, _payload, done) => {
    if (!operationOf(request)?.moves_file) return done();
    takeOpenPlace(request, reply).then(() => done(), done);
  };
  const handler = (request: FastifyRequest, reply: FastifyReply) =>
    answerCall(operationOf(request)!, request, reply, parts);
  // With HEAD.
  app.get(url, { config, preParsing: takePlace }, handler);
  const method = allMethods.filter((one) => one !== 'GET' && one !== 'HEAD');
  app.route({ method, url, config, preParsing: takePlace, handler });
}

/** A call that lacks its scope gets no place, and its file is not read. */
function openThenPlace({ engine, takePlace }: RouteParts): TakePlace {
  return async (request, reply) => {
    engine.checkScope(request.state.visit!);
    await takePlace(request, reply);
  };
}

async function answerCall(
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  { engine, ...sending }: RouteParts,
): Promise<FastifyReply> {
  const visit = request.state.visit!;
  reply.headers(deprecatedHeaders(operation));
  const known_tags = singleHeader(request.headers['if-none-match']);
  const read = inputOf(request);
  const input = read instanceof Promise ? await read : read;
  const answer = await engine.run(visit, input, {
    holds: ({ tag }) => holdsTag(known_tags, tag),
    refuseUnread: () => sending.held.refuseWithoutShare(request),
    hasGone: () => request.raw.socket.destroyed,
  });
  if (request.body instanceof ArrivedUpload) request.body.file?.release();
  setCommonHeaders(reply, visit);
  return sendAnswer(request, reply, operation, answer, sending);
}
