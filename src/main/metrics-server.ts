/** Metrics on a port of their own (FOLIO_METRICS_PORT), so that the API's address need not show them. */
import type { AddressInfo } from 'node:net';
import type { Config } from './config.ts';
import { explainListening } from './explain.ts';
import type { Metrics } from './metrics.ts';

/** The settings that say where. */
const named = { host: 'FOLIO_METRICS_HOST', port: 'FOLIO_METRICS_PORT' };

export type MetricsServer = { url: string; close(): Promise<void> };

type Where = Pick<Config, 'HOST' | 'FOLIO_METRICS_HOST' | 'FOLIO_METRICS_PORT'>;

/**
 * @returns null where metrics are beside the API
 * @throws StartError when the port is not free, or the host no address of this machine
 */
export async function startMetricsServer(
  metrics: Pick<Metrics, 'text'>,
  { HOST, FOLIO_METRICS_HOST, FOLIO_METRICS_PORT: port }: Where,
): Promise<MetricsServer | null> {
  if (port === null) return null;
  // Late: the import also loads what fetch consists of, and few services have such a port.
  const { createServer } = process.getBuiltinModule('node:http');
  const host = FOLIO_METRICS_HOST ?? HOST;
  const server = createServer((request, response) => {
    if (request.url?.split('?', 1)[0] !== '/metrics') return response.writeHead(404).end();
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return response.writeHead(405, { Allow: 'GET, HEAD' }).end();
    metrics.text().then(
      ({ body, type }) => response.writeHead(200, { 'Content-Type': type }).end(body),
      () => response.writeHead(500).end(),
    );
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', (error) => reject(explainListening(error, host, port, named)));
  server.listen(port, host, resolve);
  await promise;
  const { address, family, port: listening } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${listening}`,
    close() {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      server.closeAllConnections();
      return closed.promise;
    },
  };
}
