/**
 * Requests that a caller sends on one connection without awaiting answers (RFC 9112, 9.3.2). Node would begin all that one read of the socket
 * brings, in one turn of the event loop: some thousand of them in 64 KiB. Here the next one begins when the one before it is answered.
 */
import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** On one connection. The caller sends what comes after them again, as for any connection that is closed. */
const waitingMax = 100;

type Line = { waiting: number; last: ServerResponse };

/** Call it once the server has its listener. */
export function answerInOrder(server: Server): void {
  const [answer] = server.listeners('request') as [RequestListener];
  const lines = new WeakMap<Socket, Line>();
  server.removeListener('request', answer);
  server.on('request', (request, response) => {
    // Node gives the socket to the response whose turn it is.
    if (response.socket !== null) return answer(request, response);
    const { socket } = request;
    const line = lines.get(socket) ?? { waiting: 0, last: response };
    lines.set(socket, line);
    if (line.waiting === waitingMax) return endAfter(line.last, socket);
    line.waiting += 1;
    line.last = response;
    response.once('socket', () => {
      line.waiting -= 1;
      setImmediate(() => {
        if (!socket.destroyed) answer(request, response);
      });
    });
  });
}

/** Reads no more of the socket: a request costs memory before anybody looks at it. */
function endAfter(last: ServerResponse, socket: Socket): void {
  if (!last.shouldKeepAlive) return;
  last.shouldKeepAlive = false;
  socket.on('resume', () => socket.pause());
  socket.pause();
}
