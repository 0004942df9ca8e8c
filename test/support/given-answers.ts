/** A server in the place of the service, or of a proxy before it: it answers what the test gives it. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';

export type GivenAnswer = { status: number; headers?: OutgoingHttpHeaders; body?: string };

/** @param answers of each path, in turn; 404 when there are no more. They may be changed later */
export async function serveAnswers(t: TestContext, answers: Record<string, GivenAnswer[]>) {
  const seen: { method: string | undefined; path: string; headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const { method, headers, url: path = '' } = request;
    const call = { method, path, headers, body: '' };
    seen.push(call);
    const answer = answers[path]?.shift() ?? { status: 404 };
    call.body = await text(request);
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}
