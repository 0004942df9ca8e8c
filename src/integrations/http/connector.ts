/** Connections for requests by HTTP/1.1, one at a time. */
import type { Socket } from 'node:net';
import { buildConnector } from 'undici';

type Options = buildConnector.BuildOptions & { signal?: AbortSignal | undefined };

/**
 * Of several addresses each but the last has this part of the time. Node gives it 250 ms, which a host far away, or a
 * packet that is lost, does not keep: then a last address that does not answer is all that is left.
 */
const addressShare = 1 / 4;
const usualMs = 10_000;

/** @param signal ends each connection, also one that is not made yet */
export function connectorOf({ signal, timeout, ...options }: Options): buildConnector.connector {
  const connect_ms = timeout ?? usualMs;
  const connect = buildConnector({
    ...options,
    timeout: connect_ms,
    allowH2: false,
    autoSelectFamilyAttemptTimeout: Math.ceil(connect_ms * addressShare),
  } as buildConnector.BuildOptions);
  return (to, callback) => {
    // The name that TLS asks for has no point at its end (RFC 6066, section 3).
    const where = to.hostname.endsWith('.') ? { ...to, servername: to.hostname.slice(0, -1) } : to;
    // Its type does not say so, but it gives the connection back before that is made.
    const made = connect(where, (...told) => {
      if (told[0] === null) passOverContinue(told[1]);
      callback(...told);
    }) as unknown as Socket;
    if (signal) endBy(signal, made);
  };
}

/** Node itself would keep each connection until the signal comes, long after it has ended. */
function endBy(signal: AbortSignal, socket: Socket): void {
  const end = () => socket.destroy(new DOMException('The service stops.', 'AbortError'));
  if (signal.aborted) return void end();
  signal.addEventListener('abort', end);
  socket.once('close', () => signal.removeEventListener('abort', end));
}

const interimStart = Buffer.from('HTTP/1.1 1');
const [zero, two] = Buffer.from('02');
const headEnd = Buffer.from('\r\n\r\n');

/**
 * An answer of 100 that nobody asked for has to be passed over (RFC 9110, section 15.2). undici ends the connection at it,
 * but passes over 102, so it gets that to read. There is one request at a time, so what is read after a request was
 * written begins an answer. What follows the start of a final answer is not looked at: it may be a file.
 */
function passOverContinue(socket: Socket): void {
  const { read, write } = socket;
  let find = interimFinder();
  socket.write = ((...given: Parameters<Socket['write']>) => {
    if (find.is_over()) find = interimFinder();
    return write.apply(socket, given);
  }) as Socket['write'];
  socket.read = (size?: number) => {
    const bytes: Buffer | null = read.call(socket, size);
    if (bytes !== null) find.passOver(bytes);
    return bytes;
  };
}

/** For one request. Heads may come in several parts, and several heads in one. */
function interimFinder() {
  let is_final = false;
  /** How much was read of the status line as far as its status, and of the end of its head. */
  let [line, end] = [0, 0];
  let is_hundred = true;

  function look(byte: number): number {
    const at = line;
    if (at < interimStart.length) is_final = byte !== interimStart[at];
    if (at < interimStart.length + 2) {
      line += 1;
      if (at >= interimStart.length) is_hundred &&= byte === zero;
      return is_hundred && at === interimStart.length + 1 ? two! : byte;
    }
    end = byte === headEnd[end] ? end + 1 : byte === headEnd[0] ? 1 : 0;
    if (end === headEnd.length) [line, end, is_hundred] = [0, 0, true];
    return byte;
  }

  return {
    is_over: () => is_final,
    passOver(bytes: Buffer): void {
      for (let at = 0; at < bytes.length && !is_final; at++) bytes[at] = look(bytes[at]!);
    },
  };
}
