/** The address of documents on a port of their own. A process that serves none loads this without their pages. */
import type { FastifyInstance } from 'fastify';
import type { Config } from './config.ts';
import { explainListening } from './explain.ts';
import { listenAt } from './listen-at.ts';

/** The settings that say where. */
export const docsNamed = { host: 'FOLIO_DOCS_HOST', port: 'FOLIO_DOCS_PORT' };

export type DocsPlace = Pick<Config, 'HOST' | 'FOLIO_DOCS_HOST' | 'FOLIO_DOCS_PORT'>;

export const docsHost = ({ HOST, FOLIO_DOCS_HOST }: DocsPlace): string => FOLIO_DOCS_HOST ?? HOST;

/**
 * @returns its address
 * @throws StartError when the port is not free, or the host no address of this machine
 */
export async function listenForDocs(app: FastifyInstance, where: DocsPlace): Promise<string> {
  const [host, port] = [docsHost(where), where.FOLIO_DOCS_PORT ?? 0];
  try {
    return await listenAt(app, { host, port });
  } catch (error) {
    throw explainListening(error, host, port, docsNamed);
  }
}
