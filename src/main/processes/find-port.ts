import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { explainListening } from '../explain.ts';

/**
 * A port that the system chooses, which all processes then listen on, also those that start later.
 * @param named the settings that say where, if not HOST and PORT
 * @throws StartError for an address that is not of this machine
 */
export async function findPort(host: string, named?: { host: string; port: string }): Promise<number> {
  const server = createServer();
  try {
    server.listen(0, host);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  } catch (error) {
    throw explainListening(error, host, 0, named);
  } finally {
    server.close();
  }
}
