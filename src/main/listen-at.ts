/**
 * Listens at an address. `localhost` may be two, 127.0.0.1 and ::1: one server answers at both. Fastify would make a
 * second server, whose requests no end waits for, and would pass over an address that another program has.
 */
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { FastifyInstance } from 'fastify';

type Place = { host: string; port: number };

/** What hands a server the connections of its other addresses. */
const doors = new WeakMap<HttpServer, Server[]>();

async function addressesOf(host: string): Promise<string[]> {
  if (host !== 'localhost') return [host];
  const found = await lookup(host, { all: true, order: 'ipv4first' });
  return [...new Set(found.map(({ address }) => address))];
}

/**
 * @returns the address of the first
 * @throws the system's error, also where another program has one of the addresses. The caller closes the server
 */
export async function listenAt(
  app: FastifyInstance,
  { host, port }: Place,
  find = addressesOf,
): Promise<string> {
  const [first = host, ...others] = await find(host);
  const url = await app.listen({ host: first, port });
  const { port: listening } = app.server.address() as AddressInfo;
  for (const other of others) {
    try {
      await openDoor(app.server, { host: other, port: listening });
    } catch (error) {
      // A machine may know ::1 and have no IPv6. A port that the system chose may be free at one address alone.
      if ((error as { code?: string }).code === 'EADDRINUSE' && port !== 0) throw error;
    }
  }
  return url;
}

async function openDoor(server: HttpServer, place: Place): Promise<void> {
  // As an HTTP server takes its own connections.
  const door = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    server.emit('connection', socket);
  });
  door.listen(place);
  await once(door, 'listening');
  doors.set(server, [...(doors.get(server) ?? []), door]);
}

/** It, and what hands it the connections of its other addresses. */
export const doorsOf = (server: HttpServer): readonly Server[] => [server, ...(doors.get(server) ?? [])];

/** Takes no more connections at the other addresses. Settles when those that are open have ended. */
export async function closeDoors(server: HttpServer): Promise<void> {
  const closed = (doors.get(server) ?? []).map((door) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    door.close(() => resolve());
    return promise;
  });
  await Promise.all(closed);
}
