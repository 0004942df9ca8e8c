/** A simulator of the authority for the tests of one file, at noon in Madrid on 10 March 2026. */
import { existsSync } from 'node:fs';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type SimulatorOptions, startSimulator } from '../../src/integrations/aeat/simulator/index.ts';
import { authorityClient, TAXPAYER } from './authority-messages.ts';

export const NOON = new Date('2026-03-10T11:00:00Z');

/** Where the authority's own schemas and error list are, or null: they are not part of this project. */
export const officialFolder: string | null =
  [
    process.env.FOLIO_AEAT_SCHEMAS,
    fileURLToPath(new URL('../../../shared/verifactu/schemas', import.meta.url)),
  ].find((folder) => folder !== undefined && existsSync(folder)) ?? null;

/** Why a test that needs them is skipped, or false. */
export const skipOfficial = officialFolder === null ? "the authority's schemas are not here" : false;

/** Starts one for the whole file, with a client that is the taxpayer; all is closed after the file's tests. */
export async function startAuthority(options: SimulatorOptions = {}) {
  const simulator = await startSimulator({ now: () => NOON, schemas: officialFolder, ...options });
  const identity = await simulator.clientIdentity(TAXPAYER, 'Empresa de prueba SL', 'seal');
  const client = authorityClient(simulator, identity);
  after(async () => {
    await client.close();
    await simulator.stop();
  });
  return { simulator, client, identity };
}
