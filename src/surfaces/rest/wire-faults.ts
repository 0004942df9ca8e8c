/** Requests that the HTTP parser refuses. They have no route and no reply, so the answer is written to the socket. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { commonErrors as c } from '../../kernel/common.errors.ts';
import { fail, type Problem, problemBody } from '../../kernel/problem.ts';
import { latestVersion } from '../../kernel/versions.ts';

type WireFault = Error & { code?: string };

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

function problemOfFault({ code }: WireFault): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') return fail(c.headers_too_large);
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return fail(c.request_timeout);
  return fail(c.parameter_invalid_format);
}

type Parts = {
  log: FastifyBaseLogger;
  docs_url: string;
  newRequestId(): string;
  observe(operation: string, status: number, seconds: number): void;
};

/** Nobody hears an answer on a connection that the caller has closed. */
export function answerWireFault(fault: WireFault, socket: Socket, parts: Parts): void {
  if (fault.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy(fault);
    return;
  }
  const { log, docs_url, observe } = parts;
  const request_id = parts.newRequestId();
  const problem = problemOfFault(fault);
  const { status, code } = problem.def;
  const body = JSON.stringify({ error: problemBody(problem, { request_id, docs_url }) });
  socket.end(
    [
      `HTTP/1.1 ${status} ${reasons[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
      `X-Request-Id: ${request_id}`,
      `Service-Version: ${latestVersion}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
  observe('unknown', status, 0);
  log.info({ request_id, status, code, fault: fault.code }, 'request');
}

/**
 * Node would answer an unknown expectation with a bare 417, and close a tunnel without an answer. Here the expectation
 * is ignored (RFC 9110, 10.1.1), and the tunnel gets a refusal.
 */
export function answerByOurselves(server: Server, partsOf: () => Parts): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', (_request, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    answerWireFault(new Error('a tunnel was asked for'), socket, partsOf());
    socket.destroySoon();
  });
}

/**
 * For none, Node itself would refuse with an empty body, and of several it would take the first, where a proxy before it may have taken
 * another (RFC 9112, 3.2).
 * @throws 400 parameter_invalid_format
 */
export function requireHost({ raw }: FastifyRequest, reply: FastifyReply): void {
  const count = hostsOf(raw.rawHeaders);
  if (count === 1 || (count === 0 && raw.httpVersion !== '1.1')) return;
  reply.header('Connection', 'close');
  throw fail(c.parameter_invalid_format, { param: 'Host' });
}

/** @param headers names and values by turns */
function hostsOf(headers: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < headers.length; at += 2)
    if (headers[at]!.length === 4 && headers[at]!.toLowerCase() === 'host') count += 1;
  return count;
}

/**
 * Nobody hears the answer, and a body would be awaited for good.
 * @throws 400 request_aborted
 */
export function refuseAborted({ raw: { aborted, complete, socket } }: FastifyRequest): void {
  if (aborted || (socket.destroyed && !complete)) throw fail(c.request_aborted);
}
