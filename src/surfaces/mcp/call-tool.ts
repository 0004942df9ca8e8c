/** A call of a tool, over the engine's one door. */
import {
  type CallToolResult,
  type InputRequiredResult,
  ProtocolError,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Addresses } from '../../kernel/addresses.ts';
import { decodedFile } from '../../kernel/base64-file.ts';
import { commonErrors as c } from '../../kernel/common.errors.ts';
import { jsonParts } from '../../kernel/json.ts';
import type { Operation } from '../../kernel/operation.ts';
import { fail } from '../../kernel/problem.ts';
import type { Steps } from '../../kernel/steps.ts';
import { type Answer, repeatsEarlier } from '../../platform/call.ts';
import type { Engine } from '../../platform/engine.ts';
import { problemOf } from '../../platform/faults.ts';
import { inTurns } from '../../platform/give-way.ts';
import type { Log } from '../../kernel/log.ts';
import { type CallParts as Input, unflattenInput } from '../shared/tool-input.ts';
import type { Confirmation } from './confirmation.ts';
import { type Answered, type Exchange, exchangeOf } from './exchange.ts';
import { invalidParams, toldOf } from './refusals.ts';
import type { ToolList } from './tool-list.ts';

export type CallParts = Pick<Addresses, 'docs_url'> & {
  engine: Engine;
  tools: ToolList;
  confirmation: Confirmation;
  log: Log;
};

type Params = { name: string; arguments?: Record<string, unknown> | undefined };
type Outcome = CallToolResult | InputRequiredResult;

/** What a message holds besides the arguments of its tool. */
const envelopeBytes = 16_384;

export function makeCallTool(parts: CallParts) {
  return async ({ params }: { params: Params }, ctx: ServerContext): Promise<Outcome> => {
    const exchange = exchangeOf(ctx.http?.authInfo);
    const operation = parts.tools.find(params.name, exchange.view);
    if (!operation) throw new ProtocolError(invalidParams, `Unknown tool: ${params.name.slice(0, 64)}`);
    try {
      return await call(parts, exchange, operation, argumentsOf(params, exchange), ctx);
    } catch (error) {
      throw await refusalOf(parts, exchange, error);
    }
  };
}

/** The company of the header stands among the arguments, so that a question is bound to it as well. */
function argumentsOf(
  { arguments: given = {} }: Params,
  { active_profile }: Exchange,
): Record<string, unknown> {
  return active_profile === null ? given : { active_profile, ...given };
}

async function call(
  { engine, confirmation }: CallParts,
  exchange: Exchange,
  operation: Operation,
  given: Record<string, unknown>,
  ctx: ServerContext,
): Promise<Outcome> {
  const { visit } = exchange;
  const { idempotency_key, active_profile, ...flat } = given;
  const input = withFile(operation, unflattenInput(operation, flat));
  await engine.name(visit, {
    operation,
    idempotency_key: textOf(idempotency_key, 'idempotency_key'),
    active_profile: textOf(active_profile, 'active_profile'),
    input,
  });
  refuseLarge(operation, exchange.body_bytes);
  const asked = await confirmation.ask(exchange, operation, given, ctx);
  if (asked) return { ...asked, _meta: { 'folio/request-id': exchange.request_id } };
  const { refuseUnread, hasGone } = exchange;
  return resultOf(await engine.run(visit, input, { refuseUnread, hasGone }), exchange);
}

/** REST decodes a file as it arrives. An idempotency key compares what was decoded, so it is decoded here too. */
function withFile({ upload }: Operation, input: Input): Input {
  const text = upload === null ? undefined : input.body?.[upload];
  if (upload === null || typeof text !== 'string') return input;
  return { ...input, body: { ...input.body, [upload]: decodedFile(text) } };
}

/** @throws 422 parameter_invalid */
function textOf(value: unknown, member: 'idempotency_key' | 'active_profile'): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return value;
  const errors = [{ param: member, code: 'parameter_invalid', message: 'Debe ser un texto.' }];
  throw fail(c.parameter_invalid, { member, errors });
}

/** As much as the operation takes over REST. @throws 413 request_too_large */
function refuseLarge({ body_limit: limit }: Operation, bytes: number): void {
  if (bytes > limit + envelopeBytes) throw fail(c.request_too_large, { values: { limit } });
}

/** The protocol package would look through the whole answer, and write it twice. */
async function resultOf(answer: Answer, exchange: Exchange): Promise<CallToolResult> {
  const { body } = answer;
  const _meta = {
    'folio/request-id': exchange.request_id,
    ...(repeatsEarlier(answer) ? { 'folio/idempotent-replayed': true } : {}),
  };
  exchange.answered = await inTurns(answeredInSteps(body));
  return { content: [], _meta };
}

/** That of a bulk call may have megabytes. */
function* answeredInSteps(body: unknown): Steps<Answered> {
  const value: Buffer[] = [];
  const text: Buffer[] = [];
  for (const part of jsonParts(body)) {
    value.push(Buffer.from(part));
    text.push(Buffer.from(JSON.stringify(part).slice(1, -1)));
    yield;
  }
  return { value, text };
}

/** What a handler throws; the protocol's package would send any other error as it is, with its text. */
export async function refusalOf(
  { engine, docs_url, log }: Pick<CallParts, 'engine' | 'docs_url' | 'log'>,
  exchange: Exchange,
  error: unknown,
): Promise<ProtocolError> {
  if (error instanceof ProtocolError) return error;
  const { request_id } = exchange;
  const problem = await engine.countRefused(exchange.visit, problemOf(error));
  exchange.problem = problem;
  if (problem.def.status >= 500) log.error({ err: error, request_id }, 'request failed');
  const { operation, input } = exchange.visit.arrival;
  const call = { request_id, docs_url: docs_url(), operation, params: input.params };
  const { code, message, data } = toldOf(problem, call);
  return new ProtocolError(code, message, data);
}
