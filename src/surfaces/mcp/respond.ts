/** What the address answers: the protocol's own text, with what the tools said put in its place. */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Addresses } from '../../kernel/addresses.ts';
import type { Problem } from '../../kernel/problem.ts';
import type { HeldAnswers } from '../rest/held-answers.ts';
import { presentedSecret } from '../rest/request.ts';
import { problemHeaders, setCommonHeaders } from '../rest/respond.ts';
import { chooseCoding, withVary } from '../shared/content-coding.ts';
import { lengthOf, sendInTurns, sendText } from '../rest/send-in-turns.ts';
import type { Answered, Exchange } from './exchange.ts';
import { gzipAround } from './gzip-around.ts';
import { challengeOf, errorText, httpStatusOf, internalError } from './refusals.ts';
import { compressedOf, type ListText } from './tool-list.ts';

const json = 'application/json; charset=utf-8';
const emptyList = '"tools":[]';
const emptyContent = '"content":[]';

export async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  response: Response,
  exchange: Exchange,
  { public_url, held }: { public_url: string; held: HeldAnswers },
): Promise<FastifyReply> {
  const { problem, list } = exchange;
  if (problem) {
    request.state.error_code = problem.def.code;
    request.state.refused_status = problem.def.status;
    reply.headers(refusalHeaders(request, problem, public_url));
  }
  reply.code((problem && httpStatusOf(problem)) ?? response.status);
  const type = response.headers.get('content-type');
  if (response.body === null) return reply.send();
  reply.header('Content-Type', type === 'application/json' ? json : (type ?? json));
  const is_stream = type?.startsWith('text/event-stream') === true;
  if (is_stream) reply.header('X-Accel-Buffering', 'no');
  // That of an older revision is whole by now.
  if (is_stream && exchange.era === 'modern')
    return reply.send(Readable.fromWeb(response.body as ReadableStream<Uint8Array>));
  const text = await response.text();
  if (exchange.answered !== null) {
    const parts = withAnswer(text, exchange.answered);
    held.hold(request, reply, lengthOf(parts));
    return sendInTurns(reply, parts);
  }
  if (list !== null) return sendList(request, reply, text, list, held);
  if (!is_stream && !problem && response.status === 200) noteRefusal(request, text);
  held.hold(request, reply, text.length);
  return sendText(reply, text);
}

/** What the protocol itself refuses, such as an unknown tool, is an answer 200 in HTTP. The request log tells that it was refused. */
function noteRefusal(request: FastifyRequest, text: string): void {
  const { error } = JSON.parse(text) as { error?: { code: number } };
  if (error !== undefined) request.state.refused_status = error.code === internalError ? 500 : 400;
}

function withAnswer(text: string, { value, text: told }: Answered): Buffer[] {
  const at = text.indexOf(emptyContent);
  assert.ok(at >= 0, 'The protocol wrote no empty content.');
  return [
    Buffer.from(`${text.slice(0, at)}"content":[{"type":"text","text":"`),
    ...told,
    Buffer.from('"}],"structuredContent":'),
    ...value,
    Buffer.from(text.slice(at + emptyContent.length)),
  ];
}

async function sendList(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
  list: ListText,
  held: HeldAnswers,
): Promise<FastifyReply> {
  const at = text.indexOf(emptyList);
  assert.ok(at >= 0, 'The protocol wrote no empty list.');
  const [before, after] = [`${text.slice(0, at)}"tools":`, text.slice(at + emptyList.length)];
  reply.header('Vary', withVary(reply.getHeader('Vary'), 'Accept-Encoding'));
  if (chooseCoding(request.headers['accept-encoding'], ['gzip']) === null) {
    const parts = [Buffer.from(before), list.bytes, Buffer.from(after)];
    held.hold(request, reply, lengthOf(parts));
    return sendInTurns(reply, parts);
  }
  reply.header('Content-Encoding', 'gzip');
  const compressed = gzipAround(before, list.bytes, await compressedOf(list), after);
  held.hold(request, reply, compressed.length);
  return reply.send(compressed);
}

function refusalHeaders(
  request: FastifyRequest,
  problem: Problem,
  public_url: string,
): Record<string, string> {
  const has_credential = presentedSecret(request) !== null;
  const challenge = challengeOf(problem, has_credential, public_url);
  const { 'WWW-Authenticate': _, ...headers } = problemHeaders(problem);
  return { ...headers, ...(challenge === undefined ? {} : { 'WWW-Authenticate': challenge }) };
}

/** Of a request whose message was not served. */
export function sendRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
  { public_url, docs_url }: Addresses,
): FastifyReply {
  request.state.error_code = problem.def.code;
  setCommonHeaders(reply, request.state.visit);
  reply.code(problem.def.status).headers(refusalHeaders(request, problem, public_url()));
  reply.header('Content-Type', json);
  const call = { request_id: request.id, docs_url: docs_url() };
  return reply.send(errorText(problem, call, request.state.rpc_code));
}
