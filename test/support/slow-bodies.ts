/** Bodies that have begun and do not end. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Answer, App } from '../harness.ts';
import { until } from './worker-place.ts';

/** Sends the head of a POST and the first byte of its body, of 60. */
export function beginBody(app: App, key: string, path: string): Promise<Socket> {
  return beginBodyWith(app, path, { authorization: `Bearer ${key}` });
}

/** @param headers who sends it */
export async function beginBodyWith(
  app: App,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<Socket> {
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: ${hostname}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'Content-Type: application/json',
    'Content-Length: 60',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n{`);
  return socket;
}

/**
 * Begins bodies until each holds a place, so that another body is refused. Before that the other one may take the place
 * of one of them, which is refused in its stead and begins again.
 * @param beginOne sends the head of a body and its first byte
 * @param paths one for each place
 * @returns the refusal, and the bodies in the order of their paths
 */
export async function fillPlaces(
  beginOne: (path: string) => Promise<Socket>,
  paths: readonly string[],
  another: () => Promise<Answer>,
): Promise<{ refused: Answer; sockets: Socket[] }> {
  const begin = async (path: string) => {
    const body = { path, socket: await beginOne(path), is_refused: false };
    body.socket.once('data', () => {
      body.is_refused = true;
    });
    return body;
  };
  let begun = await Promise.all(paths.map(begin));
  let answer = await another();
  await until(async () => {
    if (answer.status === 429) return true;
    begun = await Promise.all(
      begun.map(async (body) => {
        if (!body.is_refused) return body;
        body.socket.destroy();
        return begin(body.path);
      }),
    );
    answer = await another();
    return false;
  });
  return { refused: answer, sockets: begun.map(({ socket }) => socket) };
}
