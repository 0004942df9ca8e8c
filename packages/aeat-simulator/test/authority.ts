/** Noon in Madrid on 10 March 2026. */
import { after } from 'node:test';
import { type SimulatorOptions, startSimulator } from '../src/index.ts';
import { authorityClient, TAXPAYER } from './authority-messages.ts';
import { officialSchemasFolder } from './official-schemas.ts';

export const NOON = new Date('2026-03-10T11:00:00Z');

/** Simulator and client close after the file's tests. */
export async function startAuthority(options: SimulatorOptions = {}) {
  const simulator = await startSimulator({ now: () => NOON, schemas: officialSchemasFolder, ...options });
  const identity = await simulator.clientIdentity(TAXPAYER, 'Empresa de prueba SL', 'seal');
  const client = authorityClient(simulator, identity);
  after(async () => {
    await client.close();
    await simulator.stop();
  });
  return { simulator, client, identity };
}
