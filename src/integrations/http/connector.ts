/** Connections for requests by HTTP/1.1, one at a time. */
import type { Socket } from 'node:net';
import { buildConnector } from 'undici';

export function connectorOf(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector({ ...options, allowH2: false });
  return (where, callback) =>
    connect(where, (...made) => {
      if (made[0] === null) passOverContinue(made[1]);
      callback(...made);
    });
}

const continueStart = Buffer.from('HTTP/1.1 100');

/**
 * An answer of 100 that nobody asked for has to be passed over (RFC 9110, section 15.2). undici ends the connection at it,
 * but passes over 102, so it gets that to read. There is one request at a time, so an answer begins what is read. Where a part of
 * a body begins so, that digit changes: this is not for files.
 */
function passOverContinue(socket: Socket): void {
  const read = socket.read.bind(socket);
  socket.read = (size?: number) => {
    const bytes: Buffer | null = read(size);
    if (bytes?.subarray(0, continueStart.length).equals(continueStart))
      bytes.write('2', continueStart.length - 1);
    return bytes;
  };
}
