/** Requests that HTTP itself refuses: they never reach an operation, but their answers have the form of all others. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { type App, startApp } from '../harness.ts';

/** @returns all that comes until the server closes */
function exchange(app: App, text: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname, () => socket.write(text));
  let answer = '';
  socket.setEncoding('utf8');
  socket.on('data', (piece: string) => {
    answer += piece;
  });
  socket.on('close', () => resolve(answer));
  // A server that refuses the rest of a request may reset the connection. If no answer came, the text is empty and the test fails.
  socket.on('error', () => undefined);
  return promise;
}

const long = 'x'.repeat(20_000);

const cases: [what: string, request: string, status: number, code: string, param: string | null][] = [
  ['no HTTP', 'nonsense\r\n\r\n', 400, 'parameter_invalid_format', null],
  [
    'an unknown method',
    'FETCH /v1/clients HTTP/1.1\r\nhost: x\r\n\r\n',
    400,
    'parameter_invalid_format',
    null,
  ],
  [
    'a header without a name',
    'GET /v1/clients HTTP/1.1\r\nhost: x\r\n: y\r\n\r\n',
    400,
    'parameter_invalid_format',
    null,
  ],
  [
    'a length that is no number',
    'POST /v1/clients HTTP/1.1\r\nhost: x\r\ncontent-length: many\r\n\r\n',
    400,
    'parameter_invalid_format',
    null,
  ],
  [
    'a length and chunks',
    'POST /v1/clients HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}',
    400,
    'parameter_invalid_format',
    null,
  ],
  ['no host', 'GET /v1/clients HTTP/1.1\r\n\r\n', 400, 'parameter_invalid_format', 'Host'],
  [
    'two hosts',
    'GET /v1/clients HTTP/1.1\r\nhost: x\r\nHost: y\r\n\r\n',
    400,
    'parameter_invalid_format',
    'Host',
  ],
  ['a tunnel', 'CONNECT x:443 HTTP/1.1\r\nhost: x\r\n\r\n', 400, 'parameter_invalid_format', null],
  [
    'headers of 20,000 bytes',
    `GET /v1/clients HTTP/1.1\r\nhost: x\r\nx-long: ${long}\r\n\r\n`,
    431,
    'headers_too_large',
    null,
  ],
];

test('given a request that is no HTTP, then it is refused in the form of all refusals, with an id of its own', async (t) => {
  const app = await startApp(t, { fresh: true });
  const ids = new Set<string>();
  for (const [what, request, status, code, param] of cases) {
    const answer = await exchange(app, request);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    assert.match(head, new RegExp(`^HTTP/1.1 ${status} `), `${what}: ${answer}`);
    const headers = new Map(
      head
        .split('\r\n')
        .slice(1)
        .map((line) => [line.split(': ')[0]!.toLowerCase(), line.split(': ')[1]] as const),
    );
    const { error } = JSON.parse(body) as { error: Record<string, unknown> };
    assert.deepEqual([error.code, error.param, error.type], [code, param, 'invalid_request_error'], what);
    assert.match(String(error.doc_url), new RegExp(`/docs/errors/${code}$`));
    assert.match(String(error.request_id), /^req_[0-9a-f]{32}$/);
    assert.equal(headers.get('x-request-id'), error.request_id);
    assert.equal(headers.get('content-length'), String(Buffer.byteLength(body)));
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
    assert.equal(headers.get('service-version'), '2026-10-01');
    assert.equal(headers.get('connection'), 'close');
    ids.add(String(error.request_id));
    assert.ok(
      app.log_lines.some((line) => line.includes(String(error.request_id)) && line.includes(code)),
      `${what} is logged`,
    );
  }
  assert.equal(ids.size, cases.length);
  assert.equal(app.log_lines.filter((line) => line.includes('"level":50')).length, 0);
});

test('given an expectation that nobody knows, then the request is answered as without it', async (t) => {
  const app = await startApp(t);
  for (const [expect, status] of [
    ['', 401],
    ['expect: 200-ok\r\n', 401],
    ['expect: 100-continue\r\n', 401],
  ] as const) {
    const answer = await exchange(
      app,
      `GET /v1/clients HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${expect}\r\n`,
    );
    const [head = '', body = ''] = answer.replace('HTTP/1.1 100 Continue\r\n\r\n', '').split('\r\n\r\n');
    assert.match(head, new RegExp(`^HTTP/1.1 ${status} `), `${expect}: ${answer}`);
    const { error } = JSON.parse(body) as { error: Record<string, unknown> };
    assert.equal(error.code, 'missing_api_key');
    assert.match(head, new RegExp(`x-request-id: ${error.request_id}`, 'i'));
  }
});
