/** Keeps traces where FOLIO_OTEL_ENDPOINT is set (ADR 73). Nothing of OpenTelemetry is loaded elsewhere. */
import type { Log } from '../kernel/log.ts';
import type { Ports } from '../kernel/ports.ts';
import { keepTraces } from '../kernel/tracing.ts';
import type { Config } from './config.ts';
import { tracedPorts } from './traced-ports.ts';

export type Traces = {
  /** Their calls to the outside are in traces. */
  ports(made: Ports): Ports;
  /** Sends what is left, for a short while. */
  close(): Promise<void>;
};

const none: Traces = { ports: (made) => made, close: async () => undefined };

/** Of the whole process. */
export async function openTraces(
  { FOLIO_OTEL_ENDPOINT: endpoint, FOLIO_OTEL_PERCENT: percent }: Config,
  role: string,
  log: Log,
): Promise<Traces> {
  if (endpoint === null) return none;
  const { sendTraces } = await import('../integrations/tracing/otel.ts');
  const sender = sendTraces({ endpoint, percent, role, log });
  keepTraces(sender);
  return {
    ports: tracedPorts,
    async close() {
      keepTraces(null);
      await sender.close();
    },
  };
}
